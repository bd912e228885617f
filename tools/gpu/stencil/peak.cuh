/* What units of the GPU reach when they do nothing but arithmetic in registers. */
#pragma once

#include "tools/gpu/stencil/stencil.hpp"

namespace gpu
{

/* FLOP a second of the instruction that a case's unit uses: fused multiply-adds, or
 * products of matrices of its shape. Measured by the first call for each. */
double stencil_peak(const StencilCase &self);

}  // namespace gpu
