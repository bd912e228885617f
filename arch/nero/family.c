/* The family of near-memory accelerators: FPGA boards, pipelines over windows. */
#include "arch/family.h"

#include <math.h>

#include "arch/chip.h"
#include "arch/nero.h"

enum {
    LINK_WAYS = 2,    /* of a board's link to its host */
    MULTIPLY_ADD = 2, /* FLOP of it */
};

/* Of a cycle: multiply-adds of a format, 0 is FP32, for which all DSPs are enough. */
static double dsps(const ArchParams *params, guint format)
{
    gsize count = 0;
    const uint64_t *adds = arch_params_list(params, "operator.add_dsps", &count);
    const uint64_t *muls = arch_params_list(params, "operator.mul_dsps", &count);

    return MULTIPLY_ADD * arch_params_real(params, "device.dsp_count") /
           (double) (adds[format] + muls[format]);
}

static double fp32(const ArchParams *params)
{
    return dsps(params, 0);
}

static double fp16(const ArchParams *params)
{
    return dsps(params, 1);
}

static double channel(const ArchParams *params)
{
    return arch_params_real(params, "memory.channel_bytes_per_second");
}

static double host_link(const ArchParams *params)
{
    return LINK_WAYS * arch_params_real(params, "link.bytes_per_second");
}

/* A share: each second and channel that PEs have. HBM has one for each PE, DDR4 one for
 * all. */
static double of_channels(const ArchParams *params, double pes, double amount)
{
    const double all = arch_params_real(params, "dram.channel_count");
    const bool is_hbm = g_str_equal(arch_params_text(params, "memory.kind"), "hbm2");

    return amount * (is_hbm ? fmin(pes, all) : all);
}

/* clang-format off */
static const ArchRoofRow roofs[] = {
    {{"DSPs, FP32", ARCH_ROOF_FLOPS, 0, "fp32_flops", "device.dsp_count over operator.add_dsps and mul_dsps, multiply-adds"}, arch_roof_of_cycles, fp32},
    {{"DSPs, FP16", ARCH_ROOF_FLOPS, 0, "fp16_flops", "device.dsp_count over operator.add_dsps and mul_dsps, multiply-adds"}, arch_roof_of_cycles, fp16},
    {{"DRAM", ARCH_ROOF_BYTES, 0, "dram_bytes", "memory.channel_bytes_per_second of each PE's channel, or of the one for all"}, of_channels, channel},
    {{"host link", ARCH_ROOF_BYTES, 0, "link_bytes", "link.bytes_per_second, both ways"}, arch_roof_of_seconds, host_link},
};
/* clang-format on */

static gpointer
part_new(SimEngine *engine, const ArchParams *params, ArchDram *dram, GError **error)
{
    (void) error;
    return arch_nero_new(engine, params, dram);
}

static void part_free(gpointer part)
{
    arch_nero_free(part);
}

const ArchFamily arch_family_nero = {
    .name = "nero",
    .keys = &arch_keys_nero,
    .roofs = roofs,
    .roof_count = G_N_ELEMENTS(roofs),
    .usual_chip = "nero_ad9h7",
    .part_new = part_new,
    .part_free = part_free,
};

ArchNero *arch_nero_of(const ArchChip *chip)
{
    return arch_chip_part(chip, &arch_family_nero);
}
