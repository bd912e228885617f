/* Pictures of tables of runs: which runs are where, and what is said of the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/error.h"
#include "traces/picture/table/curves.h"
#include "traces/picture/table_plot.h"
#include "traces/table/table_json.h"
#include "traces/table/table_unit.h"

enum {
    TILES,
    SYSTEM,
    HOPS,
    SECONDS,
    STATUS,
};

static TraceTable *new_table(void)
{
    TraceTable *table = trace_table_new("a < sweep");

    trace_table_add_column(table, "tiles", TRACE_COLUMN_PARAMETER);
    trace_table_add_column(table, "system", TRACE_COLUMN_PARAMETER);
    trace_table_add_column(table, "noc.hop_cycles", TRACE_COLUMN_PARAMETER);
    trace_table_add_column(table, "seconds", TRACE_COLUMN_METRIC);
    trace_table_add_column(table, "status", TRACE_COLUMN_STATUS);
    return table;
}

/* A row as words: "4 n300 9 0.5 done", - for an empty cell. */
static void add(TraceTable *table, const char *words)
{
    g_auto(GStrv) cells = g_strsplit(words, " ", -1);
    const char *row[5];

    for (guint i = 0; i < 5; i++) {
        row[i] = g_str_equal(cells[i], "-") ? NULL : cells[i];
    }
    trace_table_add_row(table, row);
}

/* "name: x/y[low..high] ...; " of all curves, * for clouds. */
static char *curves_text(const TraceTable *table, guint x, int by)
{
    g_auto(TableCurves) curves = {0};
    GString *text = g_string_new(NULL);

    table_curves_init(&curves, table, x, by, SECONDS);
    for (guint i = 0; i < curves.curves->len; i++) {
        const TableCurve *curve = table_curves_at(&curves, i);

        g_string_append_printf(text, "%s%s:", curve->name != NULL ? curve->name : "",
                               curve->is_cloud ? "*" : "");
        for (guint k = 0; k < curve->points->len; k++) {
            const TracePlotPoint *point =
                &g_array_index(curve->points, TracePlotPoint, k);
            const TracePlotSpan *span = &g_array_index(curve->band, TracePlotSpan, k);

            g_string_append_printf(text, " %g/%g", point->x, point->y);
            if (span->high > span->low) {
                g_string_append_printf(text, "[%g..%g]", span->low, span->high);
            }
        }
        g_string_append(text, "; ");
    }
    g_string_append_printf(text, "%u left", curves.left_out);
    return g_string_free(text, FALSE);
}

static void runs_of_one_place_are_their_median(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    add(table, "2 n300 9 8 done");
    add(table, "2 n300 5 2 done");
    add(table, "2 n300 1 3 done");
    add(table, "1 n300 9 4 done");
    add(table, "1 n300 5 1 done");
    g_autofree char *text = curves_text(table, TILES, -1);

    assert_string_equal(text, ": 1/2.5[1..4] 2/3[2..8]; 0 left");
}

static void runs_that_are_not_done_are_left_out(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    add(table, "1 n300 9 1 done");
    add(table, "2 n300 9 - failed");
    add(table, "3 n300 9 7 failed");
    add(table, "4 n300 9 - done");
    add(table, "- n300 9 1 done");
    g_autofree char *text = curves_text(table, TILES, -1);

    assert_string_equal(text, ": 1/1; 4 left");
}

static void numbers_have_curves_in_their_order_and_words_as_they_come(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    add(table, "1 t3000 13 1 done");
    add(table, "1 n300 9 2 done");
    add(table, "2 t3000 9 3 done");
    add(table, "2 n300 13 4 done");
    g_autofree char *words = curves_text(table, HOPS, SYSTEM);
    g_autofree char *numbers = curves_text(table, SYSTEM, HOPS);

    assert_string_equal(words, "t3000: 9/3 13/1; n300: 9/2 13/4; 0 left");
    /* Words along the axis, too: t3000 is 1. */
    assert_string_equal(numbers, "9: 1/3 2/2; 13: 1/1 2/4; 0 left");
}

