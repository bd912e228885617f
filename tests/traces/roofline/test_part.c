/* Tests of parts of traces: windows, cores, zones and iterations, with sums by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/traces/timeline_fixture.h"
#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/reading/timeline_items.h"
#include "traces/roofline/part.h"
#include "traces/roofline/set.h"
#include "traces/writing/squares.h"

/* Programs of two cores from cycle 100 to 300: the roof of the units is 2 operations a
 * cycle and core, that of L1 4 bytes; all cores share links with 8. */
static const char result_text[] =
    "{\"schema_version\": 1, \"workload\": \"pcg\", \"chip\": \"c\", \"seconds\": 1, "
    "\"iterations\": 2, \"counters\": {\"flops\": 600}, "
    "\"chip_used\": {\"what\": \"cores\", \"used\": 2, \"of\": 9}, "
    "\"metrics\": {\"device_seconds\": 2e-7}, \"roofs\": ["
    "{\"name\": \"FPU\", \"unit\": \"FLOP per second\", \"value\": 4e9, "
    "\"achieved\": 3e9, \"source\": \"\"}, "
    "{\"name\": \"L1\", \"unit\": \"bytes per second\", \"value\": 8e9, "
    "\"achieved\": 2e9, \"source\": \"\"}, "
    "{\"name\": \"NoC links\", \"unit\": \"bytes per second\", \"value\": 8e9, "
    "\"achieved\": 1.6e9, \"source\": \"\"}]}";
static const char work_text[] =
    "{\"programs\": [[100, 300, 2, 200]], \"link_bytes\": 4, \"roofs\": ["
    "{\"name\": \"FPU\", \"counter\": \"fpu_flops\", \"cores\": 2}, "
    "{\"name\": \"L1\", \"counter\": \"sram_bytes\", \"cores\": 2}, "
    "{\"name\": \"NoC links\", \"counter\": \"noc_bytes\"}]}";

static JsonObject *parse(const char *text)
{
    g_autoptr(JsonNode) node = json_from_string(text, NULL);

    return json_node_dup_object(node);
}

/* core[x,0] computes from 100 to 200 in zone spmv and again after 200; it moves bytes
 * in zone dot. */
static void add_core(TraceTimeline *self, int x)
{
    const guint32 place = fixture_place(self, "core", x, 0);
    const guint32 fpu = fixture_lane(self, place, "fpu");

    fixture_slice(self, fpu, "add", 100, 200);
    fixture_argument(self, "flops+fpu_flops", 200);
    fixture_argument(self, "dst", 7);
    fixture_slice(self, fpu, "add", 240, 260);
    fixture_argument(self, "flops+fpu_flops", 100);
    const guint32 packer = fixture_lane(self, place, "packer");

    fixture_slice(self, packer, "pack", 160, 180);
    fixture_argument(self, "sram_bytes", 150);
    const guint32 noc = fixture_lane(self, place, "noc0");

    fixture_mark(self, noc, "arrive", 300);
    fixture_mark_argument(self, "sram_bytes", 50);
    const guint32 zones = fixture_lane(self, place, "zones_math");

    fixture_slice(self, zones, "spmv", 100, 150);
    fixture_slice(self, zones, "dot", 150, 200);
    fixture_slice(self, zones, "spmv", 200, 280);
}

static TraceRun *run_new(void)
{
    TraceRun *run = g_new0(TraceRun, 1);
    TraceTimeline *timeline = fixture_new();

    add_core(timeline, 0);
    add_core(timeline, 1);
    const guint32 link =
        fixture_lane(timeline, fixture_place(timeline, "noc0", 0, 0), "east");

    /* The last interval ends after the programs do. */
    fixture_counter(timeline, link, "busy", "cycles per 200", 200);
    fixture_sample(timeline, 0, 40);
    fixture_sample(timeline, 200, 40);
    timeline->start = json_object_new();
    timeline->result = parse(result_text);
    timeline->work = parse(work_text);
    run->name = g_strdup("t.pftrace");
    run->result = json_object_ref(timeline->result);
    run->is_whole = true;
    run->timeline = timeline;
    return run;
}

static JsonObject *result_at(GPtrArray *runs, guint index)
{
    return ((TraceRun *) g_ptr_array_index(runs, index))->result;
}

