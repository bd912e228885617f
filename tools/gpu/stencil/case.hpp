/* Cases of stencils: which are measured, what they are called, what they cost. */
#pragma once

#include <string>
#include <vector>

#include "tools/gpu/stencil/stencil.hpp"

namespace gpu
{

/* All that are measured. */
std::vector<StencilCase> stencil_cases();

/* From options --shape box|star, --dim, --radius, --fusion, --dtype float|double,
 * --unit cuda|tensor|sparse, --mma, --size: takes them and their values out of `words`.
 * False: there were none. Where a value is wrong, `wrong` says in one line which and
 * what is allowed. */
bool stencil_case_parse(std::vector<std::string> *words,
                        StencilCase *self,
                        std::string *wrong);

/* Ways to do a case, of which some may not be there: all kernels with strips of many
 * lengths, and few or many blocks on a multiprocessor. */
std::vector<StencilPlan> stencil_plans(const StencilCase &self);

/* stencil-box2d1r-double-t3-cuda */
std::string stencil_case_name(const StencilCase &self);
const char *stencil_case_unit(const StencilCase &self); /* cuda, tensor */
const char *stencil_case_mma(const StencilCase &self);  /* none, m8n8k4 ... */

/* K */
int stencil_case_points(const StencilCase &self);
double stencil_case_cells(const StencilCase &self); /* points of the domain */
double
stencil_case_flops(const StencilCase &self); /* useful ones of a pass: 2 K t each */
double stencil_case_bytes(const StencilCase &self); /* compulsory ones of a pass */

/* The largest error of a result allowed, in parts of the largest value. */
double stencil_case_tolerance(const StencilCase &self);

}  // namespace gpu
