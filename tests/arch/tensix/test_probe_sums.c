/* What is seen of random programs adds up to what cores and links report, for any
 * number of threads. */
#include "arch/tensix/circular_buffer.h"
#include "arch/tensix_compute.h"
#include "tests/arch/probe_log.h"
#include "tests/arch/tensix/rig.h"

enum {
    CORES = 6,
    TILES = 7,
#ifdef GRIDLOOM_SANITIZE /* each goes all ways, and none is about how many */
    SEEDS = 3,
#else
    SEEDS = 8,
#endif
    IN = 0,
    OUT = 2,
};

static const guint places[CORES][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 3}, {5, 4}, {7, 6}};

static const char *const lanes[] = {"reader",   "writer", "unpack", "math",  "pack",
                                    "unpacker", "fpu",    "sfpu",   "packer"};
static const char *const reasons[] = {
    "circular_buffer", "noc",  "dst",   "src",         "semaphore",
    "bank_conflict",   "unit", "issue", "unattributed"};

typedef struct {
    uint64_t random;
    ArchTensixCore *core;
    guint tile;
} Worker;

typedef struct {
    Rig rig;
    ProbeLog seen;
    Worker workers[CORES];
    uint32_t semaphores[CORES];
    uint32_t scratch[CORES];
} Bench;

static void make(Worker *self, ArchComputeCall call)
{
    g_autoptr(GError) error = NULL;

    if (!arch_compute_call(self->core, &call, &error)) {
        fail_msg("%s", error->message);
    }
}

static void make_plain(Worker *self, ArchComputeOp op)
{
    make(self, (ArchComputeCall){.op = (uint8_t) op});
}

static void make_cb(Worker *self, ArchComputeOp op, guint cb)
{
    make(self, (ArchComputeCall){.op = (uint8_t) op, .cb_a = (uint8_t) cb, .count = 1});
}

static void make_math(Worker *self)
{
    static const ArchComputeOp ops[] = {
        ARCH_COMPUTE_ADD,       ARCH_COMPUTE_MUL,    ARCH_COMPUTE_MATMUL,
        ARCH_COMPUTE_TRANSPOSE, ARCH_COMPUTE_REDUCE, ARCH_COMPUTE_COPY,
    };
    const guint vectors = random_below(&self->random, 3);

    make(self, (ArchComputeCall){
                   .op = (uint8_t) ops[random_below(&self->random, G_N_ELEMENTS(ops))],
                   .cb_a = IN,
                   .cb_b = IN});
    for (guint i = 0; i < vectors; i++) {
        make(self, (ArchComputeCall){.op = ARCH_COMPUTE_SFPU_MAD, .dst_b = 1});
    }
}

static void make_tile(Worker *self)
{
    make_cb(self, ARCH_COMPUTE_CB_WAIT, IN);
    make_cb(self, ARCH_COMPUTE_CB_RESERVE, OUT);
    make_plain(self, ARCH_COMPUTE_ACQUIRE);
    make_math(self);
    make_plain(self, ARCH_COMPUTE_COMMIT);
    make_plain(self, ARCH_COMPUTE_WAIT);
    make(self, (ArchComputeCall){.op = ARCH_COMPUTE_PACK, .cb_a = OUT});
    make_plain(self, ARCH_COMPUTE_RELEASE);
    make_cb(self, ARCH_COMPUTE_CB_PUSH, OUT);
}

/* A tile, with something more around it. */
static ArchComputeStatus more(gpointer data, double value)
{
    Worker *self = data;
    const guint extra = random_below(&self->random, 4);

    (void) value;
    if (self->tile == TILES) {
        return ARCH_COMPUTE_ENDED;
    }
    if (self->tile++ == 0) {
        make_plain(self, ARCH_COMPUTE_START_INIT);
    }
    make(self, (ArchComputeCall){.op = ARCH_COMPUTE_ZONE_BEGIN, .text = "tile"});
    if (extra == 1) {
        make(self, (ArchComputeCall){.op = ARCH_COMPUTE_UNATTRIBUTED, .value = 77});
    }
    if (extra == 2) {
        make(self, (ArchComputeCall){.op = ARCH_COMPUTE_RECONFIG, .count = 2});
        make_plain(self, ARCH_COMPUTE_ADD_INIT);
    }
    make_tile(self);
    make(self, (ArchComputeCall){.op = ARCH_COMPUTE_ZONE_END});
    if (extra == 3) {
        make(self, (ArchComputeCall){.op = ARCH_COMPUTE_READ_VALUE, .cb_a = IN});
    }
    make_cb(self, ARCH_COMPUTE_CB_POP, IN);
    return extra == 3 ? ARCH_COMPUTE_WAITS : ARCH_COMPUTE_GOES_ON;
}

