/* Plots: round axes, every point where it belongs, and well-formed whatever comes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/picture/plot/axis.h"
#include "traces/picture/plot_list.h"

/* The labels of an axis that covers both numbers, and where they lie in percent. */
static char *labels(bool is_log, double low, double high)
{
    g_auto(TracePlotAxis) axis = {0};
    GString *text = g_string_new(NULL);

    trace_plot_axis_init(&axis, is_log);
    trace_plot_axis_cover(&axis, high);
    trace_plot_axis_cover(&axis, low);
    trace_plot_axis_ready(&axis);
    assert_true(trace_plot_axis_place(&axis, low) >= -1e-9);
    assert_true(trace_plot_axis_place(&axis, high) <= 1 + 1e-9);
    for (guint i = 0; i < axis.ticks->len; i++) {
        const TracePlotTick *tick = &g_array_index(axis.ticks, TracePlotTick, i);

        if (tick->label != NULL) {
            g_string_append_printf(text, "%s%s@%.0f", text->len > 0 ? " " : "",
                                   tick->label,
                                   100 * trace_plot_axis_place(&axis, tick->value));
        }
    }
    return g_string_free(text, FALSE);
}

static void axes_have_round_ends_and_labels(void **state)
{
    (void) state;
    static const struct {
        bool is_log;
        double low;
        double high;
        const char *labels;
    } rows[] = {
        {false, 1, 56, "0@0 10@17 20@33 30@50 40@67 50@83 60@100"},
        {false, 0.1, 0.12, "0.100@0 0.105@25 0.110@50 0.115@75 0.120@100"},
        {false, -6, 14, "-10@0 -5@20 0@40 5@60 10@80 15@100"},
        {false, -10, -1, "-10@0 -8@20 -6@40 -4@60 -2@80 0@100"},
        {false, 5, 10, "0@0 2@20 4@40 6@60 8@80 10@100"},
        {false, 6, 10, "6@0 7@25 8@50 9@75 10@100"},
        {false, 5, 5, "4.4@0 4.6@17 4.8@33 5.0@50 5.2@67 5.4@83 5.6@100"},
        {false, 0, 0, "-1.0@0 -0.5@25 0@50 0.5@75 1.0@100"},
        {false, 0, 4e6, "0@0 1 M@25 2 M@50 3 M@75 4 M@100"},
        {false, 0, 25e3, "0@0 5 k@20 10 k@40 15 k@60 20 k@80 25 k@100"},
        {false, 0, 2.5e9, "0@0 500 M@20 1.0 G@40 1.5 G@60 2.0 G@80 2.5 G@100"},
        {false, 0, 7e3, "0@0 2000@25 4000@50 6000@75 8000@100"},
        {true, 100, 2e7, "100@0 1 k@19 10 k@38 100 k@57 1 M@75 10 M@94"},
        {true, 1, 8, "1@0 2@33 4@67 8@100"},
        {true, 1, 4096, "1@0 4@17 16@33 64@50 256@67 1,024@83 4,096@100"},
        {true, 1, 60, "1@0 2@15 5@35 10@50 20@65 50@85 100@100"},
        {true, 5.5, 50, "5@0 10@30 20@60 50@100"},
        {true, 3, 3, "2@0 5@100"},
        {true, 1, 1, "0.1@0 0.2@15 0.5@35 1@50 2@65 5@85 10@100"},
        {true, 1e-4, 9, "0.0001@0 0.001@20 0.01@40 0.1@60 1@80 10@100"},
        {true, 1e-12, 1, "1e-12@0 1e-10@17 1e-8@33 1e-6@50 0.0001@67 0.01@83 1@100"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *found = labels(rows[i].is_log, rows[i].low, rows[i].high);

        assert_string_equal(found, rows[i].labels);
    }
}

static void axes_take_the_largest_and_smallest_numbers(void **state)
{
    (void) state;
    static const double values[] = {1e300, -1e300, 1e-300, 5e-324, 0, 1};

    for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
        for (gsize k = 0; k < G_N_ELEMENTS(values); k++) {
            double low = fmin(values[i], values[k]);
            double high = fmax(values[i], values[k]);
            g_autofree char *linear = labels(false, low, high);

            assert_true(strlen(linear) > 0);
            if (low >= 1e-300) {
                g_autofree char *log = labels(true, low, high);

                assert_true(strlen(log) > 0);
            }
        }
    }
    assert_false(trace_plot_axis_takes(INFINITY, false));
    assert_false(trace_plot_axis_takes(NAN, false));
    assert_false(trace_plot_axis_takes(0, true));
    assert_true(trace_plot_axis_takes(0, false));
}

