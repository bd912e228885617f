/* Pictures of rooflines: lines and marks where the numbers put them, labels apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/picture/roofline/labels.h"
#include "traces/picture/roofline_chart.h"

/* Two memories and two units, a run with a mark under each memory. */
static const TraceRooflineLine lines[] = {
    {"peak 100 GFLOP/s", 100e9, true},
    {"half 50 GFLOP/s", 50e9, true},
    {"SRAM 100 GB/s", 100e9, false},
    {"DRAM 10 GB/s", 10e9, false},
};
static const TraceRooflineStep steps[] = {{0.9, 4e9}, {1.1, 6e9}, {1, 5e9}};
static const TraceRooflineMark marks[] = {
    {.label = "A SRAM", .title = "title of SRAM", .intensity = 0.1, .rate = 5e9},
    {.label = "A DRAM",
     .title = "title of DRAM",
     .intensity = 1,
     .rate = 5e9,
     .steps = steps,
     .step_count = G_N_ELEMENTS(steps)},
};

static char *draw(TraceRooflineOrigin origin, bool is_published)
{
    const TraceRooflineSeries series = {"A run", origin, marks, G_N_ELEMENTS(marks)};
    const TraceRooflineChip chip = {
        .name = "a < chip",
        .is_published = is_published,
        .lines = lines,
        .line_count = G_N_ELEMENTS(lines),
        .series = &series,
        .series_count = 1,
    };
    const TraceRooflineChart chart = {
        .title = "Title", .rate = "rate [GFLOP/s]", .chips = &chip, .chip_count = 1};

    return trace_roofline_chart_to_svg(&chart);
}

/* How often `part` stands in `text`. */
static guint count_of(const char *text, const char *part)
{
    guint count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

static void a_path_is_a_line_with_a_dot_for_each_step(void **state G_GNUC_UNUSED)
{
    g_autofree char *svg = draw(TRACE_ROOFLINE_SIMULATED, false);

    assert_int_equal(count_of(svg, "class=\"roof-path\""), 1);
    assert_int_equal(count_of(svg, "class=\"roof-step\""), G_N_ELEMENTS(steps));
}

static void roofs_and_runs_are_named_twice(void **state G_GNUC_UNUSED)
{
    g_autofree char *svg = draw(TRACE_ROOFLINE_SIMULATED, false);

    /* As a tip, along the line, and in the legend. */
    for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
        assert_int_equal(count_of(svg, lines[i].label), 3);
    }
    assert_int_equal(count_of(svg, ">A SRAM<"), 1);
    assert_int_equal(count_of(svg, "title of DRAM"), 1);
    assert_int_equal(count_of(svg, "a &lt; chip"), 1);
    assert_int_equal(count_of(svg, "operations per byte [FLOP/B]"), 1);
    assert_int_equal(count_of(svg, "rate [GFLOP/s]"), 1);
}

static void origins_look_different(void **state G_GNUC_UNUSED)
{
    g_autofree char *simulated = draw(TRACE_ROOFLINE_SIMULATED, false);
    g_autofree char *measured = draw(TRACE_ROOFLINE_MEASURED, false);
    g_autofree char *published = draw(TRACE_ROOFLINE_PUBLISHED, true);

    /* Two marks and the one of the legend. */
    assert_int_equal(count_of(simulated, "class=\"roof-mark\""), 3);
    assert_int_equal(count_of(measured, "class=\"roof-measured\""), 3);
    assert_int_equal(count_of(published, "class=\"roof-hollow\""), 3);
    assert_int_equal(count_of(simulated, "roof-published\""), 0);
    assert_int_equal(count_of(published, "roof-published\""), 8);
}

typedef struct {
    double x1;
    double y1;
    double x2;
    double y2;
} Segment;

/* The line whose tip is `label`. */
static Segment segment_of(const char *svg, const char *label)
{
    g_autofree char *tip = g_strdup_printf("<title>%s</title></line>", label);
    const char *end = strstr(svg, tip);
    Segment segment = {0};
    const char *start;

    assert_non_null(end);
    start = g_strrstr_len(svg, end - svg, "<line");
    assert_int_equal(sscanf(start, "<line x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\"",
                            &segment.x1, &segment.y1, &segment.x2, &segment.y2),
                     4);
    return segment;
}

