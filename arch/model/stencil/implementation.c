/* The programs that the paper measures, and how much of the model's rate they reach:
 * Table 3 and Table 4 by what the model says for the same case. */
#include "arch/model/stencil/stencil.h"

static const GpuImplementation implementations[] = {
    {
        .name = "ebisu",
        .unit = GPU_CUDA_CORES,
        .scheme = GPU_SCHEME_NONE,
        .is_fused = true,
        .efficiency = 0.683,
        .source =
            "calibrated, fitted to Gu et al., Table 3: mean of cases 1 and 2, 2D in "
            "double, 0.72 and 0.65; float (case 3) reaches 0.29, 3D 0.20, case 4 is "
            "above the peak",
    },
    {
        .name = "drstencil",
        .unit = GPU_CUDA_CORES,
        .scheme = GPU_SCHEME_NONE,
        .is_fused = true,
        .efficiency = 1,
        .source = "not known: the paper prints no rate of it",
    },
    {
        .name = "cudnn",
        .unit = GPU_CUDA_CORES,
        .scheme = GPU_SCHEME_NONE,
        .is_fused = false,
        .efficiency = 1,
        .source = "not known: the paper prints no rate of it",
    },
    {
        .name = "convstencil",
        .unit = GPU_TENSOR_CORES,
        .scheme = GPU_SCHEME_FLATTEN,
        .is_fused = true,
        .efficiency = 0.637,
        .source = "calibrated, fitted to Gu et al., Table 3, cases 1 and 2, 2D; 3D "
                  "(case 5) reaches 0.58",
    },
    {
        .name = "spider",
        .unit = GPU_SPARSE_TENSOR_CORES,
        .scheme = GPU_SCHEME_DECOMPOSE,
        .is_fused = true,
        .efficiency = 0.592,
        .source = "calibrated, fitted to Gu et al., Table 3, cases 3 and 4, 2D; 3D "
                  "(case 6) reaches 0.34",
    },
    {
        .name = "spider-dense",
        .unit = GPU_TENSOR_CORES,
        .scheme = GPU_SCHEME_DECOMPOSE,
        .is_fused = true,
        .efficiency = 0.288,
        .source = "calibrated, fitted to Gu et al., Table 4, one case",
    },
    {
        .name = "tcstencil",
        .unit = GPU_TENSOR_CORES,
        .scheme = GPU_SCHEME_TILES,
        .is_fused = true,
        .is_half_only = true,
        .efficiency = 1,
        .source = "not known: the paper prints a speedup of it without the stencil; "
                  "tiles of 16 x 16 after Liu et al., ICS 2022, assumed",
    },
    {
        .name = "lorastencil",
        .unit = GPU_TENSOR_CORES,
        .scheme = GPU_SCHEME_RANKS,
        .is_fused = true,
        .efficiency = 1,
        .source = "not known: the paper prints no rate of it; symmetric kernels only, "
                  "products of rank 1 after Zhang et al., SC 2024, assumed",
    },
    {
        .name = "gridloom",
        .unit = GPU_CUDA_CORES,
        .scheme = GPU_SCHEME_NONE,
        .is_fused = true,
        .efficiency = 1,
        .source = "tools/gpu/stencil: its profile has the expected rate",
    },
    {
        .name = "gridloom-tensor",
        .unit = GPU_TENSOR_CORES,
        .scheme = GPU_SCHEME_BANDS,
        .is_fused = true,
        .efficiency = 1,
        .source = "tools/gpu/stencil: its profile has the expected rate",
    },
};

const GpuImplementation *gpu_implementation_find(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(implementations); i++) {
        if (g_str_equal(implementations[i].name, name)) {
            return &implementations[i];
        }
    }
    return NULL;
}

const GpuImplementation *gpu_implementation_at(guint index)
{
    return index < G_N_ELEMENTS(implementations) ? &implementations[index] : NULL;
}
