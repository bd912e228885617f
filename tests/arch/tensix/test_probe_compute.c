/* What a watcher sees of a compute kernel: calls on its threads and on their units. */
#include "arch/tensix/compute/compute.h"
#include "tests/arch/probe_log.h"
#include "tests/arch/tensix/rig.h"

enum {
    IN = 0,
    OUT = 2,
};

static Rig rig;
static ProbeLog seen;
static bool is_made;

static int open_rig(void **state G_GNUC_UNUSED)
{
    seen = (ProbeLog){0};
    is_made = false;
    rig_open(&rig, 1);
    probe_log_open(&seen, rig.engine);
    return 0;
}

static int close_rig(void **state G_GNUC_UNUSED)
{
    probe_log_close(&seen);
    rig_close(&rig);
    return 0;
}

/* One sum of two tiles. */
static ArchComputeStatus more(gpointer data, double value)
{
    static const ArchComputeCall calls[] = {
        {.op = ARCH_COMPUTE_CB_WAIT, .cb_a = IN, .count = 2},
        {.op = ARCH_COMPUTE_CB_RESERVE, .cb_a = OUT, .count = 1},
        {.op = ARCH_COMPUTE_ACQUIRE},
        {.op = ARCH_COMPUTE_ADD, .cb_a = IN, .cb_b = IN, .tile_b = 1, .dst = 3},
        {.op = ARCH_COMPUTE_SFPU_SCALE, .dst = 3, .scalar = 2},
        {.op = ARCH_COMPUTE_COMMIT},
        {.op = ARCH_COMPUTE_WAIT},
        {.op = ARCH_COMPUTE_PACK, .cb_a = OUT, .dst = 3},
        {.op = ARCH_COMPUTE_RELEASE},
        {.op = ARCH_COMPUTE_CB_POP, .cb_a = IN, .count = 2},
        {.op = ARCH_COMPUTE_CB_PUSH, .cb_a = OUT, .count = 1},
        {.op = ARCH_COMPUTE_UNATTRIBUTED, .value = 33},
    };

    (void) value;
    for (gsize i = 0; !is_made && i < G_N_ELEMENTS(calls); i++) {
        assert_true(arch_compute_call(data, &calls[i], NULL));
    }
    is_made = true;
    return ARCH_COMPUTE_ENDED;
}

static void add_buffer(ArchTensixCore *core, guint index, guint pages)
{
    ArchCircularBufferConfig config = {
        .index = index, .page_count = pages, .page_bytes = 2048};

    assert_true(arch_tensix_add_circular_buffer(core, &config, NULL));
}

static void run_sum(void)
{
    ArchTensixCore *core = rig_core(&rig, 4, 2);
    const ArchComputeKernel kernel = {
        .name = "sum", .fidelity = 1, .more = more, .data = core};

    add_buffer(core, IN, 2);
    add_buffer(core, OUT, 1);
    arch_compute_start(core, &kernel, 10);
    tensix_cb_push(&core->buffers[IN], TENSIX_CB_COMPUTE, 2, 500);
    rig_run(&rig);
}

/* The slices of a lane that have this name, and nothing else of it. */
static char *slices_of(const char *lane, const char *name)
{
    g_autofree char *text = probe_log_lane(&seen, lane);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    GString *found = g_string_new(NULL);

    for (char **line = lines; *line != NULL; line++) {
        if (g_str_has_prefix(*line, name)) {
            g_string_append_printf(found, "%s\n", *line);
        }
    }
    return g_string_free(found, FALSE);
}

/* The only slice of a lane that has this name. */
static const SimProbeRecord *only_slice(const char *lane, const char *name)
{
    const guint number = GPOINTER_TO_UINT(g_hash_table_lookup(seen.lanes, lane));
    const SimProbeRecord *found = NULL;

    for (guint i = 0; i < seen.records->len; i++) {
        const SimProbeRecord *record = &g_array_index(seen.records, SimProbeRecord, i);

        if (record->lane == number && g_str_equal(record->name, name)) {
            assert_null(found);
            found = record;
        }
    }
    assert_non_null(found);
    return found;
}

