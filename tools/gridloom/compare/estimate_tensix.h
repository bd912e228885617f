/* The least cycles of tile operations on Tensix cores, from the chip file, for
 * estimates. */
#pragma once

#include <stdbool.h>

#include "arch/chipfile/params.h"
#include "tools/gridloom/compare/estimate.h"

/* Cycles. The FPU gets its operands through Src, tile by tile from the unpacker; the
 * SFPU works in Dst. 32-bit numbers go straight into Dst, where unpacker and math
 * thread take turns. */
typedef struct {
    bool is_fp32;
    double fetch_t0; /* of an instruction, for kernels larger than the cache */
    double fetch_t1;

    /* Into Src. */
    double unpack_two; /* tiles into SrcA and SrcB */
    double unpack_one; /* a tile into SrcA */
    double set_up_two; /* programming the unpackers, again for each operation */
    double set_up_one;

    /* Into Dst. */
    double unpack_dst; /* a tile */
    double hand_over;  /* requesting it, and the reply */
    double ask;        /* the part of `hand_over` that needs no tile yet */

    /* In Dst. */
    double add;
    double mul;
    double scale;
    double sum;       /* of a tile, to one number */
    double transpose; /* of 32-bit numbers: 16-bit ones are transposed on the way */

    double tail; /* from the last operand to a page that the next operation can read */
    double pack; /* the packer's part of `tail` */
} EstimateTiles;

EstimateTiles estimate_tiles_of(const ArchParams *chip, bool is_fp32);

/* The keys of the numbers above, for parts. */
#define ESTIMATE_KEYS_SRC                                                              \
    "tensix.mop_sync_cycles tensix.binary_init_t0_cycles tensix.copy_init_t0_cycles "  \
    "unpack.binary_call_cycles unpack.copy_call_cycles unpack.before_cycles "          \
    "riscv.t0_miss_cycles_per_instruction"
#define ESTIMATE_KEYS_UNPACK_BF16                                                      \
    "unpack.two_operand_bf16_cycles_per_tile unpack.one_operand_bf16_cycles_per_tile"
#define ESTIMATE_KEYS_SFPU                                                             \
    "sfpu.lane_count sfpu.fp32_lane_count sfpu.face_extra_slots sfpu.start_end_cycles"

/* Adds the parts of copying `copies` tiles of 32-bit numbers into Dst. */
void estimate_add_copies(Estimate *self, const EstimateTiles *tiles, double copies);

/* Rows, columns and tiles of a core, from rows, cols and tiles or nx, ny and nz. */
typedef struct {
    double rows;
    double cols;
    double tiles;
    bool is_padded; /* tiles have numbers outside the grid */
} EstimateCores;

bool estimate_cores_read(EstimateCores *self, JsonObject *parameters, GError **error);

/* The mean share of its time that a lane of the cores spent for `reason`, from a
 * result's metrics.units. NaN if the result does not say. */
double estimate_lane(JsonObject *result, const char *lane, const char *reason);

/* Cycles of an iteration while programs ran. */
double estimate_device_cycles(const Estimate *self, JsonObject *result);