static void add_buffer(Bench *self, guint core, guint index, ArchFormat format)
{
    ArchCircularBufferConfig config = {
        .index = index,
        .page_count = 1 + random_below(&self->workers[core].random, 3),
        .page_bytes = arch_format_tile_bytes(format),
        .format = format};

    assert_true(
        arch_tensix_add_circular_buffer(self->workers[core].core, &config, NULL));
}

static void start_compute(Bench *self, guint core, ArchFormat format)
{
    Worker *worker = &self->workers[core];
    const ArchComputeKernel kernel = {
        .name = "compute",
        .is_dst_fp32 = format == ARCH_FORMAT_FP32,
        .fidelity = 1 + random_below(&worker->random, 4),
        .more = more,
        .data = worker,
    };

    arch_compute_start(worker->core, &kernel, random_below(&worker->random, 50));
}

static void fill_reader(Bench *self, guint core, Kernel *kernel)
{
    uint64_t *random = &self->workers[core].random;

    call_semaphore(kernel, self->semaphores[core], 1, true);
    for (guint i = 0; i < TILES; i++) {
        const guint *from = places[random_below(random, CORES)];
        const guint bytes = 64 * (1 + random_below(random, 200));

        call_cb(kernel, ARCH_MOVER_CB_RESERVE, IN, 1);
        call_zone(kernel, "read");
        call_transfer(kernel,
                      random_below(random, 2) == 0
                          ? to_dram(ARCH_MOVER_READ, random_below(random, 12), 0,
                                    self->scratch[core], bytes)
                          : to_core(ARCH_MOVER_READ, from[0], from[1],
                                    self->scratch[core], self->scratch[core], bytes));
        call_barrier(kernel, ARCH_BARRIER_READ);
        call_zone(kernel, NULL);
        call_cb(kernel, ARCH_MOVER_CB_PUSH, IN, 1);
    }
}

static ArchMoverTransfer random_write(Bench *self, guint core)
{
    uint64_t *random = &self->workers[core].random;
    const guint target = random_below(random, CORES);
    const guint *to = places[target];
    const uint32_t there = self->scratch[target];
    const uint32_t here = self->scratch[core];
    const guint bytes = 64 * (1 + random_below(random, 200));
    ArchMoverTransfer what =
        to_core(ARCH_MOVER_WRITE, to[0], to[1], there, here, bytes);

    switch (random_below(random, 5)) {
    case 0:
        return to_dram(ARCH_MOVER_WRITE, random_below(random, 12), 0, here, bytes);
    case 1:
        what.op = ARCH_MOVER_WRITE_POSTED;
        break;
    case 2:
        what.op = ARCH_MOVER_MULTICAST;
        what.remote.x = 3;
        what.remote.y = 1;
        what.corner_x = 4 + random_below(random, 3);
        what.corner_y = 1 + random_below(random, 3);
        what.bytes = 64;
        what.remote.offset = self->scratch[0];
        break;
    case 3:
        what.op = ARCH_MOVER_INCREMENT;
        what.remote.offset = self->semaphores[target];
        what.value = 1;
        break;
    default:
        break;
    }
    return what;
}

static void fill_writer(Bench *self, guint core, Kernel *kernel)
{
    const guint next = (core + 1) % CORES;
    ArchMoverTransfer go = to_core(ARCH_MOVER_INCREMENT, places[next][0],
                                   places[next][1], self->semaphores[next], 0, 4);

    go.value = 1;
    call_transfer(kernel, go);
    for (guint i = 0; i < TILES; i++) {
        call_cb(kernel, ARCH_MOVER_CB_WAIT, OUT, 1);
        call_transfer(kernel, random_write(self, core));
        call_load(kernel, self->scratch[core]);
        call_store(kernel, self->scratch[core], i, 20);
        call_barrier(kernel, random_below(&self->workers[core].random, 2) == 0
                                 ? ARCH_BARRIER_WRITE
                                 : ARCH_BARRIER_FLUSH);
        call_cb(kernel, ARCH_MOVER_CB_POP, OUT, 1);
        call_spend(kernel, random_below(&self->workers[core].random, 300));
    }
}

