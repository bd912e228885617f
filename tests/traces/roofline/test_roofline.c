/* Rooflines: the two limits, runs read from results, what bounds them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/error.h"
#include "traces/roofline/roofline.h"

#define EXACT 1e-12

static JsonObject *parse(const char *text)
{
    g_autoptr(JsonParser) parser = json_parser_new();

    assert_true(json_parser_load_from_data(parser, text, -1, NULL));
    return json_object_ref(json_node_get_object(json_parser_get_root(parser)));
}

static TraceRooflineRun *read_run(const char *text)
{
    g_autoptr(JsonObject) result = parse(text);
    g_autoptr(GError) error = NULL;
    TraceRooflineRun *run = trace_roofline_run_read("r.json", result, &error);

    if (run == NULL) {
        fail_msg("%s", error->message);
    }
    return run;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value / expected - 1) < EXACT)) {
        fail_msg("%.17g, expected %.17g", value, expected);
    }
}

static const TraceRooflineRoof *roof_named(const TraceRooflineRun *run,
                                           const char *name)
{
    for (guint i = 0; i < run->roofs->len; i++) {
        const TraceRooflineRoof *roof =
            &g_array_index(run->roofs, TraceRooflineRoof, i);

        if (g_str_equal(roof->name, name)) {
            return roof;
        }
    }
    fail_msg("no roof %s", name);
    return NULL;
}

static void the_lower_limit_counts(void **state G_GNUC_UNUSED)
{
    const TraceRoofline roofline = {.peak = 128, .bandwidth = 64};

    assert_true(trace_roofline_ridge(&roofline) == 2);
    assert_true(trace_roofline_attainable(&roofline, 0) == 0);
    assert_true(fabs(trace_roofline_attainable(&roofline, 1.0 / 6) - 64.0 / 6) < EXACT);
    assert_true(trace_roofline_attainable(&roofline, 2) == 128);
    assert_true(trace_roofline_attainable(&roofline, nextafter(2, 0)) < 128);
    assert_true(trace_roofline_attainable(&roofline, 100) == 128);
}

/* 2 s of programs: 300 FLOP/s; 100 B/s of SRAM, 20 of links, 0 of DRAM. */
#define ROOFS                                                                          \
    "\"roofs\":["                                                                      \
    "{\"name\":\"host to device\",\"unit\":\"bytes per second\",\"value\":9,"          \
    "\"achieved\":null},"                                                              \
    "{\"name\":\"memory\",\"unit\":\"TFLOP/s\",\"value\":9,\"achieved\":8},"           \
    "{\"name\":\"f32 arithmetic\",\"unit\":\"FLOP per second\",\"value\":1000,"        \
    "\"achieved\":300,\"source\":\"dsd\"},"                                            \
    "{\"name\":\"f16 arithmetic\",\"unit\":\"FLOP per second\",\"value\":4000,"        \
    "\"achieved\":0},"                                                                 \
    "{\"name\":\"SRAM\",\"unit\":\"bytes per second\",\"value\":125,"                  \
    "\"achieved\":100},"                                                               \
    "{\"name\":\"fabric links\",\"unit\":\"bytes per second\",\"value\":200,"          \
    "\"achieved\":20},"                                                                \
    "{\"name\":\"DRAM\",\"unit\":\"bytes per second\",\"value\":10,\"achieved\":0}]"

static const char wafer[] =
    "{\"workload\":\"w\",\"chip\":\"wse2\",\"seconds\":5,\"energy_joules\":50,"
    "\"counters\":{\"flops\":600},\"metrics\":{\"device_seconds\":2}," ROOFS "}";

static void a_run_is_read_from_its_result(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceRooflineRun) run = read_run(wafer);

    assert_string_equal(run->workload, "w");
    assert_string_equal(run->chip, "wse2");
    assert_int_equal(run->origin, TRACE_ROOFLINE_SIMULATED);
    assert_true(run->rate == 300);
    assert_true(run->seconds == 2);
    /* Neither links of the host nor roofs in other units. */
    assert_int_equal(run->roofs->len, 5);
    assert_string_equal(roof_named(run, "f32 arithmetic")->source, "dsd");
    assert_true(roof_named(run, "f32 arithmetic")->is_peak);
    assert_false(roof_named(run, "SRAM")->is_peak);
}

static void intensities_are_by_memory(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceRooflineRun) run = read_run(wafer);

    assert_true(trace_roofline_run_uses(run, roof_named(run, "SRAM")));
    assert_near(trace_roofline_run_intensity(run, roof_named(run, "SRAM")), 3);
    assert_near(trace_roofline_run_intensity(run, roof_named(run, "fabric links")), 15);
    assert_false(trace_roofline_run_uses(run, roof_named(run, "DRAM")));
    assert_false(trace_roofline_run_uses(run, roof_named(run, "f32 arithmetic")));
}

/* SRAM: 3 FLOP/B of 125 B/s are 375 FLOP/s, below the peak of 1000. */
static void the_fullest_roof_bounds(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceRooflineRun) run = read_run(wafer);
    const TraceRoofline line = {.peak = trace_roofline_run_peak(run), .bandwidth = 125};

    assert_string_equal(trace_roofline_run_bound(run)->name, "SRAM");
    assert_near(trace_roofline_run_attainable(run), 375);
    assert_near(trace_roofline_attainable(&line, 3), 375);
}