static double counter_of(JsonObject *result, const char *name)
{
    return trace_json_number(trace_json_object(result, "counters"), name, NAN);
}

static double roof_of(JsonObject *result, guint index, const char *member)
{
    return trace_json_number(trace_json_item(trace_json_array(result, "roofs"), index),
                             member, NAN);
}

static GPtrArray *runs_of(TraceRun *run, const TracePartQuery *query)
{
    g_autoptr(GError) error = NULL;
    GPtrArray *runs = trace_part_runs(run, query, &error);

    assert_null(error);
    return runs;
}

static void a_whole_trace_agrees_with_its_result(void **state)
{
    g_autoptr(TraceRun) run = run_new();
    g_autoptr(GPtrArray) runs = runs_of(run, &(TracePartQuery){.to = SIM_TIME_NEVER});

    (void) state;
    assert_int_equal(runs->len, 1);
    JsonObject *result = result_at(runs, 0);

    assert_float_equal(counter_of(result, "flops"), 600, 1e-9);
    assert_float_equal(counter_of(result, "sram_bytes"), 400, 1e-9);
    /* Use by time happened while programs ran, also in intervals that are longer. */
    assert_float_equal(counter_of(result, "noc_bytes"), 320, 1e-9);
    assert_float_equal(roof_of(result, 1, "value"), 8e9, 1);
    assert_null(trace_part_difference(run, g_ptr_array_index(runs, 0)));
    /* The line where they do not. */
    json_object_set_double_member(
        trace_json_item(trace_json_array(run->result, "roofs"), 1), "achieved", 2.1e9);
    g_autofree char *difference =
        trace_part_difference(run, g_ptr_array_index(runs, 0));

    assert_string_equal(difference, "t.pftrace: by its slices L1 was used at 2e+09 a "
                                    "second, by its result at 2.1e+09");
}

static void windows_divide_slices_by_time(void **state)
{
    double flops = 0;
    double bytes = 0;
    double links = 0;
    static const SimTime bounds[] = {100, 170, 171, 250, 300};

    (void) state;
    for (guint i = 0; i + 1 < G_N_ELEMENTS(bounds); i++) {
        g_autoptr(TraceRun) run = run_new();
        g_autoptr(GPtrArray) runs =
            runs_of(run, &(TracePartQuery){.from = bounds[i], .to = bounds[i + 1]});
        JsonObject *result = result_at(runs, 0);

        flops += counter_of(result, "flops");
        bytes += counter_of(result, "sram_bytes");
        links += counter_of(result, "noc_bytes");
        if (i == 0) {
            /* 70 % of the first slices, half of the bytes that are packed; 70 cycles.
             */
            assert_float_equal(counter_of(result, "flops"), 280, 1e-9);
            assert_float_equal(counter_of(result, "sram_bytes"), 150, 1e-9);
            assert_float_equal(roof_of(result, 0, "achieved"), 4e9, 1);
            assert_float_equal(
                trace_json_number(trace_json_object(result, "busy"), "fpu", 0), 1, 0);
        }
    }
    assert_float_equal(flops, 600, 1e-9);
    assert_float_equal(bytes, 400, 1e-9);
    assert_float_equal(links, 320, 1e-9);
}

static void some_cores_have_their_own_roofs(void **state)
{
    g_autoptr(TraceRun) run = run_new();
    g_autoptr(GArray) cores = trace_squares_read("1,0");
    g_autoptr(GPtrArray) runs = runs_of(
        run, &(TracePartQuery){
                 .to = SIM_TIME_NEVER, .has_core = trace_squares_have, .data = cores});
    JsonObject *result = result_at(runs, 0);
    g_autofree char *suffix = trace_part_suffix(result);

    (void) state;
    assert_float_equal(counter_of(result, "flops"), 300, 1e-9);
    assert_float_equal(roof_of(result, 0, "value"), 2e9, 1);
    assert_float_equal(roof_of(result, 1, "value"), 4e9, 1);
    /* All cores share links: what one moved over them is not known. */
    assert_float_equal(roof_of(result, 2, "value"), 8e9, 1);
    assert_true(isnan(roof_of(result, 2, "achieved")));
    assert_string_equal(suffix, "");
    assert_float_equal(
        trace_json_number(trace_json_object(result, "chip_used"), "used", 0), 1, 0);
}

