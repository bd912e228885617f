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
    g_autoptr(TraceBarList) bars = trace_bar_list_new("whole");

    trace_bar_list_panel(bars, "time");
    trace_bar_list_add(bars, "a", 4, 0, "4 s");
    trace_bar_list_add(bars, "b", 1, 0, "1 s");
    trace_bar_list_add(bars, "c", NAN, 0, "none");
    trace_bar_list_panel(bars, "roofs");
    trace_bar_list_add(bars, "d", 25, 0, "25 %%");
    trace_bar_list_add(bars, "e", 130, 0, "130 %%");
    trace_bar_list_note(bars, "a note");
    trace_bar_list_scale(bars, 100);
    g_autofree char *svg = trace_bar_list_to_svg(bars);
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
    g_autoptr(TraceBarList) bars = trace_bar_list_new("t");

    trace_bar_list_panel(bars, "empty");
    trace_bar_list_panel(bars, "zero");
    trace_bar_list_add(bars, "<a>", 0, 0, "0 & \"");
    g_autofree char *svg = trace_bar_list_to_svg(bars);
    Picture picture = picture_read(svg);

    assert_true(picture_says(&picture, "<a>"));
    assert_true(picture_says(&picture, "empty"));
    picture_clear(&picture);
}

static void marks_share_the_scale_of_the_bars(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceBarList) bars = trace_bar_list_new("t");

    trace_bar_list_panel(bars, "p");
    trace_bar_list_add(bars, "a", 2, 0, "2");
    trace_bar_list_add(bars, "b", 1, 4, "1, 4");
    trace_bar_list_add(bars, "c", NAN, 1, "none, 1");
    g_autofree char *svg = trace_bar_list_to_svg(bars);
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
    g_autoptr(TraceBarList) bars = trace_bar_list_new("t");

    trace_bar_list_panel(bars, "t");
    g_autofree char *narrow_svg = trace_bar_list_to_svg(bars);

    trace_bar_list_note(bars, "%s", words);
    g_autofree char *wide_svg = trace_bar_list_to_svg(bars);
    Picture wide_picture = picture_read(wide_svg);
    Picture narrow_picture = picture_read(narrow_svg);

    assert_true(wide_picture.width > 900);
    assert_true(narrow_picture.width < 500);
    picture_clear(&wide_picture);
    picture_clear(&narrow_picture);
}

static void panels_may_share_a_scale(void **state G_GNUC_UNUSED)
{
    g_autoptr(TraceBarList) list = trace_bar_list_new("T %d", 7);

    trace_bar_list_panel(list, "time %d", 1);
    trace_bar_list_add(list, "a", 4, 2, "%d s", 4);
    trace_bar_list_add(list, "b", 1, 0, "%d s", 1);
    trace_bar_list_panel(list, "more");
    trace_bar_list_add(list, "c", NAN, 8, "none");
    trace_bar_list_note(list, "a %s", "note");
    g_autofree char *own = trace_bar_list_to_svg(list);

    trace_bar_list_share_scale(list);
    g_autofree char *shared = trace_bar_list_to_svg(list);
    Picture picture = picture_read(shared);

    assert_true(fabs(width_of(shared, "a: 4 s") - width_of(own, "a: 4 s") / 2) < 0.02);
    assert_true(picture_says(&picture, "T 7"));
    assert_true(picture_says(&picture, "time 1"));
    assert_true(picture_says(&picture, "a note"));
    picture_clear(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_share_the_scale_of_their_panel),
        cmocka_unit_test(nothing_and_zero_are_drawn_too),
        cmocka_unit_test(marks_share_the_scale_of_the_bars),
        cmocka_unit_test(long_words_make_it_wider),
        cmocka_unit_test(panels_may_share_a_scale),
    };

    return cmocka_run_group_tests_name("traces.bars", tests, NULL, NULL);
}
