/* What a dot product takes on Tensix cores, by pencil and paper: a launch, the core's
 * own tiles, and the longest way of a sum through the tree, in which nothing waits but
 * for what it needs. */
#include <math.h>

#include "tools/gridloom/compare/estimate_tensix.h"
#include "traces/file/json_member.h"

enum {
    SHARED_BYTES = 32, /* of one number on its way, and of the total */
    TILE_NUMBERS = 1024,
    FP32_BYTES = 4,
    BF16_BYTES = 2,
    MICROSECONDS = 1000000, /* in a second */
    HEADER_FLITS = 1,       /* of a packet, beside its data */
    VECTORS = 2,
    OPERATIONS = 2, /* products and sums */
};

#define MULTICAST_KEYS                                                                 \
    "issue.multicast_cycles niu.command_cycles niu.inject_cycles niu.eject_cycles"

typedef struct {
    const ArchParams *chip;
    EstimateCores cores;
    EstimateTiles tiles;
    bool is_fpu;
    bool is_scalar;
    double across; /* messages one after the other along rows, and along columns */
    double down;
    double adds; /* sums one after the other */
} Dot;

static bool read_routing(Dot *dot, const char *routing, GError **error)
{
    const double cols = dot->cores.cols;
    const double rows = dot->cores.rows;

    if (g_str_equal(routing, "naive")) {
        dot->across = cols - 1;
        dot->down = rows - 1;
    } else if (g_str_equal(routing, "center")) {
        dot->across = floor(cols / 2);
        dot->down = floor(rows / 2);
    } else if (g_str_equal(routing, "direct")) {
        dot->across = cols > 1 ? 1 : 0;
        dot->down = cols > 1 || rows < 2 ? 0 : 1;
        dot->adds = cols * rows - 1;
        return true;
    } else {
        return estimate_refuse(
            error,
            "no closed form of routing %s; there is one of naive, center, direct",
            routing);
    }
    dot->adds = dot->across + dot->down;
    return true;
}

static bool
take(Dot *dot, const ArchParams *chip, JsonObject *parameters, GError **error)
{
    const bool is_fp32 = estimate_says(parameters, "dtype", "fp32", "fp32");
    const bool is_auto = estimate_says(parameters, "unit", "auto", "auto");

    *dot = (Dot){
        .chip = chip,
        .tiles = estimate_tiles_of(chip, is_fp32),
        .is_fpu =
            estimate_says(parameters, "unit", "auto", "fpu") || (is_auto && !is_fp32),
        .is_scalar = estimate_says(parameters, "granularity", "scalar", "scalar"),
    };
    return estimate_cores_read(&dot->cores, parameters, error) &&
           read_routing(dot, trace_json_string(parameters, "routing", "naive"), error);
}

/* From the host's call to the first instruction is all in the launch. */
static void add_starts(Estimate *self, const Dot *dot)
{
    const ArchParams *chip = dot->chip;
    const double launch = estimate_key(chip, "host.launch_us");
    const double kernel = estimate_key(chip, "tensix.kernel_init_cycles");
    const double start =
        dot->is_fpu
            ? dot->tiles.fetch_t0 * kernel
            : dot->tiles.fetch_t1 *
                  (kernel + OPERATIONS * estimate_key(chip, "sfpu.init_cycles"));

    estimate_add(self, ESTIMATE_SET_UP, "launch",
                 launch * estimate_key(chip, "chip.clock_hz") / MICROSECONDS,
                 "host.launch_us chip.clock_hz",
                 "the host starts a program in each iteration, %g us", launch);
    estimate_add(self, ESTIMATE_SET_UP, "start of kernels", start,
                 "tensix.kernel_init_cycles sfpu.init_cycles "
                 "riscv.t0_miss_cycles_per_instruction "
                 "riscv.t1_miss_cycles_per_instruction",
                 "the compute kernel sets up its units");
}