static void slopes_end_where_the_peak_begins(void **state G_GNUC_UNUSED)
{
    g_autofree char *svg = draw(TRACE_ROOFLINE_SIMULATED, false);
    const Segment peak = segment_of(svg, lines[0].label);
    const Segment half = segment_of(svg, lines[1].label);
    const Segment sram = segment_of(svg, lines[2].label);
    const Segment dram = segment_of(svg, lines[3].label);
    /* Ridges of 1 and 10 FLOP/B are a decade apart. */
    const double decade = dram.x2 - sram.x2;

    assert_true(peak.y1 == peak.y2 && half.y1 == half.y2 && peak.y1 < half.y1);
    assert_true(fabs(sram.x2 - peak.x1) < 0.02 && fabs(sram.y2 - peak.y1) < 0.02);
    assert_true(fabs(dram.y2 - peak.y1) < 0.02);
    /* Both are as steep, and half a peak is log10(2) decades below and to the left. */
    assert_true(fabs((sram.y1 - sram.y2) / (sram.x2 - sram.x1) -
                     (dram.y1 - dram.y2) / (dram.x2 - dram.x1)) < 1e-3);
    assert_true(fabs((peak.x1 - half.x1) / decade - log10(2)) < 1e-3);
}

static void slopes_without_a_peak_reach_the_edge(void **state G_GNUC_UNUSED)
{
    const TraceRooflineSeries series = {"A run", TRACE_ROOFLINE_SIMULATED, marks,
                                        G_N_ELEMENTS(marks)};
    const TraceRooflineChip chip = {.name = "no peak",
                                    .lines = &lines[2],
                                    .line_count = 2,
                                    .series = &series,
                                    .series_count = 1};
    g_autofree char *svg = trace_roofline_chart_to_svg(&(TraceRooflineChart){
        .title = "Title", .rate = "rate", .chips = &chip, .chip_count = 1});
    const Segment sram = segment_of(svg, lines[2].label);
    const Segment dram = segment_of(svg, lines[3].label);

    assert_true(sram.x2 > sram.x1 && dram.x2 > sram.x2);
}

static void labels_stay_apart(void **state G_GNUC_UNUSED)
{
    g_auto(TraceRooflineLabels) labels = {0};
    const TraceRooflinePlace places[] = {{.x = 10, .y = 50}, {.x = 10, .y = 80}};

    trace_roofline_labels_init(&labels, 200, 100);
    assert_ptr_equal(trace_roofline_labels_take(&labels, places, 2, 60), &places[0]);
    /* The first is taken, the second is not; then both are. */
    assert_ptr_equal(trace_roofline_labels_take(&labels, places, 2, 60), &places[1]);
    assert_null(trace_roofline_labels_take(&labels, places, 2, 60));
}

/* A text's corners, as far as its letters reach. */
typedef struct {
    double x[4];
    double y[4];
    char *text;
} Box;

static void box_clear(gpointer data)
{
    g_free(((Box *) data)->text);
}

static double attribute(const char *tag, const char *name, double otherwise)
{
    const char *at = g_strstr_len(tag, strchr(tag, '>') - tag, name);

    return at != NULL ? g_ascii_strtod(at + strlen(name), NULL) : otherwise;
}

static Box box_of(const char *tag)
{
    const char *text = strchr(tag, '>') + 1;
    Box box = {.text = g_strndup(text, strcspn(text, "<"))};
    const bool is_turned = g_strstr_len(tag, strchr(tag, '>') - tag, "rotate(") != NULL;
    const double angle = attribute(tag, "rotate(", 0) * G_PI / 180;
    const char *moved = strstr(tag, "translate(");
    const double width = 5.6 * (double) strlen(box.text);
    const bool is_end =
        g_strstr_len(tag, strchr(tag, '>') - tag, "text-anchor=\"end\"") != NULL;
    const double left = is_end ? -width : 0;
    double x = attribute(tag, " x=\"", 0);
    double y = attribute(tag, " y=\"", 0);

    if (is_turned) {
        assert_int_equal(sscanf(moved, "translate(%lf %lf)", &x, &y), 2);
    }
    for (int i = 0; i < 4; i++) {
        const double along = left + (i == 1 || i == 2 ? width : 0);
        const double up = i < 2 ? -1 : 8; /* letters between their feet and heads */

        box.x[i] = x + along * cos(angle) + up * sin(angle);
        box.y[i] = y + along * sin(angle) - up * cos(angle);
    }
    return box;
}

/* Does a line along one side of `a` part both? */
static bool is_parted_by(const Box *a, const Box *b)
{
    for (int i = 0; i < 2; i++) {
        const double nx = a->x[i + 1] - a->x[i];
        const double ny = a->y[i + 1] - a->y[i];
        double low[2] = {INFINITY, INFINITY};
        double high[2] = {-INFINITY, -INFINITY};

        for (int k = 0; k < 8; k++) {
            const Box *box = k < 4 ? a : b;
            const double at = nx * box->x[k % 4] + ny * box->y[k % 4];

            low[k / 4] = fmin(low[k / 4], at);
            high[k / 4] = fmax(high[k / 4], at);
        }
        if (high[0] <= low[1] || high[1] <= low[0]) {
            return true;
        }
    }
    return false;
}

