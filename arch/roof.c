/* Roofs from the numbers of chip files. */
#include "arch/roof.h"

#include <math.h>

#define FLOPS "FLOP per second"
#define BYTES "bytes per second"

enum {
    FACE_COLUMNS = 16, /* of a Tensix tile, whose rows are twice as long */
    TILE_ROWS = 32,
    NOCS = 2,
    NOC_LINKS = 2,    /* that leave a router of a NoC: one an axis */
    PE_LINKS = 4,     /* that leave a router of a wafer */
    LINK_WAYS = 2,    /* of a board's link to its host */
    MULTIPLY_ADD = 2, /* FLOP of it */
};

/* What a roof counts by. */
typedef enum {
    OF_CORE,           /* each cycle and core */
    OF_CHIP,           /* each cycle */
    OF_CHIP_SECOND,    /* each second */
    OF_CHANNEL_SECOND, /* each second and channel of a board that PEs have */
} Share;

typedef struct {
    ArchRoof roof;
    Share share;
    double (*amount)(const ArchParams *params); /* NULL: the key that is the source */
} Entry;

static double number(const ArchParams *params, const char *path)
{
    return arch_params_real(params, path);
}

static double fpu(const ArchParams *params)
{
    return number(params, "fpu.instruction_rows") * FACE_COLUMNS;
}

static double matrix_products(const ArchParams *params)
{
    const double products = (double) TILE_ROWS * TILE_ROWS * TILE_ROWS;

    return MULTIPLY_ADD * products / number(params, "fpu.matmul_cycles_per_phase");
}

static double sfpu(const ArchParams *params)
{
    return MULTIPLY_ADD * number(params, "sfpu.lane_count");
}

static double unpackers(const ArchParams *params)
{
    return number(params, "unpack.l1_bytes_per_cycle");
}

static double packers(const ArchParams *params)
{
    return number(params, "pack.l1_bytes_per_cycle");
}

static double l1(const ArchParams *params)
{
    return unpackers(params) + packers(params);
}

static double copies_16(const ArchParams *params)
{
    const double bytes = (double) TILE_ROWS * TILE_ROWS * sizeof(uint16_t);

    return bytes / number(params, "unpack.one_operand_bf16_cycles_per_tile");
}

static double copies_32(const ArchParams *params)
{
    const double bytes = (double) TILE_ROWS * TILE_ROWS * sizeof(uint32_t);

    return bytes / number(params, "unpack.dst_fp32_cycles_per_tile");
}

static double noc_ports(const ArchParams *params)
{
    return NOCS * number(params, "noc.link_bytes_per_cycle");
}

static double noc_links(const ArchParams *params)
{
    return NOCS * NOC_LINKS * number(params, "noc.link_bytes_per_cycle") *
           number(params, "grid.column_count") * number(params, "grid.row_count");
}

static double dram(const ArchParams *params)
{
    return number(params, "dram.channel_count") *
           number(params, "dram.channel_bytes_per_second");
}

/* The fastest operation counts. */
static double f32(const ArchParams *params)
{
    return fmax(MULTIPLY_ADD * number(params, "dsd.f32_fmac_elements_per_cycle"),
                fmax(number(params, "dsd.f32_add_elements_per_cycle"),
                     number(params, "dsd.f32_mul_elements_per_cycle")));
}

static double f16(const ArchParams *params)
{
    return MULTIPLY_ADD * number(params, "dsd.f16_elements_per_cycle");
}

static double mixed(const ArchParams *params)
{
    return MULTIPLY_ADD * number(params, "dsd.mixed_fmac_elements_per_cycle");
}

/* An access is as wide as the widest operand of a cycle. */
static double sram(const ArchParams *params)
{
    const double width =
        fmax(sizeof(uint32_t) * number(params, "dsd.f32_add_elements_per_cycle"),
             sizeof(uint16_t) * number(params, "dsd.f16_elements_per_cycle"));

    return width * (number(params, "memory.reads_per_cycle") +
                    number(params, "memory.writes_per_cycle"));
}

static double ramps(const ArchParams *params)
{
    return number(params, "fabric.wavelet_bytes") /
           number(params, "ramp.transfer_cycles_per_wavelet");
}

static double fabric_links(const ArchParams *params)
{
    return PE_LINKS * number(params, "fabric.wavelet_bytes") /
           number(params, "fabric.link_cycles_per_wavelet");
}