static char *svg_of(const TracePlot *plot)
{
    static const GMarkupParser nothing = {0};
    g_autoptr(GMarkupParseContext) context =
        g_markup_parse_context_new(&nothing, 0, NULL, NULL);
    char *text = trace_plot_to_svg(plot);

    assert_true(g_markup_parse_context_parse(context, text, -1, NULL));
    assert_true(g_markup_parse_context_end_parse(context, NULL));
    return text;
}

static void assert_holds(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("no %s in %s", part, text);
    }
}

/* How often `part` stands in `text`. */
static guint count(const char *text, const char *part)
{
    g_auto(GStrv) parts = g_strsplit(text, part, -1);

    return g_strv_length(parts) - 1;
}

static void without_points_the_axes_are_drawn(void **state)
{
    (void) state;
    static const TracePlotSeries bare[] = {{.name = "nothing"}};
    TracePlot plot = {.title = "T", .x = "cores", .y = "ms"};
    g_autofree char *without_series = svg_of(&plot);
    g_autofree char *without_points = NULL;

    plot.series = bare;
    plot.series_count = 1;
    plot.is_log_x = true;
    plot.is_log_y = true;
    without_points = svg_of(&plot);

    assert_holds(without_series, ">no points</text>");
    assert_holds(without_points, ">no points</text>");
    assert_holds(without_points, ">nothing</text>");
    assert_holds(without_points, ">cores</text>");
    assert_int_equal(count(without_points, "class=\"plot-mark\""), 1); /* the legend */
}

static void points_stand_where_the_axes_say(void **state)
{
    (void) state;
    static const TracePlotPoint points[] = {{0, 0}, {5, 10}, {10, 5}};
    static const TracePlotSeries series[] = {
        {"a < b", TRACE_PLOT_BOTH, points, 3, NULL}};
    const TracePlot plot = {
        .title = "T", .x = "x", .y = "y", .series = series, .series_count = 1};
    g_autofree char *svg = svg_of(&plot);

    assert_holds(svg, "<polyline points=\"0,340 280,0 560,170\"");
    assert_holds(svg, "<circle cx=\"280\" cy=\"0\"");
    assert_holds(svg, "<title>a &lt; b: 5, 10</title>");
    assert_null(strstr(svg, "no points"));
}

static void a_style_chooses_lines_and_marks(void **state)
{
    (void) state;
    static const struct {
        TracePlotStyle style;
        gsize point_count;
        guint lines;
        guint marks; /* with the one of the legend */
    } rows[] = {
        {TRACE_PLOT_BOTH, 3, 1, 4},     {TRACE_PLOT_LINE, 3, 1, 0},
        {TRACE_PLOT_POINTS, 3, 0, 4},   {TRACE_PLOT_LINE, 1, 0, 2},
        {TRACE_PLOT_BOTH, 64, 1, 65},   {TRACE_PLOT_BOTH, 65, 1, 0},
        {TRACE_PLOT_POINTS, 65, 0, 66}, {TRACE_PLOT_CELLS, 3, 0, 4},
    };
    TracePlotPoint points[65];

    for (gsize i = 0; i < G_N_ELEMENTS(points); i++) {
        points[i] = (TracePlotPoint){(double) i, 1};
    }
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        TracePlotSeries series = {"s", rows[i].style, points, rows[i].point_count,
                                  NULL};
        TracePlot plot = {
            .title = "T", .x = "x", .y = "y", .series = &series, .series_count = 1};
        g_autofree char *svg = svg_of(&plot);

        assert_int_equal(count(svg, "<polyline"), rows[i].lines);
        assert_int_equal(count(svg, "class=\"plot-mark\""), rows[i].marks);
    }
}

