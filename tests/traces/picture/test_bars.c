/* Panels of bars: lengths in scale, every text there, well-formed whatever comes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/traces/picture.h"
#include "traces/picture/bar_list.h"

/* The width of the bar of that title; -1 where there is none. */
static double width_of(const char *svg, const char *title)
{
    g_autofree char *pattern = g_strdup_printf(
        "width=\"([0-9.]+)\"[^>]*class=\"bars-bar\"[^>]*><title>%s</title>", title);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;

    if (!g_regex_match(regex, svg, 0, &match)) {
        return -1;
    }
    g_autofree char *width = g_match_info_fetch(match, 1);

    return g_ascii_strtod(width, NULL);
}

static void bars_share_the_scale_of_their_panel(void **state G_GNUC_UNUSED)
{
    static const TraceBar times[] = {
        {"a", "4 s", 4, 0}, {"b", "1 s", 1, 0}, {"c", "none", NAN, 0}};
    static const TraceBar percents[] = {{"d", "25 %", 25, 0}, {"e", "130 %", 130, 0}};
    static const TraceBarPanel panels[] = {
        {.title = "time", .bars = times, .bar_count = 3},
        {.title = "roofs",
         .note = "a note",
         .full = 100,
         .bars = percents,
         .bar_count = 2},
    };
    const TraceBars bars = {.title = "whole", .panels = panels, .panel_count = 2};
    g_autofree char *svg = trace_bars_to_svg(&bars);
    Picture picture = picture_read(svg);
    const double whole = width_of(svg, "a: 4 s");

    assert_true(whole > 100);
    assert_true(fabs(width_of(svg, "b: 1 s") - whole / 4) < 0.01);
    assert_true(width_of(svg, "c: none") < 0);
    assert_true(fabs(width_of(svg, "d: 25 %") - whole / 4) < 0.01);
    assert_true(width_of(svg, "e: 130 %") == whole);
    assert_true(picture_says(&picture, "whole"));
    assert_true(picture_says(&picture, "time"));
    assert_true(picture_says(&picture, "a note"));
    assert_true(picture_says(&picture, "none"));
    picture_clear(&picture);
}

static void nothing_and_zero_are_drawn_too(void **state G_GNUC_UNUSED)
{
    static const TraceBar zero[] = {{"<a>", "0 & \"", 0, 0}};
    static const TraceBarPanel panels[] = {
        {.title = "empty"},
        {.title = "zero", .bars = zero, .bar_count = 1},
    };
    const TraceBars bars = {.title = "t", .panels = panels, .panel_count = 2};
    g_autofree char *svg = trace_bars_to_svg(&bars);
    Picture picture = picture_read(svg);

    assert_true(picture_says(&picture, "<a>"));
    assert_true(picture_says(&picture, "empty"));
    picture_clear(&picture);
}

static void marks_share_the_scale_of_the_bars(void **state G_GNUC_UNUSED)
{
    static const TraceBar values[] = {
        {"a", "2", 2, 0}, {"b", "1, 4", 1, 4}, {"c", "none, 1", NAN, 1}};
    static const TraceBarPanel panels[] = {
        {.title = "p", .bars = values, .bar_count = 3}};
    const TraceBars bars = {.title = "t", .panels = panels, .panel_count = 1};
    g_autofree char *svg = trace_bars_to_svg(&bars);
    g_autoptr(GRegex) regex =
        g_regex_new("<line x1=\"([0-9.]+)\"[^>]*class=\"bars-mark\"", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;

    assert_true(g_regex_match(regex, svg, 0, &match));
    g_autofree char *far = g_match_info_fetch(match, 1);

    assert_true(g_match_info_next(match, NULL));
    g_autofree char *near = g_match_info_fetch(match, 1);

    assert_false(g_match_info_next(match, NULL));
    /* The mark of 4 is the longest: a bar of 2 is half of that, 1 a quarter. */
    assert_true(fabs(g_ascii_strtod(far, NULL) - g_ascii_strtod(near, NULL) -
                     1.5 * width_of(svg, "a: 2")) < 0.02);
    assert_true(fabs(width_of(svg, "b: 1, 4") - width_of(svg, "a: 2") / 2) < 0.02);
}

static void long_words_make_it_wider(void **state G_GNUC_UNUSED)
{
    g_autofree char *words = g_strnfill(150, 'w');
    const TraceBarPanel panels[] = {{.title = "t", .note = words}};
    const TraceBarPanel plain[] = {{.title = "t"}};
    const TraceBars bars = {.title = "t", .panels = panels, .panel_count = 1};
    const TraceBars narrow = {.title = "t", .panels = plain, .panel_count = 1};
    g_autofree char *wide_svg = trace_bars_to_svg(&bars);
    g_autofree char *narrow_svg = trace_bars_to_svg(&narrow);
    Picture wide_picture = picture_read(wide_svg);
    Picture narrow_picture = picture_read(narrow_svg);

    assert_true(wide_picture.width > 900);
    assert_true(narrow_picture.width < 500);
    picture_clear(&wide_picture);
    picture_clear(&narrow_picture);
}

static void a_list_draws_what_was_added(void **state G_GNUC_UNUSED)
{
    static const TraceBar bars[] = {{"a", "4 s", 4, 2}, {"b", "1 s", 1, 0}};
    static const TraceBar more[] = {{"c", "none", NAN, 8}};
    static const TraceBarPanel panels[] = {
        {.title = "time 1", .full = 8, .bars = bars, .bar_count = 2},
        {.title = "more", .note = "a note", .full = 8, .bars = more, .bar_count = 1}};
    g_autofree char *plain = trace_bars_to_svg(
        &(TraceBars){.title = "T 7", .panels = panels, .panel_count = 2});
    g_autoptr(TraceBarList) list = trace_bar_list_new("T %d", 7);

    trace_bar_list_panel(list, "time %d", 1);
    trace_bar_list_add(list, "a", 4, 2, "%d s", 4);
    trace_bar_list_add(list, "b", 1, 0, "%d s", 1);
    trace_bar_list_panel(list, "more");
    trace_bar_list_add(list, "c", NAN, 8, "none");
    trace_bar_list_note(list, "a %s", "note");
    trace_bar_list_share_scale(list);
    g_autofree char *svg = trace_bar_list_to_svg(list);

    assert_string_equal(svg, plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_share_the_scale_of_their_panel),
        cmocka_unit_test(nothing_and_zero_are_drawn_too),
        cmocka_unit_test(marks_share_the_scale_of_the_bars),
        cmocka_unit_test(long_words_make_it_wider),
        cmocka_unit_test(a_list_draws_what_was_added),
    };

    return cmocka_run_group_tests_name("traces.bars", tests, NULL, NULL);
}
