/* The family of wafers: processing elements on one mesh with colors. */
#include "arch/family.h"

#include <math.h>

#include "arch/chip.h"
#include "arch/wse.h"
#include "arch/wse/bands.h"

enum {
    LINKS = 4,        /* that leave a router */
    MULTIPLY_ADD = 2, /* FLOP of it */
};

/* The fastest operation counts. */
static double f32(const ArchParams *params)
{
    return fmax(MULTIPLY_ADD *
                    arch_params_real(params, "dsd.f32_fmac_elements_per_cycle"),
                fmax(arch_params_real(params, "dsd.f32_add_elements_per_cycle"),
                     arch_params_real(params, "dsd.f32_mul_elements_per_cycle")));
}

static double f16(const ArchParams *params)
{
    return MULTIPLY_ADD * arch_params_real(params, "dsd.f16_elements_per_cycle");
}

static double mixed(const ArchParams *params)
{
    return MULTIPLY_ADD * arch_params_real(params, "dsd.mixed_fmac_elements_per_cycle");
}

/* An access is as wide as the widest operand of a cycle. */
static double sram(const ArchParams *params)
{
    const double width = fmax(
        sizeof(uint32_t) * arch_params_real(params, "dsd.f32_add_elements_per_cycle"),
        sizeof(uint16_t) * arch_params_real(params, "dsd.f16_elements_per_cycle"));

    return width * (arch_params_real(params, "memory.reads_per_cycle") +
                    arch_params_real(params, "memory.writes_per_cycle"));
}

static double ramps(const ArchParams *params)
{
    return arch_params_real(params, "fabric.wavelet_bytes") /
           arch_params_real(params, "ramp.transfer_cycles_per_wavelet");
}

static double fabric_links(const ArchParams *params)
{
    return LINKS * arch_params_real(params, "fabric.wavelet_bytes") /
           arch_params_real(params, "fabric.link_cycles_per_wavelet");
}

/* clang-format off */
static const ArchRoofRow roofs[] = {
    {{"f32 arithmetic", ARCH_ROOF_FLOPS, 0, "f32_flops", "dsd.f32_fmac_elements_per_cycle or f32_add_elements_per_cycle"}, arch_roof_of_cores, f32},
    {{"f16 arithmetic", ARCH_ROOF_FLOPS, 0, "f16_flops", "dsd.f16_elements_per_cycle, multiply-adds"}, arch_roof_of_cores, f16},
    {{"mixed arithmetic", ARCH_ROOF_FLOPS, 0, "mixed_flops", "dsd.mixed_fmac_elements_per_cycle, multiply-adds"}, arch_roof_of_cores, mixed},
    {{"SRAM", ARCH_ROOF_BYTES, 0, "sram_bytes", "memory.reads_per_cycle and writes_per_cycle, the widest operands of section dsd"}, arch_roof_of_cores, sram},
    {{"ramps into PEs", ARCH_ROOF_BYTES, 0, "received_bytes", "ramp.transfer_cycles_per_wavelet"}, arch_roof_of_cores, ramps},
    {{"fabric links", ARCH_ROOF_BYTES, 0, "noc_bytes", "fabric.link_cycles_per_wavelet, four links a PE"}, arch_roof_of_cores, fabric_links},
};
/* clang-format on */

static guint region_count(const ArchParams *params, guint thread_count)
{
    (void) params;
    return CLAMP(thread_count, 1, WSE_MOST_BANDS);
}

/* The wafer shares out the work of its events itself. */
static SimTime window_cycles(const ArchParams *params)
{
    (void) params;
    return SIM_TIME_NEVER;
}

static gpointer
part_new(SimEngine *engine, const ArchParams *params, ArchDram *dram, GError **error)
{
    (void) dram;
    (void) error;
    return arch_wse_new(engine, params);
}

static void part_free(gpointer part)
{
    arch_wse_free(part);
}

/* An operation ends within so few cycles that one under way need not count. */
static uint64_t progress(gconstpointer part, SimTime now)
{
    (void) now;
    return arch_wse_progress(part);
}

const ArchFamily arch_family_wse = {
    .name = "wse",
    .keys = &arch_keys_wse,
    .roofs = roofs,
    .roof_count = G_N_ELEMENTS(roofs),
    .usual_chip = "wse2",
    .region_count = region_count,
    .window_cycles = window_cycles,
    .part_new = part_new,
    .part_free = part_free,
    .progress = progress,
};

ArchWse *arch_wse_of(const ArchChip *chip)
{
    return arch_chip_part(chip, &arch_family_wse);
}