/* Of a cycle: multiply-adds of a format, 0 is FP32, for which all DSPs are enough. */
static double board_dsps(const ArchParams *params, guint format)
{
    gsize count = 0;
    const uint64_t *adds = arch_params_list(params, "operator.add_dsps", &count);
    const uint64_t *muls = arch_params_list(params, "operator.mul_dsps", &count);

    return MULTIPLY_ADD * number(params, "device.dsp_count") /
           (double) (adds[format] + muls[format]);
}

static double board_fp32(const ArchParams *params)
{
    return board_dsps(params, 0);
}

static double board_fp16(const ArchParams *params)
{
    return board_dsps(params, 1);
}

static double board_channel(const ArchParams *params)
{
    return number(params, "memory.channel_bytes_per_second");
}

static double board_link(const ArchParams *params)
{
    return LINK_WAYS * number(params, "link.bytes_per_second");
}

/* HBM has one for each PE, DDR4 one for all. */
static double channels_of(const ArchParams *params, double pes)
{
    const double all = number(params, "dram.channel_count");

    return g_str_equal(arch_params_text(params, "memory.kind"), "hbm2") ? fmin(pes, all)
                                                                        : all;
}

static double cores_fp64(const ArchParams *params)
{
    return number(params, "core.fp64_flops_per_cycle") *
           number(params, "chip.core_count");
}

static double cores_fp32(const ArchParams *params)
{
    return number(params, "core.fp32_flops_per_cycle") *
           number(params, "chip.core_count");
}

/* clang-format off */
static const Entry tensix[] = {
    {{"FPU", FLOPS, 0, "fpu_flops", "fpu.instruction_rows of 16 numbers a cycle"}, OF_CORE, fpu},
    {{"FPU, matrix products", FLOPS, 0, "matmul_flops", "fpu.matmul_cycles_per_phase, one phase a tile"}, OF_CORE, matrix_products},
    {{"SFPU", FLOPS, 0, "sfpu_flops", "sfpu.lane_count, a multiply-add a cycle each"}, OF_CORE, sfpu},
    {{"L1", BYTES, 0, "sram_bytes", "unpack.l1_bytes_per_cycle and pack.l1_bytes_per_cycle"}, OF_CORE, l1},
    {{"unpack", BYTES, 0, "unpacked_bytes", "unpack.l1_bytes_per_cycle"}, OF_CORE, unpackers},
    {{"pack", BYTES, 0, "packed_bytes", "pack.l1_bytes_per_cycle"}, OF_CORE, packers},
    {{"copy into Dst, 16 bit", BYTES, 0, "copied_16_bytes", "unpack.one_operand_bf16_cycles_per_tile, 2048 bytes a tile, through SrcA"}, OF_CORE, copies_16},
    {{"copy into Dst, 32 bit", BYTES, 0, "copied_32_bytes", "unpack.dst_fp32_cycles_per_tile, 4096 bytes a tile"}, OF_CORE, copies_32},
    {{"NoC into cores", BYTES, 0, "received_bytes", "noc.link_bytes_per_cycle of both networks"}, OF_CORE, noc_ports},
    {{"NoC links", BYTES, 0, "noc_bytes", "noc.link_bytes_per_cycle of all links of the chip"}, OF_CHIP, noc_links},
    {{"DRAM", BYTES, 0, "dram_bytes", "dram.channel_count and dram.channel_bytes_per_second"}, OF_CHIP_SECOND, dram},
};

static const Entry wse[] = {
    {{"f32 arithmetic", FLOPS, 0, "f32_flops", "dsd.f32_fmac_elements_per_cycle or f32_add_elements_per_cycle"}, OF_CORE, f32},
    {{"f16 arithmetic", FLOPS, 0, "f16_flops", "dsd.f16_elements_per_cycle, multiply-adds"}, OF_CORE, f16},
    {{"mixed arithmetic", FLOPS, 0, "mixed_flops", "dsd.mixed_fmac_elements_per_cycle, multiply-adds"}, OF_CORE, mixed},
    {{"SRAM", BYTES, 0, "sram_bytes", "memory.reads_per_cycle and writes_per_cycle, the widest operands of section dsd"}, OF_CORE, sram},
    {{"ramps into PEs", BYTES, 0, "received_bytes", "ramp.transfer_cycles_per_wavelet"}, OF_CORE, ramps},
    {{"fabric links", BYTES, 0, "noc_bytes", "fabric.link_cycles_per_wavelet, four links a PE"}, OF_CORE, fabric_links},
};

