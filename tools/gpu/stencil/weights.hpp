/* Weights of a stencil: whole boxes of (2R+1)^dimension, x fastest. */
#pragma once

#include <cstdint>
#include <vector>

namespace gpu
{

/* Random signs and sizes, drawn from the seed; their sizes add up to one. Those that a
 * star does not have are zero. */
std::vector<double>
stencil_weights(bool is_box, int dimension, int radius, uint64_t seed);

/* The stencil that does `fusion` steps at once: its radius is radius * fusion. */
std::vector<double> stencil_weights_fused(const std::vector<double> &weights,
                                          int dimension,
                                          int radius,
                                          int fusion);

}  // namespace gpu