/* Bf16 on the FPU: a product and a sum of each tile, both from L1 through Src. */
static void add_local_on_fpu(Estimate *self, const Dot *dot)
{
    const double operations = 2 * dot->cores.tiles - 1;

    estimate_add(self, ESTIMATE_MEMORY, "tiles from L1",
                 operations * dot->tiles.unpack_two, ESTIMATE_KEYS_UNPACK_BF16,
                 "%.0f products and sums of tiles, two operands each in %.0f cycles",
                 operations, dot->tiles.unpack_two);
    estimate_add(self, ESTIMATE_SET_UP, "hand-overs",
                 operations * dot->tiles.set_up_two, ESTIMATE_KEYS_SRC,
                 "before each the unpackers are set up, %.4g cycles",
                 dot->tiles.set_up_two);
}

static void add_local_on_sfpu(Estimate *self, const Dot *dot)
{
    const EstimateTiles *tiles = &dot->tiles;
    const double copies = VECTORS * dot->cores.tiles;

    if (tiles->is_fp32) {
        estimate_add_copies(self, tiles, copies);
    } else {
        estimate_add(self, ESTIMATE_MEMORY, "tiles from L1", copies * tiles->unpack_one,
                     ESTIMATE_KEYS_UNPACK_BF16, "%.0f tiles into Dst, %.0f cycles each",
                     copies, tiles->unpack_one);
        estimate_put_beside(self);
    }
    estimate_add(self, ESTIMATE_COMPUTE, "products and sums",
                 dot->cores.tiles * (tiles->mul + tiles->add),
                 ESTIMATE_KEYS_SFPU
                 " sfpu.add_slots_per_vector sfpu.mul_fp32_slots_per_vector "
                 "sfpu.mul_bf16_slots_per_vector",
                 "%.0f tiles, each multiplied in %.0f cycles and added in %.0f",
                 dot->cores.tiles, tiles->mul, tiles->add);
}

/* So many operands of an operation that begins when they are there; the first may be
 * asked for before. */
static double operands(const Dot *dot, double count)
{
    const EstimateTiles *tiles = &dot->tiles;

    if (dot->is_fpu) {
        return tiles->set_up_two + tiles->unpack_two;
    }
    return tiles->is_fp32 ? count * (tiles->hand_over + tiles->unpack_dst) - tiles->ask
                          : count * (tiles->set_up_one + tiles->unpack_one);
}

static void add_sums(Estimate *self, const Dot *dot)
{
    const ArchParams *chip = dot->chip;
    const EstimateTiles *tiles = &dot->tiles;
    const double one =
        operands(dot, 1) + tiles->tail +
        (dot->is_fpu ? estimate_key(chip, "fpu.reduce_cycles_per_tile") : tiles->sum);
    const double add =
        operands(dot, 2) + tiles->tail +
        (dot->is_fpu ? estimate_key(chip, "fpu.latency_cycles") : tiles->add);

    estimate_add(
        self, ESTIMATE_COMPUTE, "sum of a tile", tiles->tail + one,
        dot->is_fpu ? "fpu.reduce_cycles_per_tile "
                      "pack.bf16_cycles_per_tile"
                    : "sfpu.tile_to_scalar_cycles "
                      "pack.fp32_cycles_per_tile",
        "the partial sum is packed in %.0f cycles and a tile added up in %.0f, "
        "%s",
        tiles->tail, one, dot->is_scalar ? "on each core at once" : "on the root");
    estimate_add(
        self, ESTIMATE_COMPUTE, "sums up the tree", dot->adds * add,
        dot->is_fpu ? ESTIMATE_KEYS_SRC " fpu.latency_cycles pack.bf16_cycles_per_tile"
                    : ESTIMATE_KEYS_SFPU " unpack.dst_fp32_cycles_per_tile "
                                         "sfpu.add_slots_per_vector "
                                         "pack.fp32_cycles_per_tile",
        "%.0f sums one after the other, %.0f cycles each from operands to page",
        dot->adds, add);
}

/* From one core's page to another's: a write, which goes on to be acknowledged and so
 * once around the ring of the torus, and a semaphore after it. */
