/* Panels of numbered points: each point in its place with its number, panels apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/traces/picture.h"
#include "traces/picture/panels.h"

static const TracePlotPoint line[] = {{1, 1}, {4, 4}, {10, 4}};
static const TracePlotPoint points[] = {{1, 1}, {2, 2}, {4, 4}};
static const TracePlotPoint lower[] = {{2, 1}, {4, 1}};
static const TracePanelSeries series[] = {
    {.is_line = true, .points = line, .point_count = 3},
    {.name = "high", .points = points, .point_count = 3},
    {.name = "low", .colour = 1, .first = 2, .points = lower, .point_count = 2},
};
static const TracePanel panels[] = {
    {.title = "one",
     .x = "across",
     .y = "up",
     .is_log = true,
     .note = "below one",
     .series = series,
     .series_count = 3},
    {.title = "two",
     .x = "across",
     .y = "up",
     .is_log = true,
     .series = series,
     .series_count = 2},
    {.title = "three", .x = "across", .y = "up"},
};

static char *draw(gsize panel_count, gsize column_count)
{
    static const char *const notes[] = {"a note", NULL};

    return trace_panels_to_svg(&(TracePanels){.title = "all",
                                              .panels = panels,
                                              .panel_count = panel_count,
                                              .column_count = column_count,
                                              .notes = notes});
}

/* Where the circle of that title stands, and its number behind it. */
static TracePlotPoint circle_at(const char *svg, const char *title, const char *number)
{
    g_autofree char *pattern =
        g_strdup_printf("<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"[^>]*><title>%s"
                        "</title></circle>\\s*<text [^>]*>%s</text>",
                        title, number);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;

    assert_true(g_regex_match(regex, svg, 0, &match));
    g_autofree char *x = g_match_info_fetch(match, 1);
    g_autofree char *y = g_match_info_fetch(match, 2);

    return (TracePlotPoint){g_ascii_strtod(x, NULL), g_ascii_strtod(y, NULL)};
}

static void plain_points_carry_none(void **state G_GNUC_UNUSED)
{
    const TracePanelSeries plain = {
        .name = "high", .is_plain = true, .points = points, .point_count = 3};
    const TracePanel panel = {
        .title = "one", .x = "across", .y = "up", .series = &plain, .series_count = 1};
    g_autofree char *svg = trace_panels_to_svg(&(TracePanels){
        .title = "all", .panels = &panel, .panel_count = 1, .column_count = 1});

    assert_non_null(strstr(svg, "<title>high: 2, 2</title>"));
    assert_null(strstr(svg, "high, 2"));
}

static void points_carry_their_numbers(void **state G_GNUC_UNUSED)
{
    g_autofree char *svg = draw(1, 1);
    Picture picture = picture_read(svg);
    const TracePlotPoint one = circle_at(svg, "high, 1: 1, 1", "1");
    const TracePlotPoint two = circle_at(svg, "high, 2: 2, 2", "2");
    const TracePlotPoint four = circle_at(svg, "high, 3: 4, 4", "3");

    assert_true(fabs((four.x - two.x) - (two.x - one.x)) < 0.02);
    assert_true(fabs((four.y - two.y) - (two.y - one.y)) < 0.02);
    assert_true(four.x > one.x && four.y < one.y);
    /* Squares, from 2 on. */
    assert_non_null(picture_titled(&picture, "low, 2: 2, 1"));
    assert_non_null(picture_titled(&picture, "low, 3: 4, 1"));
    assert_int_equal(picture_count_titles(&picture), 2);
    assert_true(picture_says(&picture, "high"));
    assert_true(picture_says(&picture, "low"));
    assert_true(picture_says(&picture, "below one"));
    assert_true(picture_says(&picture, "a note"));
    picture_clear(&picture);
}

static void panels_stand_in_columns(void **state G_GNUC_UNUSED)
{
    g_autofree char *single = draw(1, 1);
    g_autofree char *row = draw(2, 2);
    g_autofree char *square = draw(3, 2);
    Picture small = picture_read(single);
    Picture wide = picture_read(row);
    Picture large = picture_read(square);

    assert_true(wide.width > 1.8 * small.width && wide.width < 2.1 * small.width);
    assert_true(wide.height == small.height);
    assert_true(large.width == wide.width);
    assert_true(large.height > 1.7 * small.height);
    assert_true(picture_says(&large, "three"));
    picture_clear(&small);
    picture_clear(&wide);
    picture_clear(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_carry_their_numbers),
        cmocka_unit_test(plain_points_carry_none),
        cmocka_unit_test(panels_stand_in_columns),
    };

    return cmocka_run_group_tests_name("traces.panels", tests, NULL, NULL);
}
