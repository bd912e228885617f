/* What a product with the 7-point Laplacian takes on Tensix cores, by pencil and paper:
 * 20 operations on each tile, of which the next begins when the unit is free. That it
 * also needs what the one before has made, or lines of a neighbour, is left out. */
#include <math.h>

#include "tools/gridloom/compare/estimate_tensix.h"
#include "traces/file/json_member.h"

enum {
    SHIFTS = 4,
    TURNS = 3,  /* there and, in two directions, back */
    TERMS = 7,  /* products, of which all but one are added */
    LAYERS = 2, /* that are missing, above the first tile and below the last */
    OPERATIONS = SHIFTS + TURNS + TERMS + TERMS - 1,
    FACES = 4,
    FACE_ROWS = 16,
    PHASES = 4, /* of products, hifi4 */
    SIDES = 2,  /* that have a neighbour, along each axis */
    LINES = 64, /* of a tile */
    TILE_NUMBERS = 1024,
    WORD = 4, /* bytes */
};

typedef struct {
    const ArchParams *chip;
    EstimateCores cores;
    EstimateTiles tiles;
    bool has_halo;
    bool is_zero_filled;
    double iterations;
    double products; /* of tiles: by a constant or, where the grid ends, by a mask */
    double masks;
    double sums;
} Product;

static bool
take(Product *product, const ArchParams *chip, JsonObject *parameters, GError **error)
{
    *product = (Product){
        .chip = chip,
        .tiles =
            estimate_tiles_of(chip, estimate_says(parameters, "dtype", "bf16", "fp32")),
        .has_halo = estimate_says(parameters, "halo", "on", "on"),
        .is_zero_filled = estimate_says(parameters, "zero_fill", "on", "on"),
        .iterations = fmax(1, trace_json_number(parameters, "iterations", 1)),
    };
    if (!estimate_cores_read(&product->cores, parameters, error)) {
        return false;
    }
    product->products = TERMS * product->cores.tiles - LAYERS;
    product->sums = (TERMS - 1) * product->cores.tiles - LAYERS;
    product->masks = product->cores.is_padded ? product->cores.tiles : 0;
    return true;
}

/* By the thread that everything has to wait for. */
static void add_start(Estimate *self, const Product *product)
{
    const double kernel =
        estimate_key(product->chip, "tensix.kernel_init_cycles") *
        (product->tiles.is_fp32 ? product->tiles.fetch_t1 : product->tiles.fetch_t0);

    estimate_add(self, ESTIMATE_SET_UP, "start of kernels",
                 kernel / product->iterations,
                 "tensix.kernel_init_cycles "
                 "riscv.t0_miss_cycles_per_instruction "
                 "riscv.t1_miss_cycles_per_instruction",
                 "the compute kernel sets up its units in %.0f cycles, once in %.0f "
                 "iterations",
                 kernel, product->iterations);
}

/* Bf16: the unpacker brings operands into Src, one operation after the other. */
static void add_through_src(Estimate *self, const Product *product)
{
    const EstimateTiles *tiles = &product->tiles;
    const double two = product->products + product->sums + product->masks;
    const double one = (SHIFTS + TURNS) * product->cores.tiles;
    const double face = FACE_ROWS / estimate_key(product->chip, "fpu.instruction_rows");
    const double multiply = FACES * (face * PHASES + 1) + 1;
    const double add = FACES * (face + 1) + 1;

    estimate_add(self, ESTIMATE_MEMORY, "tiles from L1",
                 two * tiles->unpack_two + one * tiles->unpack_one,
                 ESTIMATE_KEYS_UNPACK_BF16,
                 "%.0f operations on two tiles of %.0f cycles, %.0f on one of %.0f",
                 two, tiles->unpack_two, one, tiles->unpack_one);
    estimate_add(self, ESTIMATE_SET_UP, "unpackers set up",
                 two * tiles->set_up_two + one * tiles->set_up_one, ESTIMATE_KEYS_SRC,
                 "before each operation: %.4g cycles for two operands, %.4g for one",
                 tiles->set_up_two, tiles->set_up_one);
    estimate_add(self, ESTIMATE_COMPUTE, "FPU",
                 (product->products + product->masks) * multiply +
                     (product->sums + one) * add,
                 "fpu.instruction_rows",
                 "products of %d phases in %.0f cycles, sums and copies in %.0f",
                 PHASES, multiply, add);
    estimate_put_beside(self);
}