static double message(const Dot *dot, const char *ring)
{
    const ArchParams *chip = dot->chip;
    const double bytes =
        dot->is_scalar ? SHARED_BYTES
                       : TILE_NUMBERS * (dot->tiles.is_fp32 ? FP32_BYTES : BF16_BYTES);
    const double flit = estimate_key(chip, "noc.flit_bytes");
    const double flits = HEADER_FLITS + ceil(bytes / flit);
    const double ends = estimate_key(chip, "niu.inject_cycles niu.eject_cycles");
    const double hop = estimate_key(chip, "noc.hop_cycles");

    return estimate_key(chip, "issue.write_cycles niu.command_cycles") +
           flits * fmax(flit / estimate_key(chip, "noc.link_bytes_per_cycle"),
                        estimate_key(chip, "niu.l1_read_cycles_per_flit")) +
           2 * ends + estimate_key(chip, ring) * hop +
           estimate_key(chip, "niu.write_ack_cycles issue.atomic_cycles "
                              "niu.command_cycles") +
           ends + hop +
           estimate_key(chip, "circular_buffer.mover_push_back_cycles "
                              "circular_buffer.counter_visible_cycles");
}

static void add_messages(Estimate *self, const Dot *dot)
{
    const ArchParams *chip = dot->chip;
    const double along_row = message(dot, "grid.column_count");
    const double along_column = message(dot, "grid.row_count");
    const double reach = dot->across + dot->down;

    if (dot->cores.rows * dot->cores.cols < 2) {
        return;
    }
    estimate_add(
        self, ESTIMATE_COMMUNICATION, "messages up the tree",
        dot->across * along_row + dot->down * along_column,
        "issue.write_cycles issue.atomic_cycles "
        "niu.command_cycles niu.inject_cycles "
        "niu.eject_cycles niu.write_ack_cycles "
        "niu.l1_read_cycles_per_flit noc.hop_cycles "
        "noc.flit_bytes noc.link_bytes_per_cycle "
        "grid.column_count grid.row_count",
        "%.0f along rows of %.0f cycles and %.0f along columns of %.0f: a write, "
        "its acknowledgement around the ring, a semaphore",
        dot->across, along_row, dot->down, along_column);
    estimate_add(self, ESTIMATE_COMMUNICATION, "total to all cores",
                 estimate_key(chip, MULTICAST_KEYS) +
                     reach * estimate_key(chip, "noc.hop_cycles"),
                 MULTICAST_KEYS " noc.hop_cycles", "a multicast over %.0f hops", reach);
}

static bool
estimate(Estimate *self, const ArchParams *chip, JsonObject *parameters, GError **error)
{
    static const char *const leaves_out[] = {
        "polling of semaphores and circular buffers, and instructions that may hide",
        "sums that come to one core at the same time, added one after the other",
        "cores that are further apart than one hop, and links that messages share",
        NULL,
    };
    Dot dot;

    self->leaves_out = leaves_out;
    if (!take(&dot, chip, parameters, error)) {
        return false;
    }
    add_starts(self, &dot);
    if (dot.is_fpu) {
        add_local_on_fpu(self, &dot);
    } else {
        add_local_on_sfpu(self, &dot);
    }
    add_sums(self, &dot);
    add_messages(self, &dot);
    return true;
}

/* Zones are of threads, which run ahead of their units: they do not tell to the
 * last hundred cycles what is a core's own part. */
static void explain(Estimate *self, JsonObject *result)
{
    const double device = estimate_device_cycles(self, result);
    const double local =
        self->simulated *
        trace_json_number(trace_json_object(result, "zones"), "local", 0) /
        trace_json_number(result, "seconds", 1);
    const double estimated = estimate_sum(self, "tiles from L1") +
                             estimate_sum(self, "hand-overs") +
                             estimate_sum(self, "products and sums");

    estimate_measure(self, "launch", self->simulated - device);
    estimate_measure(self, "products on the cores", local);
    estimate_measure(self, "start, and sums over cores", device - local);
    estimate_differ(self, "launch",
                    self->simulated - device - estimate_sum(self, "launch"));
    estimate_differ(self, "operations on a core's tiles wait for each other",
                    CLAMP(local - estimated, 0, fmax(0, estimate_unexplained(self))));
    estimate_differ(self, "polling, semaphores and second sums on the way up the tree",
                    estimate_unexplained(self));
}

const EstimateForm estimate_dot_form = {
    .workload = "dot",
    .family = "tensix",
    .estimate = estimate,
    .explain = explain,
};