static const Entry nero[] = {
    {{"DSPs, FP32", FLOPS, 0, "fp32_flops", "device.dsp_count over operator.add_dsps and mul_dsps, multiply-adds"}, OF_CHIP, board_fp32},
    {{"DSPs, FP16", FLOPS, 0, "fp16_flops", "device.dsp_count over operator.add_dsps and mul_dsps, multiply-adds"}, OF_CHIP, board_fp16},
    {{"DRAM", BYTES, 0, "dram_bytes", "memory.channel_bytes_per_second of each PE's channel, or of the one for all"}, OF_CHANNEL_SECOND, board_channel},
    {{"host link", BYTES, 0, "link_bytes", "link.bytes_per_second, both ways"}, OF_CHIP_SECOND, board_link},
};

static const Entry gpu[] = {
    {{"CUDA cores, FP64", FLOPS, 0, "fp64_flops", "cuda.fp64_flops_per_second"}, OF_CHIP_SECOND, NULL},
    {{"CUDA cores, FP32", FLOPS, 0, "fp32_flops", "cuda.fp32_flops_per_second"}, OF_CHIP_SECOND, NULL},
    {{"tensor cores, FP64", FLOPS, 0, "tensor_fp64_flops", "tensor.fp64_flops_per_second"}, OF_CHIP_SECOND, NULL},
    {{"tensor cores, TF32", FLOPS, 0, "tensor_tf32_flops", "tensor.tf32_flops_per_second"}, OF_CHIP_SECOND, NULL},
    {{"tensor cores, FP16", FLOPS, 0, "tensor_fp16_flops", "tensor.fp16_flops_per_second"}, OF_CHIP_SECOND, NULL},
    {{"sparse tensor cores, TF32", FLOPS, 0, "sparse_tf32_flops", "sparse.tf32_flops_per_second"}, OF_CHIP_SECOND, NULL},
    {{"DRAM", BYTES, 0, "dram_bytes", "memory.dram_bytes_per_second"}, OF_CHIP_SECOND, NULL},
    {{"L2", BYTES, 0, "l2_bytes", "memory.l2_bytes_per_second"}, OF_CHIP_SECOND, NULL},
    {{"L1/shared", BYTES, 0, "sram_bytes", "memory.shared_bytes_per_second"}, OF_CHIP_SECOND, NULL},
};

static const Entry cpu[] = {
    {{"cores, FP64", FLOPS, 0, "fp64_flops", "core.fp64_flops_per_cycle of chip.core_count cores"}, OF_CHIP, cores_fp64},
    {{"cores, FP32", FLOPS, 0, "fp32_flops", "core.fp32_flops_per_cycle of chip.core_count cores"}, OF_CHIP, cores_fp32},
    {{"DRAM", BYTES, 0, "dram_bytes", "dram.channel_count and dram.channel_bytes_per_second"}, OF_CHIP_SECOND, dram},
};
/* clang-format on */

static const struct {
    const char *family;
    const Entry *entries;
    gsize count;
} families[] = {
    {"tensix", tensix, G_N_ELEMENTS(tensix)}, {"wse", wse, G_N_ELEMENTS(wse)},
    {"nero", nero, G_N_ELEMENTS(nero)},       {"gpu", gpu, G_N_ELEMENTS(gpu)},
    {"cpu", cpu, G_N_ELEMENTS(cpu)},
};

static double value_of(const Entry *entry, const ArchParams *params, double cores)
{
    const double amount = entry->amount == NULL ? number(params, entry->roof.source)
                                                : entry->amount(params);
    const double clock_hz = (double) arch_params_uint(params, "chip.clock_hz");

    switch (entry->share) {
    case OF_CORE:
        return amount * cores * clock_hz;
    case OF_CHIP:
        return amount * clock_hz;
    case OF_CHIP_SECOND:
        return amount;
    case OF_CHANNEL_SECOND:
        return amount * channels_of(params, cores);
    }
    return NAN;
}

/* A chip file may say that something takes no time, and a GPU's has 0 for what it does
 * not know. */
static void add_roofs(GArray *roofs,
                      const Entry *entries,
                      gsize count,
                      const ArchParams *params,
                      double cores)
{
    for (gsize i = 0; i < count; i++) {
        ArchRoof roof = entries[i].roof;

        roof.value = value_of(&entries[i], params, cores);
        if (isfinite(roof.value) && roof.value > 0) {
            g_array_append_val(roofs, roof);
        }
    }
}

GArray *arch_roofs(const ArchParams *params, double cores)
{
    GArray *roofs = g_array_new(FALSE, FALSE, sizeof(ArchRoof));

    g_return_val_if_fail(cores > 0, roofs);
    for (gsize i = 0; i < G_N_ELEMENTS(families); i++) {
        if (g_str_equal(arch_params_family(params), families[i].family)) {
            add_roofs(roofs, families[i].entries, families[i].count, params, cores);
        }
    }
    return roofs;
}