/* Fp32: unpacker and SFPU take turns in Dst. */
static void add_through_dst(Estimate *self, const Product *product)
{
    const EstimateTiles *tiles = &product->tiles;
    const double copies = (SHIFTS + TURNS) * product->cores.tiles + product->products +
                          2 * product->sums + 2 * product->masks;

    estimate_add_copies(self, tiles, copies);
    estimate_add(self, ESTIMATE_COMPUTE, "SFPU",
                 product->products * tiles->scale + product->sums * tiles->add +
                     product->masks * tiles->mul,
                 ESTIMATE_KEYS_SFPU " sfpu.scale_slots_per_vector "
                                    "sfpu.add_slots_per_vector",
                 "%.0f tiles times a number in %.0f cycles, %.0f sums in %.0f",
                 product->products, tiles->scale, product->sums, tiles->add);
    estimate_add(self, ESTIMATE_COMPUTE, "transposing",
                 TURNS * product->cores.tiles * tiles->transpose,
                 "fpu.transpose_fp32_cycles_per_tile",
                 "%d times a tile, in Dst, %.0f cycles", TURNS, tiles->transpose);
}

static void add_packing(Estimate *self, const Product *product)
{
    const double pages = (SHIFTS + TURNS) * product->cores.tiles + product->products +
                         product->sums + product->masks;
    const double each =
        estimate_key(product->chip, "pack.setup_cycles") + product->tiles.pack;

    estimate_add(self, ESTIMATE_MEMORY, "tiles into L1", pages * each,
                 "pack.setup_cycles pack.bf16_cycles_per_tile "
                 "pack.fp32_cycles_per_tile",
                 "%.0f tiles packed in %.0f cycles each", pages, each);
    estimate_put_beside(self);
}

/* What a mover does for each tile of a core in the middle. */
static void add_halo(Estimate *self, const Product *product)
{
    const ArchParams *chip = product->chip;
    const double along_x = fmin(SIDES, product->cores.cols - 1);
    const double along_y = fmin(SIDES, product->cores.rows - 1);
    const double writes = along_x + FACES * along_y;
    const double around =
        fmax(along_x > 0 ? estimate_key(chip, "grid.column_count") : 0,
             along_y > 0 ? estimate_key(chip, "grid.row_count") : 0);

    if (!product->has_halo || writes < 1) {
        return;
    }
    estimate_add(self, ESTIMATE_COMMUNICATION, "halos",
                 product->cores.tiles *
                     (writes * estimate_key(chip, "issue.write_cycles") +
                      (along_x + along_y) * estimate_key(chip, "issue.atomic_cycles") +
                      around * estimate_key(chip, "noc.hop_cycles")),
                 "issue.write_cycles issue.atomic_cycles noc.hop_cycles "
                 "grid.column_count grid.row_count",
                 "a mover, for each tile: %.0f lines written, acknowledged once around "
                 "the ring of %.0f routers, and %.0f semaphores",
                 writes, around, along_x + along_y);
    estimate_put_beside(self);
}

