/* The family of Tensix chips: cores on two opposite torus networks. */
#include "arch/family.h"

#include "arch/chip.h"
#include "arch/tensix.h"
#include "arch/tensix/core.h"
#include "arch/tensix/rates.h"

enum {
    FACE_COLUMNS = 16, /* of a tile, whose rows are twice as long */
    TILE_ROWS = 32,
    NOCS = 2,
    NOC_LINKS = 2,    /* that leave a router of a NoC: one an axis */
    MULTIPLY_ADD = 2, /* FLOP of it */
};

static double fpu(const ArchParams *params)
{
    return arch_params_real(params, "fpu.instruction_rows") * FACE_COLUMNS;
}

static double matrix_products(const ArchParams *params)
{
    const double products = (double) TILE_ROWS * TILE_ROWS * TILE_ROWS;

    return MULTIPLY_ADD * products /
           arch_params_real(params, "fpu.matmul_cycles_per_phase");
}

static double sfpu(const ArchParams *params)
{
    return MULTIPLY_ADD * MAX(arch_params_real(params, "sfpu.lane_count"),
                              arch_params_real(params, "sfpu.fp32_lane_count"));
}

static double l1(const ArchParams *params)
{
    return arch_params_real(params, "unpack.l1_bytes_per_cycle") +
           arch_params_real(params, "pack.l1_bytes_per_cycle");
}

static double copies_16(const ArchParams *params)
{
    const guint bytes = arch_format_tile_bytes(ARCH_FORMAT_BF16);

    return (double) bytes /
           tensix_unpack_cycles(params, "unpack.one_operand_bf16_cycles_per_tile",
                                bytes);
}

static double copies_32(const ArchParams *params)
{
    return (double) arch_format_tile_bytes(ARCH_FORMAT_FP32) /
           tensix_unpack_dst_cycles(params);
}

static double noc_ports(const ArchParams *params)
{
    return NOCS * arch_params_real(params, "noc.link_bytes_per_cycle");
}

static double noc_links(const ArchParams *params)
{
    return NOCS * NOC_LINKS * arch_params_real(params, "noc.link_bytes_per_cycle") *
           arch_params_real(params, "grid.column_count") *
           arch_params_real(params, "grid.row_count");
}

/* clang-format off */
static const ArchRoofRow roofs[] = {
    {{"FPU", ARCH_ROOF_FLOPS, 0, "fpu_flops", "fpu.instruction_rows of 16 numbers a cycle"}, arch_roof_of_cores, fpu},
    {{"FPU, matrix products", ARCH_ROOF_FLOPS, 0, "matmul_flops", "fpu.matmul_cycles_per_phase, one phase a tile"}, arch_roof_of_cores, matrix_products},
    {{"SFPU", ARCH_ROOF_FLOPS, 0, "sfpu_flops", "sfpu.lane_count or fp32_lane_count, a multiply-add a cycle each"}, arch_roof_of_cores, sfpu},
    {{"L1", ARCH_ROOF_BYTES, 0, "sram_bytes", "unpack.l1_bytes_per_cycle and pack.l1_bytes_per_cycle"}, arch_roof_of_cores, l1},
    {{"unpack", ARCH_ROOF_BYTES, 0, "unpacked_bytes", "unpack.l1_bytes_per_cycle"}, arch_roof_of_cores, NULL},
    {{"pack", ARCH_ROOF_BYTES, 0, "packed_bytes", "pack.l1_bytes_per_cycle"}, arch_roof_of_cores, NULL},
    {{"copy into Dst, 16 bit", ARCH_ROOF_BYTES, 0, "copied_16_bytes", "unpack.one_operand_bf16_cycles_per_tile, 2048 bytes a tile, through SrcA"}, arch_roof_of_cores, copies_16},
    {{"copy into Dst, 32 bit", ARCH_ROOF_BYTES, 0, "copied_32_bytes", "unpack.dst_fp32_cycles_per_tile, 4096 bytes a tile"}, arch_roof_of_cores, copies_32},
    {{"NoC into cores", ARCH_ROOF_BYTES, 0, "received_bytes", "noc.link_bytes_per_cycle of both networks"}, arch_roof_of_cores, noc_ports},
    {{"NoC links", ARCH_ROOF_BYTES, 0, "noc_bytes", "noc.link_bytes_per_cycle of all links of the chip"}, arch_roof_of_cycles, noc_links},
    {{"DRAM", ARCH_ROOF_BYTES, 0, "dram_bytes", "dram.channel_count and dram.channel_bytes_per_second"}, arch_roof_of_seconds, arch_roof_dram},
};
/* clang-format on */

static guint region_count(const ArchParams *params, guint thread_count)
{
    (void) params;
    (void) thread_count;
    return 1 + TENSIX_COMPUTE_REGIONS;
}

/* A counter of a circular buffer is seen by the other side so much later. */
static SimTime window_cycles(const ArchParams *params)
{
    return arch_params_uint(params, "circular_buffer.counter_visible_cycles");
}

static gpointer
part_new(SimEngine *engine, const ArchParams *params, ArchDram *dram, GError **error)
{
    return arch_tensix_new(engine, params, dram, error);
}

static void part_free(gpointer part)
{
    arch_tensix_free(part);
}

static ArchFabric *fabric(gconstpointer part)
{
    return arch_tensix_fabric(part);
}

static ArchGrid grid(gconstpointer part)
{
    return (ArchGrid){arch_tensix_columns(part), arch_tensix_rows(part)};
}

static uint64_t progress(gconstpointer part, SimTime now)
{
    return tensix_progress(part, now);
}

const ArchFamily arch_family_tensix = {
    .name = "tensix",
    .keys = &arch_keys_tensix,
    .roofs = roofs,
    .roof_count = G_N_ELEMENTS(roofs),
    .usual_chip = "wormhole_n300",
    .has_wormhole_noc = true,
    .region_count = region_count,
    .window_cycles = window_cycles,
    .part_new = part_new,
    .part_free = part_free,
    .fabric = fabric,
    .grid = grid,
    .progress = progress,
};

ArchTensix *arch_tensix_of(const ArchChip *chip)
{
    return arch_chip_part(chip, &arch_family_tensix);
}
