#include "tools/gpu/stencil_tensor.cuh"

namespace gpu
{

double stencil_tensor_float(int radius, const StencilPass &pass)
{
    switch (radius) {
    case 1:
        return stencil_tensor_enqueue<MmaTf32, 1>(pass);
    case 3:
        return stencil_tensor_enqueue<MmaTf32, 3>(pass);
    case 7:
        return stencil_tensor_enqueue<MmaTf32, 7>(pass);
    default:
        return 0;
    }
}

}  // namespace gpu