static void
assert_slice(const char *lane, const char *name, SimTime cycles, const char *rest)
{
    const SimProbeRecord *slice = only_slice(lane, name);
    g_autofree char *text = slices_of(lane, name);

    assert_int_equal(slice->end - slice->begin, cycles);
    assert_true(g_str_has_suffix(text, rest));
}

static void units_are_busy_for_the_call_that_needs_them(void **state G_GNUC_UNUSED)
{
    run_sum();

    const TensixComputeCosts *costs = &rig_core(&rig, 4, 2)->compute->costs;
    const SimTime faces = 4 * costs->fpu_add.part_cycles + costs->fpu_add.after_cycles;

    assert_slice("core[4,2].unpacker", "add_tiles", costs->fpu_add.unpack_cycles[0],
                 " cb=0 cb_b=0 dst=3 sram_bytes+unpacked_bytes=4096\n");
    assert_slice("core[4,2].packer", "pack_tile", costs->pack_cycles[0],
                 " cb=2 dst=3 sram_bytes+packed_bytes=2048\n");
    /* Waits for each face: four parts, the last of them with what comes after it. */
    assert_int_equal(probe_log_cycles(&seen, "core[4,2].fpu", NULL), faces);
    g_autofree char *fpu = slices_of("core[4,2].fpu", "add_tiles ");
    g_autofree char *sfpu = slices_of("core[4,2].sfpu", "mul_unary_tile ");
    assert_true(g_str_has_suffix(fpu, " cb=0 cb_b=0 dst=3 flops+fpu_flops=1024\n"));
    /* The operations of a call are counted once. */
    assert_null(strstr(strstr(fpu, "flops") + sizeof("flops+fpu_flops"), "flops"));
    assert_true(g_str_has_suffix(sfpu, " dst=3 flops+sfpu_flops=1024\n"));
}

static void threads_show_their_calls_and_waits(void **state G_GNUC_UNUSED)
{
    run_sum();

    const TensixComputeCosts *costs = &rig_core(&rig, 4, 2)->compute->costs;
    g_autofree char *unpack = probe_log_lane(&seen, "core[4,2].unpack");
    g_autofree char *first = g_strdup_printf("cb_wait_front 10..%u cb=0 pages=2\n"
                                             "(circular_buffer %u..",
                                             10 + costs->cb_wait, 10 + costs->cb_wait);

    assert_true(g_str_has_prefix(unpack, first));
    assert_non_null(strstr(unpack, "(unattributed "));
    assert_int_equal(probe_log_cycles(&seen, "core[4,2].pack", "unattributed"), 33);
    assert_slice("core[4,2].unpack", "cb_pop_front", costs->cb_pop, " cb=0 pages=2\n");
    assert_slice("core[4,2].pack", "cb_push_back", costs->cb_push, " cb=2 pages=1\n");
}

static void fill_changes_when_the_other_side_sees_it(void **state G_GNUC_UNUSED)
{
    run_sum();

    const TensixCbCounter *popped = &rig_core(&rig, 4, 2)->buffers[IN].popped;
    const TensixCbCounter *pushed = &rig_core(&rig, 4, 2)->buffers[OUT].pushed;
    g_autofree char *expected =
        g_strdup_printf("cb 0 +2 @500\n"
                        "cb 0 -2 @%" G_GUINT64_FORMAT "\n"
                        "cb 2 +1 @%" G_GUINT64_FORMAT "\n",
                        popped->views[TENSIX_CB_COMPUTE].sights[0].when,
                        pushed->views[TENSIX_CB_COMPUTE].sights[0].when);
    g_autofree char *text = probe_log_lane(&seen, "core[4,2].buffers");

    assert_string_equal(text, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define RIG_TEST(f) cmocka_unit_test_setup_teardown(f, open_rig, close_rig)
        RIG_TEST(units_are_busy_for_the_call_that_needs_them),
        RIG_TEST(threads_show_their_calls_and_waits),
        RIG_TEST(fill_changes_when_the_other_side_sees_it),
    };

    return cmocka_run_group_tests_name("arch.tensix_probe_compute", tests, NULL, NULL);
}
