/* Fields on the GPU: values by which stencils start, and windows of what they end in.
 */
#pragma once

#include <cstdint>
#include <vector>

#include "tools/gpu/stencil/reference.hpp"

namespace gpu
{

/* stencil_value() of every point. */
template <typename T> void stencil_field_fill(T *field, size_t count, uint64_t seed);

/* How many values are no number: those that nobody wrote after a poisoning. */
template <typename T> size_t stencil_field_unwritten(const T *field, size_t count);

/* Of a periodic domain with sides of n. */
template <typename T>
std::vector<double>
stencil_field_window(const T *field, int n, const StencilWindow &window);

}  // namespace gpu
