/* Latency over the rate: a curve for each routing, a panel for each run, marks beside
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/error.h"
#include "traces/picture/latency.h"

#define POINTS(rate)                                                                   \
    "\"saturation_rate\": " rate ", \"points\": ["                                     \
    "{\"rate\": 0.1, \"latency_mean\": 12, \"latency_zero_load\": 10},"                \
    "{\"rate\": 0.2, \"latency_mean\": 20, \"latency_zero_load\": 10},"                \
    "{\"rate\": 0.3, \"latency_mean\": null, \"saturated\": true}]"
#define RESULT(routing, metrics)                                                       \
    "{\"schema_version\": 1, \"workload\": \"noc traffic\", \"parameters\": "          \
    "{\"topology\": \"mesh\", \"size\": \"8x8\", \"pattern\": \"uniform\", "           \
    "\"routing\": \"" routing "\"}, \"metrics\": {" metrics "}}"

static const char *const one = RESULT("xy", POINTS("0.3"));
static const char *const two =
    RESULT("xy,my/way.lua",
           POINTS("null") ", \"routings\": [{\"routing\": \"xy\", " POINTS(
               "null") "}, {\"routing\": \"my/way.lua\", " POINTS("0.25") "}]");

/* Draws results; `beside` is the text of a CSV file, or NULL. */
static char *draw(const char *const *results, const char *beside, GError **error)
{
    g_autoptr(GPtrArray) runs = trace_runs_new();
    g_autoptr(TraceCsv) csv =
        beside != NULL ? trace_csv_parse("b.csv", beside, strlen(beside), NULL) : NULL;

    for (const char *const *text = results; *text != NULL; text++) {
        g_ptr_array_add(runs, trace_run_new("r.json", *text, NULL, NULL));
    }
    return trace_latency_to_svg(
        &(TraceLatency){
            .runs = runs, .columns = 2, .beside = csv, .beside_name = "b.csv"},
        error);
}

static void a_curve_begins_without_load_and_ends_at_saturation(void **state)
{
    g_autofree char *svg = draw((const char *const[]){one, NULL}, NULL, NULL);

    (void) state;
    assert_non_null(strstr(svg, "uniform traffic, 8x8 mesh"));
    assert_non_null(strstr(svg, "<title>xy: 0.3: 0, 10</title>"));
    assert_non_null(strstr(svg, "<title>xy: 0.3: 0.1, 12</title>"));
    assert_non_null(strstr(svg, "<title>xy: 0.3: 0.2, 20</title>"));
    assert_null(strstr(svg, "<title>xy: 0.3: 0.3,"));
}

static void routings_are_curves_of_one_picture(void **state)
{
    g_autofree char *svg = draw((const char *const[]){two, NULL}, NULL, NULL);

    (void) state;
    assert_non_null(strstr(svg, "<title>xy: 0.2, 20</title>"));
    assert_non_null(strstr(svg, "<title>way.lua: 0.25: 0.2, 20</title>"));
}

static void runs_are_panels(void **state)
{
    g_autofree char *svg = draw((const char *const[]){one, two, NULL}, NULL, NULL);
    const char *second;

    (void) state;
    second = strstr(strstr(svg, "uniform traffic, 8x8 mesh") + 1,
                    "uniform traffic, 8x8 mesh");
    assert_non_null(second);
    assert_non_null(strstr(second, "way.lua: 0.25"));
}

static void marks_stand_beside_the_curve_they_belong_to(void **state)
{
    g_autofree char *svg = draw((const char *const[]){one, NULL},
                                "topology,size,pattern,routing,rate,latency_mean\n"
                                "mesh,8x8,uniform,xy,0.15,15.5\n"
                                "torus,8x8,uniform,xy,0.16,17.5\n"
                                "mesh,8x8,uniform,yx,0.17,18.5\n",
                                NULL);

    (void) state;
    assert_non_null(strstr(svg, "<title>point: 0.15, 15.5</title>"));
    assert_null(strstr(svg, "17.5</title>"));
    assert_null(strstr(svg, "18.5</title>"));
    assert_non_null(strstr(svg, "marks: b.csv"));
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    static const struct {
        const char *result;
        const char *beside;
        const char *says;
    } rows[] = {
        {RESULT("xy", "\"batch_cycles\": 5"), NULL,
         "r.json: no latencies over rates, expected a result of noc traffic --rate or "
         "--saturation"},
        {"{\"schema_version\": 1, \"workload\": \"dot\"}", NULL,
         "r.json: no latencies over rates, expected a result of noc traffic --rate or "
         "--saturation"},
        {RESULT("xy", POINTS("0.3")), "topology,size\n", "b.csv: no column pattern"},
        {RESULT("xy", POINTS("0.3")),
         "topology,size,pattern,routing,rate,latency_mean\n"
         "mesh,8x8,uniform,xy,0.15,nan\n",
         "b.csv:2: latency_mean = nan, expected a number"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(
            draw((const char *const[]){rows[i].result, NULL}, rows[i].beside, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, rows[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curve_begins_without_load_and_ends_at_saturation),
        cmocka_unit_test(routings_are_curves_of_one_picture),
        cmocka_unit_test(runs_are_panels),
        cmocka_unit_test(marks_stand_beside_the_curve_they_belong_to),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
    };

    return cmocka_run_group_tests_name("traces.latency", tests, NULL, NULL);
}
