#include "tools/gpu/stencil/sparse.cuh"

namespace gpu
{

template <int R> static double choose(const StencilPass &pass, const StencilPlan &plan)
{
    switch (plan.kernel) {
    case 0:
        return stencil_sparse_enqueue<R, 8, 1, 4, 3>(pass, plan);
    case 1:
        return stencil_sparse_enqueue<R, 4, 2, 4, 2>(pass, plan);
    case 2:
        return stencil_sparse_enqueue<R, 8, 1, 8, 1>(pass, plan);
    case 3:
        return stencil_sparse_enqueue<R, 4, 2, 2, 4>(pass, plan);
    default:
        return 0;
    }
}

double
stencil_sparse_float(int radius, const StencilPass &pass, const StencilPlan &plan)
{
    switch (radius) {
    case 1:
        return choose<1>(pass, plan);
    case 3:
        return choose<3>(pass, plan);
    case 7:
        return choose<7>(pass, plan);
    default:
        return 0;
    }
}

}  // namespace gpu
