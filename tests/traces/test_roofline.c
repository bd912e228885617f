/* Rooflines: the two limits, and runs read from results. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/error.h"
#include "traces/roofline.h"

static void the_lower_limit_counts(void **state)
{
    (void) state;
    const TraceRoofline roofline = {.peak = 128, .bandwidth = 64};

    assert_true(trace_roofline_ridge(&roofline) == 2);
    assert_true(trace_roofline_attainable(&roofline, 0) == 0);
    assert_true(fabs(trace_roofline_attainable(&roofline, 1.0 / 6) - 64.0 / 6) < 1e-12);
    assert_true(trace_roofline_attainable(&roofline, 2) == 128);
    assert_true(trace_roofline_attainable(&roofline, nextafter(2, 0)) < 128);
    assert_true(trace_roofline_attainable(&roofline, 100) == 128);
}

static void a_run_is_read_from_its_result(void **state)
{
    (void) state;
    static const char result[] =
        "{\"cycles\":24576,\"seconds\":2.5e-05,"
        "\"counters\":{\"flops\":262144,\"sram_bytes\":1572864,\"dram_bytes\":0}}";
    TraceRooflineRun run = {0};
    g_autoptr(GError) error = NULL;

    assert_true(trace_roofline_run_read(&run, "r.json", result, "sram_bytes", &error));

    assert_true(run.seconds == 2.5e-05);
    assert_true(trace_roofline_run_intensity(&run) == 262144.0 / 1572864);
    assert_true(trace_roofline_run_rate(&run) == 262144.0 / 24576);
}

static void what_is_no_point_is_refused(void **state)
{
    (void) state;
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"{", "r.json: no JSON"},
        {"[]", "r.json: no result object"},
        {"{\"cycles\":1,\"seconds\":1}",
         "r.json: flops is missing or below 0: no point of a roofline"},
        {"{\"counters\":{\"flops\":1,\"sram_bytes\":0},\"cycles\":1,\"seconds\":1}",
         "r.json: sram_bytes is missing or below 1: no point of a roofline"},
        {"{\"counters\":{\"flops\":1,\"sram_bytes\":1},\"cycles\":0,\"seconds\":1}",
         "r.json: cycles is missing or below 1: no point of a roofline"},
        {"{\"counters\":{\"flops\":1,\"sram_bytes\":1},\"cycles\":1,\"seconds\":null}",
         "r.json: seconds is missing or below 0: no point of a roofline"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        TraceRooflineRun run = {.flops = -1};
        g_autoptr(GError) error = NULL;

        assert_false(trace_roofline_run_read(&run, "r.json", rows[i].text, "sram_bytes",
                                             &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, rows[i].message);
        assert_true(run.flops == -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lower_limit_counts),
        cmocka_unit_test(a_run_is_read_from_its_result),
        cmocka_unit_test(what_is_no_point_is_refused),
    };

    return cmocka_run_group_tests_name("traces.roofline", tests, NULL, NULL);
}