/* f16 units of 4000 FLOP/s do nothing for a program in f32. */
static void only_units_in_use_are_peaks(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceRooflineRun) run = read_run(wafer);

    assert_true(trace_roofline_run_peak(run) == 1000);
    g_array_index(run->roofs, TraceRooflineRoof, 0).achieved = 0;
    assert_true(trace_roofline_run_peak(run) == 4000);
}

static void without_roofs_nothing_bounds(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceRooflineRun) run =
        read_run("{\"seconds\":1,\"counters\":{\"flops\":1},\"roofs\":[]}");

    assert_null(trace_roofline_run_bound(run));
    assert_true(isnan(trace_roofline_run_attainable(run)));
    assert_true(trace_roofline_run_peak(run) == 0);
    assert_string_equal(run->workload, "r.json");
}

/* A measured run tells of `seconds`; its device_seconds may hold repeats. */
static void what_was_measured_is_by_seconds(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceRooflineRun) measured =
        read_run("{\"seconds\":2,\"counters\":{\"flops\":8},"
                 "\"metrics\":{\"measured\":true,\"device_seconds\":40}}");
    g_autoptr(TraceRooflineRun) published =
        read_run("{\"seconds\":4,\"counters\":{\"flops\":8},"
                 "\"metrics\":{\"published\":true,\"measured\":true}}");

    assert_int_equal(measured->origin, TRACE_ROOFLINE_MEASURED);
    assert_true(measured->rate == 4);
    assert_int_equal(published->origin, TRACE_ROOFLINE_PUBLISHED);
    assert_true(published->rate == 2);
}

#define LEDGER(section, key, value)                                                    \
    "{\"section\":\"" section "\",\"key\":\"" key "\",\"value\":\"" value "\"}"

static void power_is_of_the_run_or_the_board(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceRooflineRun) energy = read_run(wafer);
    g_autoptr(TraceRooflineRun) share = read_run(
        "{\"seconds\":1,\"counters\":{\"flops\":1},\"chip_parameters\":[" LEDGER(
            "chip", "asic_count", "2") "," LEDGER("chip", "tdp_watts", "300") "]}");
    g_autoptr(TraceRooflineRun) board = read_run(
        "{\"seconds\":1,\"counters\":{\"flops\":1},\"chip_parameters\":[" LEDGER(
            "power", "board_watts", "700") "]}");
    g_autoptr(TraceRooflineRun) both =
        read_run("{\"seconds\":2,\"energy_joules\":80,\"counters\":{\"flops\":1},"
                 "\"chip_parameters\":[" LEDGER("power", "board_watts", "700") "]}");
    g_autoptr(TraceRooflineRun) unknown =
        read_run("{\"seconds\":1,\"counters\":{\"flops\":1}}");

    assert_near(energy->watts, 25);
    assert_string_equal(energy->watts_from, "the run's energy over its time");
    assert_true(energy->board_watts == 0);
    assert_near(share->watts, 150);
    assert_near(share->board_watts, 150);
    assert_string_equal(
        share->watts_from,
        "chip.tdp_watts over chip.asic_count, its share of the board, at most");
    assert_near(board->watts, 700);
    assert_near(both->watts, 40);
    assert_near(both->board_watts, 700);
    assert_string_equal(board->watts_from, "power.board_watts, the board at most");
    assert_true(unknown->watts == 0);
    assert_string_equal(unknown->watts_from, "not known");
}

static void levels_are_by_name(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *roof;
        const char *level;
    } rows[] = {
        {"L1", "sram"},
        {"SRAM", "sram"},
        {"L1/shared", "sram"},
        {"copy into Dst, 32 bit", "sram"},
        {"fabric links", "noc"},
        {"NoC into cores", "received"},
        {"L2", "l2"},
        {"DRAM", "dram"},
        {"DRAM, measured", "dram"},
        {"DRAMs", "other"},
        {"", "other"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_string_equal(
            trace_roofline_level_name(trace_roofline_level_of(rows[i].roof)),
            rows[i].level);
    }
}

static void what_is_no_point_is_refused(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"{\"seconds\":1}",
         "r.json: no counters in it, so there is no point of a roofline"},
        {"{\"counters\":7,\"seconds\":1}",
         "r.json: no counters in it, so there is no point of a roofline"},
        {"{\"counters\":{\"flops\":0},\"seconds\":1}",
         "r.json: it computed nothing (counters.flops is 0 or missing)"},
        {"{\"counters\":{\"flops\":1},\"seconds\":null}",
         "r.json: it took no time (seconds is 0 or missing)"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(JsonObject) result = parse(rows[i].text);
        g_autoptr(GError) error = NULL;

        assert_null(trace_roofline_run_read("r.json", result, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, rows[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lower_limit_counts),
        cmocka_unit_test(a_run_is_read_from_its_result),
        cmocka_unit_test(intensities_are_by_memory),
        cmocka_unit_test(the_fullest_roof_bounds),
        cmocka_unit_test(only_units_in_use_are_peaks),
        cmocka_unit_test(without_roofs_nothing_bounds),
        cmocka_unit_test(what_was_measured_is_by_seconds),
        cmocka_unit_test(power_is_of_the_run_or_the_board),
        cmocka_unit_test(levels_are_by_name),
        cmocka_unit_test(what_is_no_point_is_refused),
    };

    return cmocka_run_group_tests_name("traces.roofline", tests, NULL, NULL);
}