/* The end points' cells are as wide on the other side, but not beyond the axes. */
static void cells_reach_half_way_to_the_next(void **state)
{
    (void) state;
    static const TracePlotPoint here[] = {{0, 0}, {10, 10}};
    static const TracePlotPoint there[] = {{2, 0}, {2, 5}};
    static const TracePlotSeries series[] = {
        {"here", TRACE_PLOT_CELLS, here, 2, NULL},
        {"there", TRACE_PLOT_CELLS, there, 2, NULL}};
    TracePlot plot = {
        .title = "T", .x = "x", .y = "y", .series = series, .series_count = 2};
    g_autofree char *svg = svg_of(&plot);

    /* Columns at 0, 112 and 560 of 560 pixels, rows at 340, 170 and 0 of 340. */
    assert_int_equal(count(svg, "class=\"plot-cell\""), 4);
    assert_holds(svg, "<rect x=\"0\" y=\"255\" width=\"56\" height=\"85\"");
    assert_holds(svg, "<rect x=\"336\" y=\"0\" width=\"224\" height=\"85\"");
    assert_holds(svg, "<rect x=\"56\" y=\"255\" width=\"280\" height=\"85\"");
    assert_holds(svg, "<rect x=\"56\" y=\"85\" width=\"280\" height=\"170\"");
}

static void a_single_cell_has_all_the_area(void **state)
{
    (void) state;
    static const TracePlotPoint point[] = {{1, 1}};
    static const TracePlotSeries series[] = {{"s", TRACE_PLOT_CELLS, point, 1, NULL}};
    TracePlot plot = {
        .title = "T", .x = "x", .y = "y", .series = series, .series_count = 1};
    g_autofree char *svg = svg_of(&plot);

    assert_holds(svg, "<rect x=\"0\" y=\"0\" width=\"560\" height=\"340\"");
}

/* The line of a text that begins with `start`; the caller frees it. */
static char *line_of(const char *text, const char *start)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (char **line = lines; *line != NULL; line++) {
        if (g_str_has_prefix(*line, start)) {
            return g_strdup(*line);
        }
    }
    fail_msg("no line begins with '%s':\n%s", start, text);
    return NULL;
}

static void letters_stand_where_the_axes_say(void **state)
{
    (void) state;
    static const TracePlotPoint level[] = {{1, 10}, {100, 10}};
    static const TracePlotPoint slope[] = {{1, 1}, {100, 100}};
    static const TracePlotPoint upright[] = {{100, 1}, {100, 100}};
    static const TracePlotPoint first[] = {{1, 100}};
    static const TracePlotPoint second[] = {{10, 10}, {100, 1}};
    static const TracePlotSeries series[] = {
        {"level", TRACE_PLOT_LINE, level, 2, NULL},
        {NULL, TRACE_PLOT_LINE, slope, 2, NULL},
        {NULL, TRACE_PLOT_LINE, upright, 2, NULL},
        {"first", TRACE_PLOT_POINTS, first, 1, NULL},
        {"second", TRACE_PLOT_BOTH, second, 2, NULL}};
    const TracePlot plot = {.title = "T",
                            .x = "x",
                            .y = "y",
                            .is_log_x = true,
                            .is_log_y = true,
                            .series = series,
                            .series_count = G_N_ELEMENTS(series)};
    g_autofree char *text = trace_plot_to_text(&plot);
    g_autofree char *top = line_of(text, "100 |");
    g_autofree char *middle = line_of(text, " 10 |");
    g_autofree char *bottom = line_of(text, "  1 |");
    g_autofree char *foot = line_of(text, "     1 ");

    assert_true(g_str_has_prefix(text, "T, y\n"));
    assert_int_equal(strlen(top), strlen("100 |") + 64);
    assert_int_equal(top[5], 'a');
    assert_int_equal(top[5 + 63], '|');
    assert_int_equal(middle[5], '-');
    assert_int_equal(middle[5 + 32], 'b');
    assert_int_equal(bottom[5], '/');
    assert_int_equal(bottom[5 + 63], 'b');
    assert_memory_equal(foot + 5 + 32, "10 ", 3);
    assert_string_equal(foot + 5 + 63, "100");
    assert_holds(text, "     - level\n     a first\n     b second\n");
}

static void bands_go_along_the_low_ends_and_back(void **state)
{
    (void) state;
    static const TracePlotPoint points[] = {{0, 5}, {10, 5}};
    static const TracePlotSpan band[] = {{0, 10}, {5, 10}};
    static const TracePlotSeries series[] = {{"s", TRACE_PLOT_BOTH, points, 2, band}};
    const TracePlot plot = {
        .title = "T", .x = "x", .y = "y", .series = series, .series_count = 1};
    g_autofree char *svg = svg_of(&plot);

    /* The area is 560 wide and 340 high; the axis goes from 0 to 10. */
    assert_holds(svg, "points=\"0,340 560,170 560,0 0,0\"");
    assert_int_equal(count(svg, "class=\"plot-band\""), 1);
}

