#include "tools/gpu/stencil_tensor.cuh"

namespace gpu
{

template <typename Mma> static double enqueue(int radius, const StencilPass &pass)
{
    switch (radius) {
    case 1:
        return stencil_tensor_enqueue<Mma, 1>(pass);
    case 3:
        return stencil_tensor_enqueue<Mma, 3>(pass);
    case 7:
        return stencil_tensor_enqueue<Mma, 7>(pass);
    default:
        return 0;
    }
}

double stencil_tensor_double(bool is_wide, int radius, const StencilPass &pass)
{
    return is_wide ? enqueue<MmaDoubleWide>(radius, pass)
                   : enqueue<MmaDouble>(radius, pass);
}

}  // namespace gpu