static void zones_add_up(void **state)
{
    g_autoptr(TraceRun) run = run_new();
    g_autoptr(GPtrArray) runs =
        runs_of(run, &(TracePartQuery){.to = SIM_TIME_NEVER, .by = TRACE_PART_ZONE});

    (void) state;
    /* The whole, dot, spmv; nothing is computed outside of them. */
    assert_int_equal(runs->len, 3);
    JsonObject *dot = result_at(runs, 1);
    JsonObject *spmv = result_at(runs, 2);
    g_autofree char *suffix = trace_part_suffix(dot);

    assert_string_equal(suffix, ", zone dot");
    assert_float_equal(counter_of(dot, "flops"), 200, 1e-9);
    assert_float_equal(counter_of(dot, "sram_bytes"), 300, 1e-9);
    assert_float_equal(trace_json_number(dot, "seconds", 0), 50e-9, 1e-15);
    assert_float_equal(counter_of(spmv, "flops"), 400, 1e-9);
    assert_float_equal(trace_json_number(spmv, "seconds", 0), 130e-9, 1e-15);
    assert_true(isnan(counter_of(spmv, "noc_bytes")));
}

/* A zone that one of the cores opens is that core's: its time, under its roofs. */
static void a_zone_of_one_core_has_one_core(void **state)
{
    g_autoptr(TraceRun) run = run_new();
    TraceTimeline *timeline = run->timeline;
    const TraceLane *zones = trace_lane_at(timeline, 3);

    (void) state;
    assert_string_equal(zones->unit, "zones_math");
    g_array_index(timeline->slices, TraceSlice, zones->first_slice + 2).name = "coarse";
    g_autoptr(GPtrArray) runs =
        runs_of(run, &(TracePartQuery){.to = SIM_TIME_NEVER, .by = TRACE_PART_ZONE});

    /* The whole, coarse, dot, spmv. */
    assert_int_equal(runs->len, 4);
    JsonObject *coarse = result_at(runs, 1);
    JsonObject *spmv = result_at(runs, 3);

    assert_float_equal(counter_of(coarse, "flops"), 100, 1e-9);
    assert_float_equal(trace_json_number(coarse, "seconds", 0), 80e-9, 1e-15);
    assert_float_equal(trace_json_number(trace_json_object(coarse, "part"), "cores", 0),
                       1, 0);
    assert_float_equal(roof_of(coarse, 0, "value"), 2e9, 1);
    assert_float_equal(roof_of(coarse, 0, "achieved"), 1.25e9, 1);
    /* Two cores for 50 cycles, one of them for 80 more. */
    assert_float_equal(trace_json_number(spmv, "seconds", 0), 90e-9, 1e-15);
    /* Outside nothing is computed: 20 cycles of 200. */
    JsonArray *idle =
        trace_json_array(trace_json_object(result_at(runs, 0), "part"), "idle_zones");

    assert_int_equal(trace_json_count(idle), 1);
    assert_string_equal(trace_json_string(trace_json_item(idle, 0), "zone", ""),
                        "none");
    assert_float_equal(trace_json_number(trace_json_item(idle, 0), "time", 0), 0.1,
                       1e-12);
    assert_float_equal(trace_json_number(trace_json_object(spmv, "part"), "cores", 0),
                       2, 0);
}

static void iterations_make_a_path(void **state)
{
    g_autoptr(TraceRun) run = run_new();
    g_autoptr(GPtrArray) runs = runs_of(
        run, &(TracePartQuery){.to = SIM_TIME_NEVER, .by = TRACE_PART_ITERATION});
    JsonArray *path = trace_json_array(result_at(runs, 0), "path");

    (void) state;
    /* spmv is opened twice, as the run has two iterations; the second has no end. */
    assert_int_equal(trace_json_count(path), 1);
    assert_float_equal(trace_json_number(trace_json_item(path, 0), "to", 0), 200, 0);
    assert_float_equal(trace_json_number(trace_json_item(path, 0), "rate", 0), 4e9, 1);
    assert_float_equal(
        trace_json_number(trace_json_object(trace_json_item(path, 0), "achieved"), "L1",
                          0),
        3e9, 1);
}

