/* Numbers of a GPU's chip file, by unit, type and memory. */
#include "arch/gpu.h"

#include "arch/family.h"

static const char *const unit_names[] = {
    [GPU_CUDA_CORES] = "cuda",
    [GPU_TENSOR_CORES] = "tensor",
    [GPU_SPARSE_TENSOR_CORES] = "sparse",
};

static const char *const unit_titles[] = {
    [GPU_CUDA_CORES] = "CUDA cores",
    [GPU_TENSOR_CORES] = "tensor cores",
    [GPU_SPARSE_TENSOR_CORES] = "sparse tensor cores",
};

static const char *const type_names[] = {
    [GPU_DOUBLE] = "double",
    [GPU_FLOAT] = "float",
    [GPU_HALF] = "half",
};

static const guint type_bytes[] = {
    [GPU_DOUBLE] = 8,
    [GPU_FLOAT] = 4,
    [GPU_HALF] = 2,
};

/* Sparse tensor cores take no FP64. */
static const char *const peak_keys[][G_N_ELEMENTS(type_names)] = {
    [GPU_CUDA_CORES] = {"cuda.fp64_flops_per_second", "cuda.fp32_flops_per_second",
                        "cuda.fp16_flops_per_second"},
    [GPU_TENSOR_CORES] = {"tensor.fp64_flops_per_second",
                          "tensor.tf32_flops_per_second",
                          "tensor.fp16_flops_per_second"},
    [GPU_SPARSE_TENSOR_CORES] = {NULL, "sparse.tf32_flops_per_second",
                                 "sparse.fp16_flops_per_second"},
};

static const char *const bandwidth_keys[] = {
    [GPU_DRAM] = "memory.dram_bytes_per_second",
    [GPU_L2] = "memory.l2_bytes_per_second",
    [GPU_SHARED] = "memory.shared_bytes_per_second",
};

/* A key that a paper prints, and the key that it replaces. */
static const struct {
    const char *published;
    const char *key;
} published_keys[] = {
    {"published.dram_bytes_per_second", "memory.dram_bytes_per_second"},
    {"published.shared_bytes_per_second", "memory.shared_bytes_per_second"},
    {"published.fp32_flops_per_second", "cuda.fp32_flops_per_second"},
};

const char *gpu_unit_name(GpuUnit unit)
{
    return unit_names[unit];
}

const char *gpu_type_name(GpuType type)
{
    return type_names[type];
}

bool gpu_type_find(const char *name, GpuType *type)
{
    for (guint i = GPU_DOUBLE; i <= GPU_HALF; i++) {
        if (g_str_equal(type_names[i], name)) {
            *type = (GpuType) i;
            return true;
        }
    }
    return false;
}

const char *gpu_unit_title(GpuUnit unit)
{
    return unit_titles[unit];
}

const char *gpu_format_name(GpuUnit unit, GpuType type)
{
    switch (type) {
    case GPU_DOUBLE:
        return "FP64";
    case GPU_FLOAT:
        return unit == GPU_CUDA_CORES ? "FP32" : "TF32";
    case GPU_HALF:
        return "FP16";
    }
    g_assert_not_reached();
}

guint gpu_type_bytes(GpuType type)
{
    return type_bytes[type];
}

bool gpu_is(const ArchParams *params)
{
    return arch_family_of(params) == &arch_family_gpu;
}

double gpu_peak(const ArchParams *params, GpuUnit unit, GpuType type)
{
    const char *key = peak_keys[unit][type];

    return key == NULL ? 0 : arch_params_real(params, key);
}

double gpu_bandwidth(const ArchParams *params, GpuMemory memory)
{
    return arch_params_real(params, bandwidth_keys[memory]);
}

double gpu_clock_hz(const ArchParams *params)
{
    return arch_params_real(params, "chip.clock_hz");
}

double gpu_watts(const ArchParams *params)
{
    return arch_params_real(params, "power.board_watts");
}

bool gpu_use_published(ArchParams *params, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(published_keys); i++) {
        const ArchParam *published =
            arch_params_find(params, published_keys[i].published);
        g_autofree char *assignment =
            g_strconcat(published_keys[i].key, "=", published->value, NULL);

        if (arch_params_real(params, published_keys[i].published) > 0 &&
            !arch_params_override(params, assignment, error)) {
            return false;
        }
    }
    return true;
}