static void a_sample_of_two_axes_is_no_line(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();
    g_autoptr(TraceTable) full = new_table();

    add(table, "1 n300 5 1 done");
    add(table, "2 n300 9 2 done");
    add(table, "3 n300 6 3 done");
    add(full, "1 n300 5 1 done");
    add(full, "2 n300 6 2 done");
    add(full, "3 n300 9 3 done"); /* hops go along with tiles */
    g_autofree char *sample = curves_text(table, TILES, -1);
    g_autofree char *line = curves_text(full, TILES, -1);
    g_autofree char *by = curves_text(table, TILES, HOPS);

    assert_string_equal(sample, "*: 1/1 2/2 3/3; 0 left");
    assert_string_equal(line, ": 1/1 2/2 3/3; 0 left");
    assert_string_equal(by, "5: 1/1; 6: 3/3; 9: 2/2; 0 left");
}

static void many_numbers_are_put_into_ranges(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    for (guint i = 0; i < 15; i++) {
        g_autofree char *row = g_strdup_printf("1 n300 %u %u done", i, i);

        add(table, row);
    }
    g_autofree char *text = curves_text(table, TILES, HOPS);

    assert_string_equal(text, "0 to 2: 1/1[0..2]; 3 to 5: 1/4[3..5]; "
                              "6 to 8: 1/7[6..8]; 9 to 11: 1/10[9..11]; "
                              "12 to 14: 1/13[12..14]; 0 left");
}

static void assert_holds(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("no %s in %s", part, text);
    }
}

static char *draw(const TraceTable *table, TraceTablePlot plot, TracePictureForm form)
{
    g_autoptr(GError) error = NULL;
    char *picture = trace_table_plot(table, &plot, form, &error);

    if (error != NULL) {
        fail_msg("%s", error->message);
    }
    return picture;
}

/* x, y and its ends; those of the third run are not there. */
static TraceTable *new_intervals(const char *const rows[][4], guint count)
{
    TraceTable *table = trace_table_new("samples");

    trace_table_add_column(table, "tiles", TRACE_COLUMN_PARAMETER);
    trace_table_add_column(table, "seconds", TRACE_COLUMN_METRIC);
    trace_table_add_column(table, "seconds_low", TRACE_COLUMN_METRIC);
    trace_table_add_column(table, "seconds_high", TRACE_COLUMN_METRIC);
    for (guint i = 0; i < count; i++) {
        trace_table_add_row(table, rows[i]);
    }
    return table;
}

static void intervals_of_runs_are_bands(void **state)
{
    static const char *const rows[][4] = {{"1", "10", "8", "13"},
                                          {"2", "20", "21", "22"}, /* not around it */
                                          {"3", "30", NULL, NULL}};
    g_autoptr(TraceTable) table = new_intervals(rows, G_N_ELEMENTS(rows));
    const TraceTablePlot with = {.x = "tiles", .y = "seconds", .has_intervals = true};
    const TraceTablePlot without = {.x = "tiles", .y = "seconds"};
    const double expected[][2] = {{8, 13}, {20, 22}, {30, 30}};
    g_auto(TableCurves) curves = {0};

    (void) state;
    table_curves_init(&curves, table, 0, -1, 1);
    table_curves_widen(&curves, table, 0, 2, 3);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const TracePlotSpan *span =
            &g_array_index(table_curves_at(&curves, 0)->band, TracePlotSpan, i);

        assert_true(span->low == expected[i][0] && span->high == expected[i][1]);
    }
    g_autofree char *banded = draw(table, with, TRACE_PICTURE_SVG);
    g_autofree char *plain = draw(table, without, TRACE_PICTURE_SVG);

    assert_holds(banded, "class=\"plot-band\"");
    assert_holds(banded, "Bands are intervals: 5 to 95 % of samples.");
    assert_null(strstr(plain, "class=\"plot-band\""));
}

