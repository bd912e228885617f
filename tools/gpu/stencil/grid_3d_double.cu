#include "tools/gpu/stencil/grid_3d.cuh"

namespace gpu
{

double stencil_3d_double(bool is_box,
                         int fusion,
                         const StencilPass &pass,
                         const StencilPlan &plan)
{
    return is_box ? stencil_3d_find<double, true>(fusion, pass, plan)
                  : stencil_3d_find<double, false>(fusion, pass, plan);
}

}  // namespace gpu
