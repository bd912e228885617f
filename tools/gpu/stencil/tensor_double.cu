#include "tools/gpu/stencil/tensor.cuh"

namespace gpu
{

template <typename Mma, int R>
static double choose(const StencilPass &pass, const StencilPlan &plan)
{
    switch (plan.kernel) {
    case 0:
        return stencil_tensor_enqueue < Mma, R, 4, 4, 1, R == 7 ? 3 : 4 > (pass, plan);
    case 1:
        return stencil_tensor_enqueue<Mma, R, 4, 4, 2, 2>(pass, plan);
    case 2:
        return stencil_tensor_enqueue<Mma, R, 8, 2, 2, 2>(pass, plan);
    default:
        return 0;
    }
}

template <typename Mma>
static double find(int radius, const StencilPass &pass, const StencilPlan &plan)
{
    switch (radius) {
    case 1:
        return choose<Mma, 1>(pass, plan);
    case 3:
        return choose<Mma, 3>(pass, plan);
    case 7:
        return choose<Mma, 7>(pass, plan);
    default:
        return 0;
    }
}

double stencil_tensor_double(bool is_wide,
                             int radius,
                             const StencilPass &pass,
                             const StencilPlan &plan)
{
    return is_wide ? find<MmaDoubleWide>(radius, pass, plan)
                   : find<MmaDouble>(radius, pass, plan);
}

}  // namespace gpu