static void open_bench(Bench *self, uint64_t seed, guint threads)
{
    *self = (Bench){0};
    rig_open(&self->rig, threads);
    probe_log_open(&self->seen, self->rig.engine);
    for (guint i = 0; i < CORES; i++) {
        const guint x = places[i][0];
        const guint y = places[i][1];

        self->workers[i] =
            (Worker){.random = seed * CORES + i, .core = rig_core(&self->rig, x, y)};
        self->semaphores[i] = rig_semaphore(&self->rig, x, y, 0);
        self->scratch[i] = rig_memory(&self->rig, x, y, 16384);
    }
    for (guint i = 0; i < CORES; i++) {
        const guint x = places[i][0];
        const guint y = places[i][1];
        const ArchFormat format = random_below(&self->workers[i].random, 2) == 0
                                      ? ARCH_FORMAT_BF16
                                      : ARCH_FORMAT_FP32;

        add_buffer(self, i, IN, format);
        add_buffer(self, i, OUT, format);
        start_compute(self, i, format);
        fill_reader(self, i, rig_kernel(&self->rig, x, y, ARCH_MOVER_NCRISC, 0, 0));
        fill_writer(self, i, rig_kernel(&self->rig, x, y, ARCH_MOVER_BRISC, 1, 0));
    }
    rig_run(&self->rig);
}

static void close_bench(Bench *self)
{
    probe_log_close(&self->seen);
    rig_close(&self->rig);
}

static Bench benches[SEEDS];

static int open_benches(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < SEEDS; i++) {
        open_bench(&benches[i], i, 1);
    }
    return 0;
}

static int close_benches(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < SEEDS; i++) {
        close_bench(&benches[i]);
    }
    return 0;
}

static void assert_sums(const Bench *self, guint core)
{
    const guint x = places[core][0];
    const guint y = places[core][1];

    for (gsize i = 0; i < G_N_ELEMENTS(lanes); i++) {
        g_autofree char *lane = g_strdup_printf("core[%u,%u].%s", x, y, lanes[i]);

        assert_int_equal(probe_log_cycles(&self->seen, lane, NULL),
                         rig_use(&self->rig, x, y, lanes[i], "busy"));
        for (gsize j = 0; j < G_N_ELEMENTS(reasons); j++) {
            assert_int_equal(probe_log_cycles(&self->seen, lane, reasons[j]),
                             rig_use(&self->rig, x, y, lanes[i], reasons[j]));
        }
    }
}

static void assert_links(const Bench *self)
{
    const ArchWormholeNoc *noc = arch_tensix_noc(self->rig.tensix);
    uint64_t sum = 0;

    for (guint i = 0; i < 2; i++) {
        g_autoptr(GArray) links = arch_wormhole_noc_links(noc, i);

        for (guint j = 0; j < links->len; j++) {
            const ArchWormholeLink *link = &g_array_index(links, ArchWormholeLink, j);
            g_autofree char *lane = g_strdup_printf("noc%u[%u,%u].%s", i, link->from.x,
                                                    link->from.y, link->direction);

            assert_int_equal(probe_log_cycles(&self->seen, lane, NULL), link->flits);
            sum += link->flits;
        }
    }
    assert_true(sum > 1000);
    assert_int_equal(sum, arch_wormhole_noc_flit_hops(noc));
}

static void what_is_seen_is_what_is_reported(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < SEEDS; i++) {
        for (guint core = 0; core < CORES; core++) {
            assert_sums(&benches[i], core);
        }
        assert_links(&benches[i]);
    }
}

/* Else the sums above would say little. */
static void every_reason_is_met(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(reasons); i++) {
        bool is_met = false;

        for (guint j = 0; j < SEEDS; j++) {
            const GArray *records = benches[j].seen.records;

            for (guint k = 0; k < records->len; k++) {
                const SimProbeRecord *record =
                    &g_array_index(records, SimProbeRecord, k);

                is_met = is_met || (record->kind == SIM_PROBE_STALL &&
                                    g_str_equal(record->name, reasons[i]));
            }
        }
        if (!is_met) {
            fail_msg("no wait for %s", reasons[i]);
        }
    }
}

static void assert_order(const Bench *self)
{
    const guint count = sim_engine_lane_count(self->rig.engine);
    g_autofree SimTime *ends = g_new0(SimTime, count);

    for (guint i = 0; i < self->seen.records->len; i++) {
        const SimProbeRecord *record =
            &g_array_index(self->seen.records, SimProbeRecord, i);

        if (record->kind == SIM_PROBE_SLICE || record->kind == SIM_PROBE_STALL) {
            assert_true(record->begin >= ends[record->lane]);
            assert_true(record->end > record->begin);
            ends[record->lane] = record->end;
        } else {
            assert_true(record->begin >= record->now);
        }
    }
}

