/* Tests of pictures of scaling: what runs differ in, and what cannot be drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "traces/picture/scaling.h"

static void add_run(GPtrArray *runs, guint rows, const char *kind, double seconds)
{
    g_autofree char *text =
        g_strdup_printf("{\"schema_version\": 1, \"workload\": \"dot\", \"chip\": "
                        "\"c\", \"seconds_per_iteration\": %g, \"parameters\": "
                        "{\"tiles\": 2, \"rows\": %u, \"kind\": \"%s\"}}",
                        seconds, rows, kind);
    TraceRun *run = trace_run_new("r.json", text, NULL, NULL);

    assert_non_null(run);
    g_ptr_array_add(runs, run);
}

static void runs_differ_in_numbers(void **state)
{
    (void) state;
    g_autoptr(GPtrArray) runs = trace_runs_new();

    add_run(runs, 1, "a", 4);
    add_run(runs, 4, "b", 1);
    g_autoptr(GPtrArray) names = trace_scaling_parameters(runs);

    assert_int_equal(names->len, 1);
    assert_string_equal(g_ptr_array_index(names, 0), "rows");
}

static void a_curve_has_its_ideal_line(void **state)
{
    (void) state;
    g_autoptr(GPtrArray) runs = trace_runs_new();
    TraceScaling scaling = {.runs = runs, .over = "rows"};

    add_run(runs, 4, "a", 1);
    add_run(runs, 1, "a", 4);
    g_autofree char *svg = trace_scaling_to_svg(&scaling, NULL);

    scaling.ideal = TRACE_SCALING_NONE;
    g_autofree char *bare = trace_scaling_to_svg(&scaling, NULL);

    assert_non_null(strstr(svg, "dot on c"));
    assert_non_null(strstr(svg, "ideal"));
    assert_null(strstr(bare, "ideal"));
}

static void numbers_must_be_above_0(void **state)
{
    (void) state;
    g_autoptr(GPtrArray) runs = trace_runs_new();
    g_autoptr(GError) error = NULL;
    const TraceScaling scaling = {.runs = runs, .over = "rows"};

    add_run(runs, 0, "a", 1);

    assert_null(trace_scaling_to_svg(&scaling, &error));
    assert_string_equal(error->message, "r.json: parameters.rows = 0, a logarithmic "
                                        "axis takes numbers above 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_differ_in_numbers),
        cmocka_unit_test(a_curve_has_its_ideal_line),
        cmocka_unit_test(numbers_must_be_above_0),
    };

    return cmocka_run_group_tests_name("traces.picture_scaling", tests, NULL, NULL);
}
