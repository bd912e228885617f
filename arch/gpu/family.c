/* The family of GPUs: rates for rooflines and models; no programs run on them. */
#include "arch/family.h"

/* clang-format off */
static const ArchRoofRow roofs[] = {
    {{"CUDA cores, FP64", ARCH_ROOF_FLOPS, 0, "fp64_flops", "cuda.fp64_flops_per_second"}, arch_roof_of_seconds, NULL},
    {{"CUDA cores, FP32", ARCH_ROOF_FLOPS, 0, "fp32_flops", "cuda.fp32_flops_per_second"}, arch_roof_of_seconds, NULL},
    {{"tensor cores, FP64", ARCH_ROOF_FLOPS, 0, "tensor_fp64_flops", "tensor.fp64_flops_per_second"}, arch_roof_of_seconds, NULL},
    {{"tensor cores, TF32", ARCH_ROOF_FLOPS, 0, "tensor_tf32_flops", "tensor.tf32_flops_per_second"}, arch_roof_of_seconds, NULL},
    {{"tensor cores, FP16", ARCH_ROOF_FLOPS, 0, "tensor_fp16_flops", "tensor.fp16_flops_per_second"}, arch_roof_of_seconds, NULL},
    {{"sparse tensor cores, TF32", ARCH_ROOF_FLOPS, 0, "sparse_tf32_flops", "sparse.tf32_flops_per_second"}, arch_roof_of_seconds, NULL},
    {{"DRAM", ARCH_ROOF_BYTES, 0, "dram_bytes", "memory.dram_bytes_per_second"}, arch_roof_of_seconds, NULL},
    {{"L2", ARCH_ROOF_BYTES, 0, "l2_bytes", "memory.l2_bytes_per_second"}, arch_roof_of_seconds, NULL},
    {{"L1/shared", ARCH_ROOF_BYTES, 0, "sram_bytes", "memory.shared_bytes_per_second"}, arch_roof_of_seconds, NULL},
};
/* clang-format on */

const ArchFamily arch_family_gpu = {
    .name = "gpu",
    .keys = &arch_keys_gpu,
    .roofs = roofs,
    .roof_count = G_N_ELEMENTS(roofs),
};
