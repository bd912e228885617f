#include "tools/gpu/stencil/grid_2d.cuh"

namespace gpu
{

double stencil_2d_box_float(int radius,
                            int fusion,
                            const StencilPass &pass,
                            const StencilPlan &plan)
{
    return stencil_2d_find<float, true>(radius, fusion, pass, plan);
}

}  // namespace gpu
