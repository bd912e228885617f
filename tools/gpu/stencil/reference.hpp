/* What a stencil gives, computed on the host in double precision one step after
 * another, of any window of the periodic domain. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/gpu/stencil/stencil.hpp"

namespace gpu
{

/* A part of the domain; it may reach over its ends. */
struct StencilWindow {
    int origin[3]; /* x, y, z; z is 0 in two dimensions */
    int extent[3]; /* and 1 */

    size_t points() const
    {
        return (size_t) extent[0] * (size_t) extent[1] * (size_t) extent[2];
    }
};

/* The window after all steps of a pass, x fastest; `weights` are of one step. */
std::vector<double> stencil_reference(const StencilCase &self,
                                      const std::vector<double> &weights,
                                      uint64_t seed,
                                      const StencilWindow &window);

/* Windows that are compared: all of a small domain; of a large one its corner, which
 * reaches over the ends, its middle, and places drawn from the seed. */
std::vector<StencilWindow> stencil_windows(const StencilCase &self, uint64_t seed);

}  // namespace gpu