static void assert_labels_are_apart(const char *svg, guint least)
{
    g_autoptr(GArray) boxes = g_array_new(FALSE, FALSE, sizeof(Box));

    g_array_set_clear_func(boxes, box_clear);
    for (const char *at = strstr(svg, "<text"); at != NULL;
         at = strstr(at + 1, "<text")) {
        if (g_strstr_len(at, strchr(at, '>') - at, "\"roof-label\"") != NULL) {
            const Box box = box_of(at);

            g_array_append_val(boxes, box);
        }
    }
    assert_true(boxes->len >= least);
    for (guint i = 0; i < boxes->len; i++) {
        for (guint k = 0; k < i; k++) {
            const Box *a = &g_array_index(boxes, Box, i);
            const Box *b = &g_array_index(boxes, Box, k);

            if (!is_parted_by(a, b) && !is_parted_by(b, a)) {
                fail_msg("\"%s\" and \"%s\" lie on each other", a->text, b->text);
            }
        }
    }
}

/* Chips whose roofs nearly agree, and runs that crowd below them. */
static void labels_of_crowded_pictures_are_apart(void **state G_GNUC_UNUSED)
{
    static const double factors[] = {1.02, 1.3, 2, 10};

    for (gsize f = 0; f < G_N_ELEMENTS(factors); f++) {
        TraceRooflineLine roofs[4][G_N_ELEMENTS(lines)];
        TraceRooflineMark points[4][G_N_ELEMENTS(marks)];
        TraceRooflineSeries series[4];
        TraceRooflineChip chips[4];

        for (int c = 0; c < 4; c++) {
            const double factor = pow(factors[f], c);

            for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
                roofs[c][i] = lines[i];
                roofs[c][i].value *= factor;
            }
            for (gsize i = 0; i < G_N_ELEMENTS(marks); i++) {
                points[c][i] = marks[i];
                points[c][i].rate *= factor;
            }
            series[c] = (TraceRooflineSeries){"A run", TRACE_ROOFLINE_SIMULATED,
                                              points[c], G_N_ELEMENTS(marks)};
            chips[c] = (TraceRooflineChip){.name = "chip",
                                           .lines = roofs[c],
                                           .line_count = G_N_ELEMENTS(lines),
                                           .series = &series[c],
                                           .series_count = 1};
        }
        const char *const notes[] = {"a note"};
        g_autofree char *svg =
            trace_roofline_chart_to_svg(&(TraceRooflineChart){.title = "Title",
                                                              .rate = "rate [FLOP/s]",
                                                              .notes = notes,
                                                              .note_count = 1,
                                                              .chips = chips,
                                                              .chip_count = 4});

        assert_labels_are_apart(svg, 8);
        assert_int_equal(count_of(svg, ">a note<"), 1);
    }
}

static void labels_stay_inside(void **state G_GNUC_UNUSED)
{
    g_auto(TraceRooflineLabels) labels = {0};
    const TraceRooflinePlace across[] = {{.x = 10, .y = 50}, {.x = 60, .y = 50}};
    const TraceRooflinePlace turned = {.x = 100, .y = 90, .angle = -G_PI / 2};

    trace_roofline_labels_init(&labels, 200, 100);
    assert_null(trace_roofline_labels_take(&labels, across, 2, 250));
    assert_ptr_equal(trace_roofline_labels_take(&labels, across + 1, 1, 100),
                     &across[1]);
    assert_null(trace_roofline_labels_take(&labels, &turned, 1, 120));
}

static void labels_keep_off_marks_and_lines(void **state G_GNUC_UNUSED)
{
    g_auto(TraceRooflineLabels) labels = {0};
    const TraceRooflinePlace places[] = {
        {.x = 10, .y = 30}, {.x = 10, .y = 60}, {.x = 10, .y = 90}};

    trace_roofline_labels_init(&labels, 200, 100);
    trace_roofline_labels_add_mark(&labels, 40, 28);
    /* Along the second, across the third. */
    trace_roofline_labels_add_line(&labels, (TraceSvgPoint){0, 56},
                                   (TraceSvgPoint){200, 56});
    trace_roofline_labels_add_line(&labels, (TraceSvgPoint){50, 75},
                                   (TraceSvgPoint){50, 99});
    assert_null(trace_roofline_labels_take(&labels, places, 2, 80));
    assert_ptr_equal(trace_roofline_labels_take(&labels, places, 3, 80), &places[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_a_line_with_a_dot_for_each_step),
        cmocka_unit_test(roofs_and_runs_are_named_twice),
        cmocka_unit_test(origins_look_different),
        cmocka_unit_test(slopes_end_where_the_peak_begins),
        cmocka_unit_test(slopes_without_a_peak_reach_the_edge),
        cmocka_unit_test(labels_stay_apart),
        cmocka_unit_test(labels_of_crowded_pictures_are_apart),
        cmocka_unit_test(labels_stay_inside),
        cmocka_unit_test(labels_keep_off_marks_and_lines),
    };

    return cmocka_run_group_tests_name("traces.roofline_chart", tests, NULL, NULL);
}