static void an_interval_may_begin_the_table(void **state G_GNUC_UNUSED)
{
    static const char *const row[] = {"13", "10", "8", "1"};
    g_autoptr(TraceTable) table = trace_table_new("samples");

    trace_table_add_column(table, "seconds_high", TRACE_COLUMN_METRIC);
    trace_table_add_column(table, "seconds", TRACE_COLUMN_METRIC);
    trace_table_add_column(table, "seconds_low", TRACE_COLUMN_METRIC);
    trace_table_add_column(table, "tiles", TRACE_COLUMN_PARAMETER);
    trace_table_add_row(table, row);
    const TraceTablePlot plot = {.x = "tiles", .y = "seconds", .has_intervals = true};
    g_autofree char *svg = draw(table, plot, TRACE_PICTURE_SVG);

    assert_holds(svg, "Bands are intervals");
}

static void the_picture_says_units_and_what_is_missing(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    add(table, "1 n300 5 1e-4 done");
    add(table, "1 n300 9 2e-4 done");
    add(table, "2 t3000 5 3e-4 done"); /* another system, but nowhere beside n300 */
    add(table, "2 t3000 9 4e-4 done");
    add(table, "4 n300 9 - failed");
    const TraceTablePlot plot = {.x = "tiles", .y = "seconds"};
    g_autofree char *svg = draw(table, plot, TRACE_PICTURE_SVG);
    g_autofree char *text = draw(table, plot, TRACE_PICTURE_TEXT);

    assert_holds(svg, ">a &lt; sweep</text>");
    assert_holds(svg, ">seconds (us)</text>");
    assert_holds(svg, ">tiles</text>");
    assert_holds(svg, "class=\"plot-band\"");
    assert_holds(svg, ">400</text>");
    assert_holds(svg, "Medians; bands are from the lowest to the highest run of "
                      "different noc.hop_cycles. 1 of 5 runs are not here: no result.");
    assert_holds(text, "a < sweep, seconds (us)\n");
    assert_holds(text, "1 of 5 runs are not here");
}

static void a_series_has_the_name_of_its_value(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    add(table, "1 n300 5 1e-4 done");
    add(table, "1 t3000 9 2e-4 done");
    g_autofree char *numbers = draw(
        table, (TraceTablePlot){.x = "tiles", .by = "noc.hop_cycles", .y = "seconds"},
        TRACE_PICTURE_SVG);
    g_autofree char *words =
        draw(table, (TraceTablePlot){.x = "tiles", .by = "system", .y = "seconds"},
             TRACE_PICTURE_SVG);

    assert_holds(numbers, ">hop_cycles 5</text>");
    assert_holds(words, ">t3000</text>");
}

/* Both ends, x and y each, of the next line of two points; what follows it. */
static const char *line_after(const char *svg, double ends[4])
{
    const char *line = strstr(svg, "points=\"");
    char *rest = NULL;

    assert_non_null(line);
    rest = (char *) line + strlen("points=");
    for (guint i = 0; i < 4; i++) {
        ends[i] = g_ascii_strtod(rest + 1, &rest);
    }
    assert_int_equal(*rest, '"');
    return rest;
}

/* In the unit of the axis, which has room for it, and from the first run to the last.
 */