static void stairs_go_level_first(void **state)
{
    (void) state;
    static const TracePlotPoint points[] = {{0, 10}, {5, 5}, {10, 0}};
    static const TracePlotSeries series[] = {{"s", TRACE_PLOT_STAIRS, points, 3, NULL}};
    const TracePlot plot = {
        .title = "T", .x = "x", .y = "y", .series = series, .series_count = 1};
    g_autofree char *svg = svg_of(&plot);

    assert_holds(svg, "points=\"0,0 280,0 280,170 560,170 560,340\"");
    assert_int_equal(count(svg, "class=\"plot-mark\""), 4);
}

static void names_stand_along_the_axis(void **state)
{
    (void) state;
    static const TracePlotPoint points[] = {{1, 1}, {2, 2}};
    static const TracePlotSeries series[] = {{NULL, TRACE_PLOT_BOTH, points, 2, NULL}};
    static const char *const names[] = {"chain", "a < b", NULL};
    const TracePlot plot = {.title = "T",
                            .x = "pattern",
                            .y = "y",
                            .x_names = names,
                            .note = "two < three",
                            .series = series,
                            .series_count = 1};
    g_autofree char *svg = svg_of(&plot);
    g_autofree char *text = trace_plot_to_text(&plot);

    assert_holds(svg, "points=\"140,170 420,0\"");
    assert_holds(svg, ">chain</text>");
    assert_holds(svg, ">a &lt; b</text>");
    assert_holds(svg, ">two &lt; three</text>");
    assert_holds(text, "chain");
    assert_holds(text, "two < three\n");
}

static void letters_of_no_points_are_axes(void **state)
{
    (void) state;
    const TracePlot plot = {.title = "T", .x = "x", .y = "y"};
    g_autofree char *text = trace_plot_to_text(&plot);

    assert_holds(text, " +----");
}

static void a_list_draws_what_was_added(void **state G_GNUC_UNUSED)
{
    static const TracePlotPoint points[] = {{1, 2}, {3, 4}};
    static const TracePlotSpan band[] = {{1, 3}, {2, 5}};
    static const TracePlotSeries series[] = {
        {"one 1", TRACE_PLOT_BOTH, points, 2, band},
        {NULL, TRACE_PLOT_POINTS, points, 1, NULL}};
    TracePlot plot = {.title = "t",
                      .x = "x",
                      .y = "y",
                      .series = series,
                      .series_count = G_N_ELEMENTS(series)};
    g_autofree char *plain = trace_plot_to_svg(&plot);
    g_autoptr(TracePlotList) list = trace_plot_list_new();

    trace_plot_list_series(list, TRACE_PLOT_BOTH, "one %d", 1);
    trace_plot_list_add_span(list, 1, 2, 1, 3);
    trace_plot_list_add_span(list, 3, 4, 2, 5);
    trace_plot_list_series(list, TRACE_PLOT_POINTS, NULL);
    trace_plot_list_add(list, 1, 2);
    plot.series = NULL;
    g_autofree char *svg = trace_plot_list_draw(list, &plot, trace_plot_to_svg);

    assert_string_equal(svg, plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_have_round_ends_and_labels),
        cmocka_unit_test(axes_take_the_largest_and_smallest_numbers),
        cmocka_unit_test(without_points_the_axes_are_drawn),
        cmocka_unit_test(points_stand_where_the_axes_say),
        cmocka_unit_test(a_style_chooses_lines_and_marks),
        cmocka_unit_test(cells_reach_half_way_to_the_next),
        cmocka_unit_test(a_single_cell_has_all_the_area),
        cmocka_unit_test(letters_stand_where_the_axes_say),
        cmocka_unit_test(letters_of_no_points_are_axes),
        cmocka_unit_test(bands_go_along_the_low_ends_and_back),
        cmocka_unit_test(stairs_go_level_first),
        cmocka_unit_test(names_stand_along_the_axis),
        cmocka_unit_test(a_list_draws_what_was_added),
    };

    return cmocka_run_group_tests_name("traces.plot", tests, NULL, NULL);
}
