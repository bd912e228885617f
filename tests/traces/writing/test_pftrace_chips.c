/* Traces of several engines, and of what no engine does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "tests/traces/timeline_text.h"
#include "traces/reading/timeline.h"
#include "traces/writing/pftrace.h"

static const char port_line[] = "eth0.port: chip0 to chip1@110-120/0,bytes=64"
                                " chip0 to chip1@320-330/0,bytes=64";
static const char *const units[] = {"reader", "math"};

typedef struct {
    SimEngine *engine;
    SimLane lane; /* of core[0,0].reader */
    SimTime begin;
} Chip;

/* The same flow number on every chip. */
static void probe(SimRegion *region, gpointer data)
{
    const Chip *chip = data;
    const SimProbeDetail from = {.flow = 77};
    const SimProbeDetail to = {.flow = 77, .is_flow_end = true};

    sim_region_slice(region, chip->lane, "send", chip->begin, chip->begin + 5, &from);
    sim_region_slice(region, chip->lane + 1, "take", chip->begin + 8, chip->begin + 9,
                     &to);
    sim_region_counter(region, chip->lane, "in flight", 3);
}

static Chip make_chip(SimTime begin)
{
    const SimLaneGrid grid = {
        .kind = "core", .columns = 1, .rows = 1, .units = units, .unit_count = 2};
    Chip chip = {.engine = sim_engine_new(sim_engine_config_default()), .begin = begin};

    chip.lane = sim_engine_lanes(chip.engine, &grid);
    return chip;
}

static void run_chip(Chip *chip)
{
    (void) sim_region_at(sim_engine_region(chip->engine, 0), chip->begin, 0, probe,
                         chip);
    assert_true(sim_engine_run(chip->engine, SIM_TIME_NEVER, NULL));
}

static void add_outside(TracePftrace *trace, const char *lane, SimTime begin)
{
    trace_pftrace_add(trace, &(TracePftraceDeed){.place = "eth0",
                                                 .lane = lane,
                                                 .name = "chip0 to chip1",
                                                 .begin = begin,
                                                 .end = begin + 10,
                                                 .bytes = 64});
    trace_pftrace_count(trace,
                        &(TracePftraceDeed){.place = "eth0",
                                            .lane = "all",
                                            .name = "under way",
                                            .unit = "transfers",
                                            .begin = begin,
                                            .end = begin},
                        1);
}

/* The timeline of two chips and a link, as text. */
static char *two_chips(const TracePftraceConfig *config)
{
    g_autofree char *folder = g_dir_make_tmp("gridloom.XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "t.pftrace", NULL);
    g_autoptr(TracePftrace) trace = trace_pftrace_new(path, config, NULL);
    Chip chips[] = {make_chip(100), make_chip(300)};

    trace_pftrace_begin(
        trace, chips[0].engine,
        &(TracePftraceStart){
            .workload = "sample", .chip = "none", .prefix = "chip0.", .clock_hz = 1e9});
    trace_pftrace_join(trace, chips[1].engine, "chip1.");
    run_chip(&chips[0]);
    add_outside(trace, "port", 110);
    add_outside(trace, "host", 115);
    run_chip(&chips[1]);
    add_outside(trace, "port", 320);
    assert_int_equal(trace_pftrace_now(trace), 300);
    assert_true(trace_pftrace_finish(trace, &(TracePftraceEnd){.cycles = 300}, NULL));
    sim_engine_free(chips[0].engine);
    sim_engine_free(chips[1].engine);

    g_autoptr(TraceTimeline) timeline = trace_timeline_read(path, NULL, NULL);

    assert_non_null(timeline);
    (void) g_unlink(path);
    (void) g_rmdir(folder);
    return timeline_text(timeline);
}

static void chips_have_their_names_and_their_own_flows(void **state)
{
    const TracePftraceConfig all = {0};
    g_autofree char *text = two_chips(&all);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    const char *const expected[] = {
        "chip0.core[0,0].reader: send@100-105/0",
        "chip0.core[0,0].math: take@108-109/0",
        "chip1.core[0,0].reader: send@300-305/0",
        "chip1.core[0,0].math: take@308-309/0",
        port_line,
        "eth0.all:",
        "eth0.host: chip0 to chip1@115-125/0,bytes=64",
        "chip0.core[0,0].reader/in flight(transactions,0): 3@100",
        "chip1.core[0,0].reader/in flight(transactions,0): 3@300",
        "eth0.all/under way(transfers,0): 1@110 1@115 1@320",
    };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        if (!g_strv_contains((const char *const *) lines, expected[i])) {
            fail_msg("%s\nis not in\n%s", expected[i], text);
        }
    }
    assert_non_null(g_strstr_len(
        text, -1, "flow 77: chip0.core[0,0].reader.send chip0.core[0,0].math.take\n"));
    assert_null(g_strstr_len(text, -1, "flow 77: chip1."));
    assert_non_null(g_strstr_len(
        text, -1, ": chip1.core[0,0].reader.send chip1.core[0,0].math.take\n"));
}

static void a_window_is_of_all(void **state)
{
    const TracePftraceConfig late = {.from = 290, .to = 400};
    g_autofree char *text = two_chips(&late);

    (void) state;
    assert_null(g_strstr_len(text, -1, "chip0.core"));
    assert_non_null(g_strstr_len(text, -1, "chip1.core[0,0].reader: send@300-305"));
    assert_non_null(g_strstr_len(text, -1, "eth0.port: chip0 to chip1@320-330"));
    assert_null(g_strstr_len(text, -1, "eth0.host"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chips_have_their_names_and_their_own_flows),
        cmocka_unit_test(a_window_is_of_all),
    };

    return cmocka_run_group_tests_name("traces.pftrace_chips", tests, NULL, NULL);
}