/* A core in a corner stores 0 beyond its edges. */
static void add_zeros(Estimate *self, const Product *product)
{
    const double line = (double) TILE_NUMBERS / LINES *
                        (product->tiles.is_fp32 ? WORD : WORD / 2) / WORD;
    const double edges = (product->cores.cols > 1 ? 1 : SIDES) +
                         FACES * (product->cores.rows > 1 ? 1 : SIDES);

    if (!product->is_zero_filled) {
        return;
    }
    estimate_add(self, ESTIMATE_COMMUNICATION, "zeros beyond the grid",
                 product->cores.tiles * edges * line *
                     estimate_key(product->chip, "riscv.l1_store_cycles"),
                 "riscv.l1_store_cycles",
                 "a mover in a corner, for each tile: %.0f lines of %.0f words", edges,
                 line);
    estimate_put_beside(self);
}

static bool
estimate(Estimate *self, const ArchParams *chip, JsonObject *parameters, GError **error)
{
    static const char *const leaves_out[] = {
        "that an operation waits for the page that the one before it packs",
        "waiting for lines of neighbours",
        "instructions around circular buffers, and polling them",
        "until the slowest core is done",
        NULL,
    };
    Product product;

    self->leaves_out = leaves_out;
    if (!take(&product, chip, parameters, error)) {
        return false;
    }
    add_start(self, &product);
    if (product.tiles.is_fp32) {
        add_through_dst(self, &product);
    } else {
        add_through_src(self, &product);
    }
    add_packing(self, &product);
    add_halo(self, &product);
    add_zeros(self, &product);
    return true;
}

/* A reason for which a lane stood still, and what that means here. */
typedef struct {
    const char *lane_reason;
    const char *measured;
    const char *difference; /* NULL: with what is left */
    const char *parts[2];   /* of the estimate that take such time */
} Cause;

/* Bf16: all goes through the unpacker. */
static const Cause unpacker[] = {
    {"busy", "unpacker busy", NULL, {NULL}},
    {"issue",
     "unpacker without an instruction",
     "instructions around circular buffers and operations",
     {"unpackers set up", "start of kernels"}},
    {"circular_buffer",
     "unpacker waits for pages",
     "operations wait for the page of the one before, or for halos",
     {NULL}},
    {"src", "unpacker waits for math", "math that does not hide", {NULL}},
    {"idle", "idle", NULL, {NULL}},
};

/* Fp32: what does not go through the SFPU happens while it waits. */
static const Cause sfpu[] = {
    {"busy", "SFPU busy", NULL, {NULL}},
    {"dst", "SFPU waits for Dst", NULL, {NULL}},
    {"issue", "SFPU without an instruction", NULL, {NULL}},
    {"idle", "idle", "until the slowest core is done", {NULL}},
};

static void explain_by(Estimate *self,
                       JsonObject *result,
                       const char *lane,
                       const Cause *causes,
                       gsize count)
{
    for (gsize i = 0; i < count; i++) {
        double cycles =
            self->simulated * estimate_lane(result, lane, causes[i].lane_reason);

        if (!isfinite(cycles)) {
            return;
        }
        estimate_measure(self, causes[i].measured, cycles);
        for (gsize k = 0; k < G_N_ELEMENTS(causes[i].parts); k++) {
            if (causes[i].parts[k] != NULL) {
                cycles -= estimate_sum(self, causes[i].parts[k]);
            }
        }
        if (causes[i].difference != NULL) {
            estimate_differ(self, causes[i].difference, cycles);
        }
    }
}

static void explain(Estimate *self, JsonObject *result)
{
    const bool is_fp32 =
        estimate_says(trace_json_object(result, "parameters"), "dtype", "bf16", "fp32");

    if (is_fp32) {
        explain_by(self, result, "sfpu", sfpu, G_N_ELEMENTS(sfpu));
    } else {
        explain_by(self, result, "unpacker", unpacker, G_N_ELEMENTS(unpacker));
    }
    estimate_differ(self,
                    is_fp32 ? "operations wait for the page of the one before, for "
                              "halos and for instructions"
                            : "until the slowest core is done",
                    estimate_unexplained(self));
}

const EstimateForm estimate_stencil7_form = {
    .workload = "stencil7",
    .family = "tensix",
    .estimate = estimate,
    .explain = explain,
};
