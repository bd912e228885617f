#include "tools/gpu/stencil/stencil.hpp"

namespace gpu
{

static double
enqueue_cuda(const StencilCase &self, const StencilPass &pass, const StencilPlan &plan)
{
    if (self.dimension == 3) {
        if (self.radius != 1) {
            return 0;
        }
        return self.is_double ? stencil_3d_double(self.is_box, self.fusion, pass, plan)
                              : stencil_3d_float(self.is_box, self.fusion, pass, plan);
    }
    if (self.is_box) {
        return self.is_double
                   ? stencil_2d_box_double(self.radius, self.fusion, pass, plan)
                   : stencil_2d_box_float(self.radius, self.fusion, pass, plan);
    }
    return self.is_double ? stencil_2d_star_double(self.radius, self.fusion, pass, plan)
                          : stencil_2d_star_float(self.radius, self.fusion, pass, plan);
}

double stencil_enqueue(const StencilCase &self,
                       const StencilPass &pass,
                       const StencilPlan &plan)
{
    if (self.unit == StencilUnit::cuda) {
        return enqueue_cuda(self, pass, plan);
    }
    if (self.dimension != 2 || !self.is_box ||
        self.is_double !=
            (self.unit == StencilUnit::m8n8k4 || self.unit == StencilUnit::m16n8k8)) {
        return 0;
    }
    const int radius = self.radius * self.fusion;

    if (self.unit == StencilUnit::sparse_tf32_m16n8k8) {
        return stencil_sparse_float(radius, pass, plan);
    }
    return self.is_double ? stencil_tensor_double(self.unit == StencilUnit::m16n8k8,
                                                  radius, pass, plan)
                          : stencil_tensor_float(radius, pass, plan);
}

}  // namespace gpu
