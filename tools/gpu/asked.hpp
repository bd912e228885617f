/* One problem that a program is asked for, in place of all that it knows. */
#pragma once

#include <string>

#include "tools/gpu/grid.hpp"

namespace gpu
{

struct Asked {
    int nx = 0; /* 0: none is asked for */
    int ny = 0;
    int nz = 0;
    std::string dtype = "fp32"; /* fp32, fp64, bf16, mixed */
    int iterations = 1;         /* products, steps, iterations of a solver */

    bool is_there() const
    {
        return nx > 0;
    }
    /* What names of files end with: -512x112x64-bf16-3. */
    std::string suffix() const;
    /* With rows of whole packs in memory: x fastest, or z if nx has a rest. Ends the
     * program with code 1 where both have. */
    Grid grid(int pack) const;
    /* Ends the program with code 1: WORKLOAD is not measured in this format. */
    [[noreturn]] void refuse_dtype(const char *workload, const char *known) const;
};

/* Reads NXxNYxNZ, a format, or a count; false where it is none. */
bool asked_read_size(Asked *self, const char *text);
bool asked_read_dtype(Asked *self, const char *text);
bool asked_read_iterations(Asked *self, const char *text);

}  // namespace gpu