static void a_level_is_a_line_across_the_picture(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();
    g_autoptr(TraceTable) empty = new_table();
    const TraceTablePlot plot = {.x = "tiles",
                                 .y = "seconds",
                                 .levels = {{"a CPU", 8e-3}, {"<b>", 0}},
                                 .level_count = 2};
    const char *line;
    double runs[4] = {0};
    double level[4] = {0};

    add(table, "1 n300 5 1e-4 done");
    add(table, "3 n300 5 3e-4 done");
    g_autofree char *svg = draw(table, plot, TRACE_PICTURE_SVG);
    g_autofree char *text = draw(table, plot, TRACE_PICTURE_TEXT);
    g_autofree char *none = draw(empty, plot, TRACE_PICTURE_SVG);

    assert_holds(svg, ">a CPU</text>");
    assert_holds(svg, ">&lt;b&gt;</text>");
    assert_holds(svg, ">seconds (ms)</text>");
    assert_holds(text, "a CPU");
    assert_null(strstr(none, "a CPU"));
    line = line_after(svg, runs);
    (void) line_after(line, level);
    assert_true(level[0] == runs[0] && level[2] == runs[2]);
    assert_true(level[1] == level[3]);
    assert_true(runs[3] < runs[1] && level[3] < runs[3]); /* y grows downwards */
}

static void an_axis_is_logarithmic_where_its_numbers_are(void **state)
{
    (void) state;
    static const struct {
        const char *tiles[4];
        TraceAxisScale scale;
        bool is_log;
    } rows[] = {
        {{"1", "3", "9", "27"}, TRACE_AXIS_AUTO, true},
        {{"1", "3", "9", "27"}, TRACE_AXIS_LINEAR, false},
        {{"16", "25", "40", "64"}, TRACE_AXIS_AUTO, true}, /* a rounded range */
        {{"1", "2", "3", "4"}, TRACE_AXIS_AUTO, false},
        {{"1", "2", "3", "4"}, TRACE_AXIS_LOG, true},
        {{"1", "2", "3", "21"}, TRACE_AXIS_AUTO, true},
        {{"0", "1", "2", "40"}, TRACE_AXIS_AUTO, false},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(TraceTable) table = new_table();

        for (guint k = 0; k < 4; k++) {
            g_autofree char *row =
                g_strdup_printf("%s n300 9 1 done", rows[i].tiles[k]);

            add(table, row);
        }
        g_autofree char *svg = draw(
            table,
            (TraceTablePlot){.x = "tiles", .y = "seconds", .x_scale = rows[i].scale},
            TRACE_PICTURE_SVG);

        /* Lines between labels are on logarithmic axes only. */
        if ((strstr(svg, "class=\"plot-minor\"") != NULL) != rows[i].is_log) {
            fail_msg("row %zu", i);
        }
    }
}

