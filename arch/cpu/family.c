/* The family of processors: rates for rooflines; no programs run on them. */
#include "arch/family.h"

static double cores_fp64(const ArchParams *params)
{
    return arch_params_real(params, "core.fp64_flops_per_cycle") *
           arch_params_real(params, "chip.core_count");
}

static double cores_fp32(const ArchParams *params)
{
    return arch_params_real(params, "core.fp32_flops_per_cycle") *
           arch_params_real(params, "chip.core_count");
}

/* clang-format off */
static const ArchRoofRow roofs[] = {
    {{"cores, FP64", ARCH_ROOF_FLOPS, 0, "fp64_flops", "core.fp64_flops_per_cycle of chip.core_count cores"}, arch_roof_of_cycles, cores_fp64},
    {{"cores, FP32", ARCH_ROOF_FLOPS, 0, "fp32_flops", "core.fp32_flops_per_cycle of chip.core_count cores"}, arch_roof_of_cycles, cores_fp32},
    {{"DRAM", ARCH_ROOF_BYTES, 0, "dram_bytes", "dram.channel_count and dram.channel_bytes_per_second"}, arch_roof_of_seconds, arch_roof_dram},
};
/* clang-format on */

const ArchFamily arch_family_cpu = {
    .name = "cpu",
    .keys = &arch_keys_cpu,
    .roofs = roofs,
    .roof_count = G_N_ELEMENTS(roofs),
};