static void lanes_are_seen_in_the_order_of_time(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < SEEDS; i++) {
        assert_order(&benches[i]);
    }
}

static gint by_time(gconstpointer a, gconstpointer b)
{
    const SimProbeRecord *first = a;
    const SimProbeRecord *second = b;

    return (first->begin > second->begin) - (first->begin < second->begin);
}

/* Level of a counter: never below 0 nor above `most`, 0 in the end. */
static void
assert_level(const Bench *self, guint core, guint unit, guint cb, guint most)
{
    static const char *const units[] = {"noc0", "noc1", "buffers"};
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(SimProbeRecord));
    g_autofree char *lane = g_strdup_printf("core[%u,%u].%s", places[core][0],
                                            places[core][1], units[unit]);
    const guint number = GPOINTER_TO_UINT(g_hash_table_lookup(self->seen.lanes, lane));
    const char *name = unit < 2 ? "in flight" : tensix_cb_name(cb);
    int64_t level = 0;

    for (guint i = 0; i < self->seen.records->len; i++) {
        const SimProbeRecord *record =
            &g_array_index(self->seen.records, SimProbeRecord, i);

        if (record->kind == SIM_PROBE_CHANGE && record->lane == number &&
            g_str_equal(record->name, name)) {
            g_array_append_vals(changes, record, 1);
        }
    }
    g_array_sort(changes, by_time);
    assert_true(changes->len >= 2);
    for (guint i = 0; i < changes->len; i++) {
        const SimProbeRecord *change = &g_array_index(changes, SimProbeRecord, i);

        level += change->value;
        assert_true(level >= 0 && level <= most);
    }
    assert_int_equal(level, 0);
}

static void levels_stay_within_what_there_is(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < SEEDS * CORES; i++) {
        const Bench *bench = &benches[i / CORES];
        const guint core = i % CORES;
        const CircularBuffer *buffers = bench->workers[core].core->buffers;

        assert_level(bench, core, 2, IN, buffers[IN].page_count);
        assert_level(bench, core, 2, OUT, buffers[OUT].page_count);
        assert_level(bench, core, 0, 0, G_MAXUINT);
        assert_level(bench, core, 1, 0, G_MAXUINT);
    }
}

static void assert_flows(const Bench *self)
{
    g_autoptr(GHashTable) open = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_autoptr(GHashTable) over = g_hash_table_new(g_int64_hash, g_int64_equal);

    for (guint i = 0; i < self->seen.records->len; i++) {
        SimProbeRecord *record = &g_array_index(self->seen.records, SimProbeRecord, i);
        uint64_t *flow = &record->detail.flow;
        const SimProbeRecord *begin = g_hash_table_lookup(open, flow);

        if (*flow == 0) {
            continue;
        }
        assert_false(g_hash_table_contains(over, flow));
        assert_true((begin != NULL) == record->detail.is_flow_end);
        if (begin == NULL) {
            assert_int_equal(record->kind, SIM_PROBE_SLICE);
            g_hash_table_insert(open, flow, record);
        } else {
            assert_int_equal(record->kind, SIM_PROBE_MARK);
            assert_int_equal(record->detail.flow_since, MAX(begin->begin, 1));
            assert_true(record->begin > begin->end);
            g_hash_table_remove(open, flow);
            g_hash_table_add(over, flow);
        }
    }
    assert_true(g_hash_table_size(over) >= CORES * TILES * 2);
    assert_int_equal(g_hash_table_size(open), 0);
}

static void flows_lead_from_one_call_to_one_arrival(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < SEEDS; i++) {
        assert_flows(&benches[i]);
    }
}

static void threads_make_no_difference(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 3; i++) {
        Bench four;

        open_bench(&four, i, 4);
        g_autofree char *text = probe_log_text(&benches[i].seen);
        g_autofree char *other = probe_log_text(&four.seen);

        assert_string_equal(text, other);
        close_bench(&four);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_seen_is_what_is_reported),
        cmocka_unit_test(every_reason_is_met),
        cmocka_unit_test(lanes_are_seen_in_the_order_of_time),
        cmocka_unit_test(levels_stay_within_what_there_is),
        cmocka_unit_test(flows_lead_from_one_call_to_one_arrival),
        cmocka_unit_test(threads_make_no_difference),
    };

    return cmocka_run_group_tests_name("arch.tensix_probe_sums", tests, open_benches,
                                       close_benches);
}