static void
assert_refused(const TraceTable *table, TraceTablePlot plot, const char *why)
{
    g_autoptr(GError) error = NULL;

    assert_null(trace_table_plot(table, &plot, TRACE_PICTURE_SVG, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    assert_string_equal(error->message, why);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    for (guint i = 0; i < 41; i++) {
        g_autofree char *row = g_strdup_printf("0 s%u %u 1 done", i, i);

        add(table, row);
    }
    assert_refused(table, (TraceTablePlot){.x = "tile", .y = "seconds"},
                   "tile is no column of the sweep, which has tiles, system, "
                   "noc.hop_cycles, seconds");
    assert_refused(table, (TraceTablePlot){.x = "tiles", .y = "status"},
                   "status is no column of the sweep, which has tiles, noc.hop_cycles, "
                   "seconds");
    assert_refused(table, (TraceTablePlot){.x = "tiles", .y = "system"},
                   "system holds words, numbers are in tiles, noc.hop_cycles, seconds");
    assert_refused(table,
                   (TraceTablePlot){.x = "tiles", .by = "system", .y = "seconds"},
                   "system has 41 values, at most 40 series can be told apart");
    assert_refused(
        table,
        (TraceTablePlot){.x = "tiles", .y = "seconds", .x_scale = TRACE_AXIS_LOG},
        "tiles = 0, an axis takes numbers above 0, up to 1e300");
}

static void the_front_is_drawn_before_the_others(void **state)
{
    (void) state;
    static const TraceGoal goals[] = {{SECONDS, false}, {TILES, true}};
    g_autoptr(TraceTable) table = new_table();
    g_autoptr(GError) error = NULL;

    add(table, "1 n300 5 1 done");
    add(table, "4 n300 5 2 done");
    add(table, "3 n300 5 3 done");
    add(table, "- n300 5 3 done");
    g_autofree char *svg =
        trace_table_plot_front(table, goals, TRACE_PICTURE_SVG, &error);

    assert_null(error);
    assert_holds(svg, ">2 on the front</text>");
    assert_holds(svg, ">1 others</text>");
    assert_holds(svg, ">seconds (s), less is better</text>");
    assert_holds(svg, ">tiles, more is better</text>");
}

static void units_follow_from_names(void **state)
{
    (void) state;
    static const struct {
        const char *name;
        double largest;
        const char *words;
        double factor;
    } rows[] = {
        {"seconds", 2, "seconds (s)", 1},
        {"seconds", 2e-3, "seconds (ms)", 1e3},
        {"metrics.dot_seconds", 5e-6, "metrics.dot_seconds (us)", 1e6},
        {"seconds_per_iteration", 1e-9, "seconds_per_iteration (ns)", 1e9},
        {"seconds", 0, "seconds", 1},
        {"l1.capacity_bytes", 1499136, "l1.capacity_bytes (KiB)", 1.0 / 1024},
        {"noc.flit_bytes", 32, "noc.flit_bytes", 1},
        {"noc.link_bytes_per_cycle", 1e9, "noc.link_bytes_per_cycle", 1},
        {"energy_joules", 0.5, "energy_joules (mJ)", 1e3},
        {"bytes/seconds", 1e9, "bytes/seconds", 1},
        {"tiles", 1e9, "tiles", 1},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const TraceUnit unit = trace_table_unit(rows[i].name, rows[i].largest);
        g_autofree char *words = trace_table_unit_words(rows[i].name, unit);

        assert_string_equal(words, rows[i].words);
        assert_true(unit.factor == rows[i].factor);
    }
}

static void json_has_numbers_words_and_nothing(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    add(table, "1 n300 5 - failed");
    g_autoptr(JsonObject) object = trace_table_to_json(table);
    JsonArray *columns = json_object_get_array_member(object, "columns");
    JsonObject *tiles = json_array_get_object_element(columns, TILES);
    JsonObject *system = json_array_get_object_element(columns, SYSTEM);
    JsonObject *seconds = json_array_get_object_element(columns, SECONDS);

    assert_string_equal(json_object_get_string_member(object, "title"), "a < sweep");
    assert_string_equal(json_object_get_string_member(tiles, "kind"), "parameter");
    assert_true(json_array_get_double_element(
                    json_object_get_array_member(tiles, "cells"), 0) == 1);
    assert_false(json_object_get_boolean_member(system, "is_number"));
    assert_true(
        json_array_get_null_element(json_object_get_array_member(seconds, "cells"), 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_one_place_are_their_median),
        cmocka_unit_test(runs_that_are_not_done_are_left_out),
        cmocka_unit_test(numbers_have_curves_in_their_order_and_words_as_they_come),
        cmocka_unit_test(a_sample_of_two_axes_is_no_line),
        cmocka_unit_test(many_numbers_are_put_into_ranges),
        cmocka_unit_test(intervals_of_runs_are_bands),
        cmocka_unit_test(an_interval_may_begin_the_table),
        cmocka_unit_test(the_picture_says_units_and_what_is_missing),
        cmocka_unit_test(a_series_has_the_name_of_its_value),
        cmocka_unit_test(a_level_is_a_line_across_the_picture),
        cmocka_unit_test(an_axis_is_logarithmic_where_its_numbers_are),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
        cmocka_unit_test(the_front_is_drawn_before_the_others),
        cmocka_unit_test(units_follow_from_names),
        cmocka_unit_test(json_has_numbers_words_and_nothing),
    };

    return cmocka_run_group_tests_name("traces.table_plot", tests, NULL, NULL);
}
