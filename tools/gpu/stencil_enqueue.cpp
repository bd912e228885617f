#include "tools/gpu/stencil.hpp"

namespace gpu
{

static double enqueue_cuda(const StencilCase &self, const StencilPass &pass)
{
    if (self.dimension == 3) {
        if (self.radius != 1) {
            return 0;
        }
        return self.is_double ? stencil_3d_double(self.is_box, self.fusion, pass)
                              : stencil_3d_float(self.is_box, self.fusion, pass);
    }
    if (self.is_box) {
        return self.is_double ? stencil_2d_box_double(self.radius, self.fusion, pass)
                              : stencil_2d_box_float(self.radius, self.fusion, pass);
    }
    return self.is_double ? stencil_2d_star_double(self.radius, self.fusion, pass)
                          : stencil_2d_star_float(self.radius, self.fusion, pass);
}

double stencil_enqueue(const StencilCase &self, const StencilPass &pass)
{
    if (self.unit == StencilUnit::cuda) {
        return enqueue_cuda(self, pass);
    }
    if (self.dimension != 2 || !self.is_box ||
        self.is_double != (self.unit != StencilUnit::tf32_m16n8k8)) {
        return 0;
    }
    const int radius = self.radius * self.fusion;

    return self.is_double
               ? stencil_tensor_double(self.unit == StencilUnit::m16n8k8, radius, pass)
               : stencil_tensor_float(radius, pass);
}

}  // namespace gpu
