/* The family of toys, as arch/ knows it: keys, roofs, a part that runs. */
#include "arch/family.h"

#include "tests/toy/arch/counter.h"

/* clang-format off */
static const ArchKey keys[] = {
    ARCH_CHOICE("chip", "family", "toy"),
    ARCH_TEXT("chip", "summary"),
    ARCH_UINT("chip", "clock_hz", "hz", 1, 1e11),

    ARCH_UINT("tick", "cycles", "cycles", 1, 1000),
    ARCH_UINT("tick", "flops", "flops", 0, 1000),
    ARCH_UINT("tick", "bytes", "bytes", 0, 1000),

    ARCH_REAL("host", "launch_us", "us", 0, 1e9),
    ARCH_UINT("host", "host_to_device_latency_ns", "ns", 0, 1e9),
    ARCH_UINT("host", "host_to_device_bytes_per_second", "bytes per second", 1, 1e13),
    ARCH_UINT("host", "device_to_host_latency_ns", "ns", 0, 1e9),
    ARCH_UINT("host", "device_to_host_bytes_per_second", "bytes per second", 1, 1e13),
};
/* clang-format on */

static const ArchKeys all_keys = {.items = keys, .count = G_N_ELEMENTS(keys)};

static double flops(const ArchParams *params)
{
    return arch_params_real(params, "tick.flops") /
           arch_params_real(params, "tick.cycles");
}

static double bytes(const ArchParams *params)
{
    return arch_params_real(params, "tick.bytes") /
           arch_params_real(params, "tick.cycles");
}

/* clang-format off */
static const ArchRoofRow roofs[] = {
    {{"adder", ARCH_ROOF_FLOPS, 0, "flops", "tick.flops over tick.cycles"}, arch_roof_of_cycles, flops},
    {{"tape", ARCH_ROOF_BYTES, 0, "sram_bytes", "tick.bytes over tick.cycles"}, arch_roof_of_cycles, bytes},
};
/* clang-format on */

static gpointer
part_new(SimEngine *engine, const ArchParams *params, ArchDram *dram, GError **error)
{
    (void) dram;
    (void) error;
    return toy_counter_new(engine, params);
}

static void part_free(gpointer part)
{
    toy_counter_free(part);
}

const ArchFamily arch_family_toy = {
    .name = "toy",
    .keys = &all_keys,
    .roofs = roofs,
    .roof_count = G_N_ELEMENTS(roofs),
    .usual_chip = "toy1",
    .part_new = part_new,
    .part_free = part_free,
};

ToyCounter *toy_counter_of(const ArchChip *chip)
{
    return arch_chip_part(chip, &arch_family_toy);
}
