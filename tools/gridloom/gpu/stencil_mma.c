/* Makes the matrices of a stencil and fills instructions with them. */
#include "tools/gridloom/gpu/stencil_mma.h"

#include <math.h>

#include "arch/model/stencil/weights.h"

/* A box that is fused is a wider box. */
static GpuGrid *fused_weights(const GpuStencil *stencil, bool is_boxed)
{
    GpuStencil wide = *stencil;

    if (stencil->shape == GPU_BOX || is_boxed) {
        wide.shape = GPU_BOX;
        wide.radius = stencil->radius * stencil->fusion;
        return gpu_weights_new(&wide, NULL);
    }
    g_autoptr(GpuGrid) weights = gpu_weights_new(stencil, NULL);

    return weights == NULL ? NULL : gpu_weights_fuse(weights, stencil->fusion, NULL);
}

static GpuTransform *transform_of(const GpuGrid *weights, GpuScheme scheme)
{
    switch (scheme) {
    case GPU_SCHEME_NONE:
        return NULL;
    case GPU_SCHEME_FLATTEN:
        return gpu_transform_flatten(weights);
    case GPU_SCHEME_DECOMPOSE:
        return gpu_transform_decompose(weights);
    }
    g_assert_not_reached();
}

static const GpuMma *
shape_of(const GpuStencil *stencil, const GpuImplementation *program, const char *name)
{
    const bool is_sparse = program->unit == GPU_SPARSE_TENSOR_CORES;
    const GpuMma *named =
        name == NULL ? NULL : gpu_mma_find(name, stencil->type, is_sparse);

    return named != NULL ? named : gpu_mma_default(stencil->type, is_sparse);
}

bool cmd_gpu_stencil_mma_init(CmdGpuStencilMma *self,
                              const GpuStencil *stencil,
                              const GpuImplementation *program,
                              const GpuStencilSetting *setting,
                              const char *shape)
{
    const GpuMma *mma = shape_of(stencil, program, shape);
    g_autoptr(GpuGrid) weights = NULL;
    g_autoptr(GpuTransform) transform = NULL;
    GpuStencilModel model;

    if (program->scheme == GPU_SCHEME_NONE || mma == NULL ||
        !gpu_stencil_model(stencil, program, setting, &model, NULL)) {
        return false;
    }
    weights = fused_weights(stencil, setting->is_boxed);
    if (weights == NULL) {
        return false;
    }
    transform = transform_of(weights, program->scheme);
    self->shape = mma;
    gpu_mma_use(mma, transform, &self->use);
    /* A pass takes the longer of its operations and its bytes. */
    self->updates = stencil->fusion / fmax(self->use.flops / model.peak,
                                           model.bytes * model.ridge / model.peak);
    return true;
}