/* A zone that is opened once more than there are iterations bounds all of them. */
static void a_zone_after_the_last_iteration_ends_it(void **state)
{
    g_autoptr(TraceRun) run = run_new();

    (void) state;
    json_object_set_int_member(run->timeline->result, "iterations", 1);
    g_autoptr(GPtrArray) runs = runs_of(
        run, &(TracePartQuery){.to = SIM_TIME_NEVER, .by = TRACE_PART_ITERATION});
    JsonArray *path = trace_json_array(result_at(runs, 0), "path");

    assert_int_equal(trace_json_count(path), 1);
    assert_float_equal(trace_json_number(trace_json_item(path, 0), "from", 0), 100, 0);
    assert_float_equal(trace_json_number(trace_json_item(path, 0), "to", 0), 200, 0);
}

static void
refuses(TraceRun *run, const TracePartQuery *query, int code, const char *text)
{
    g_autoptr(TraceRun) taken = run;
    g_autoptr(GError) error = NULL;

    assert_null(trace_part_runs(run, query, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, code));
    assert_string_equal(error->message, text);
    assert_non_null(run->timeline);
}

static void what_is_not_there_is_refused(void **state)
{
    const TracePartQuery all = {.to = SIM_TIME_NEVER};
    g_autoptr(GArray) nowhere = trace_squares_read("5,5");
    TraceRun *run = run_new();

    (void) state;
    refuses(run_new(), &(TracePartQuery){.from = 300, .to = 400}, TRACE_ERROR_READ,
            "t.pftrace: what it holds of programs lasts from cycle 100 to 300");
    refuses(run_new(), &(TracePartQuery){.from = 270, .to = 290}, TRACE_ERROR_READ,
            "t.pftrace: nothing was computed from cycle 270 to 290");
    refuses(run_new(),
            &(TracePartQuery){
                .to = SIM_TIME_NEVER, .has_core = trace_squares_have, .data = nowhere},
            TRACE_ERROR_READ, "t.pftrace: none of these cores did anything in it");
    refuses(
        run_new(),
        &(TracePartQuery){.from = 110, .to = 190, .by = TRACE_PART_ITERATION},
        TRACE_ERROR_READ,
        "t.pftrace: no iteration lies in this part of it from its begin to its end");
    g_clear_pointer(&run->timeline->work, json_object_unref);
    refuses(run, &all, TRACE_ERROR_LACKS,
            "t.pftrace: it does not say when programs ran, as traces of an older "
            "gridloom do not, or none ran");
    run = run_new();
    g_array_index(run->timeline->places, TracePlace, 0).x_end = 3;
    refuses(run, &all, TRACE_ERROR_LACKS,
            "t.pftrace: it holds use by time of blocks of cores, not what they "
            "computed; see --trace-level, --trace-cores and --trace-window");
    run = run_new();
    g_clear_pointer(&run->timeline->start, json_object_unref);
    refuses(run, &all, TRACE_ERROR_LACKS,
            "t.pftrace: made by another program, so it does not say what was computed");
}

/* A trace of a part of a run is that part, and says so. */
static void a_trace_of_a_part_is_that_part(void **state)
{
    g_autoptr(TraceRun) run = run_new();

    (void) state;
    run->timeline->from = 150;
    run->timeline->cut = 250;
    g_autoptr(GPtrArray) runs = runs_of(run, &(TracePartQuery){.to = SIM_TIME_NEVER});
    JsonObject *result = result_at(runs, 0);
    g_autofree char *suffix = trace_part_suffix(result);

    assert_string_equal(suffix, ", cycles 150:250");
    assert_float_equal(counter_of(result, "flops"), 300, 1e-9);
    assert_float_equal(trace_json_number(trace_json_object(result, "part"), "share", 0),
                       0.5, 1e-9);
    assert_float_equal(trace_json_number(result, "seconds", 0), 100e-9, 1e-15);
    assert_null(trace_part_difference(run, g_ptr_array_index(runs, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_trace_agrees_with_its_result),
        cmocka_unit_test(windows_divide_slices_by_time),
        cmocka_unit_test(some_cores_have_their_own_roofs),
        cmocka_unit_test(zones_add_up),
        cmocka_unit_test(a_zone_of_one_core_has_one_core),
        cmocka_unit_test(iterations_make_a_path),
        cmocka_unit_test(a_zone_after_the_last_iteration_ends_it),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(a_trace_of_a_part_is_that_part),
    };

    return cmocka_run_group_tests_name("traces.part", tests, NULL, NULL);
}
