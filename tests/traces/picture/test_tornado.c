/* Bars to both sides of a number: lengths in scale, texts there, whatever comes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/traces/picture.h"
#include "traces/picture/tornado.h"

/* A number of the bar of that title; -1 where there is none. */
static double attribute_of(const char *svg, const char *name, const char *title)
{
    g_autofree char *pattern = g_strdup_printf(
        "<rect [^>]*%s=\"([0-9.]+)\"[^>]*><title>%s</title>", name, title);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;

    if (!g_regex_match(regex, svg, 0, &match)) {
        return -1;
    }
    g_autofree char *number = g_match_info_fetch(match, 1);

    return g_ascii_strtod(number, NULL);
}

static TraceTornado
tornado_of(const TraceTornadoBar *bars, gsize count, double low, double high)
{
    return (TraceTornado){.title = "whole",
                          .x = "us",
                          .note = "rank",
                          .value = 10,
                          .low = low,
                          .high = high,
                          .band_text = "a band",
                          .bars = bars,
                          .bar_count = count};
}

static void bars_begin_at_the_value(void **state G_GNUC_UNUSED)
{
    static const TraceTornadoEnd wide[] = {{TRACE_TORNADO_LOW, "5", 8},
                                           {TRACE_TORNADO_HIGH, "9", 14}};
    static const TraceTornadoEnd word[] = {{TRACE_TORNADO_OTHER, "wrap", 11}};
    static const TraceTornadoBar bars[] = {{"key.a", "+0.9", wide, 2},
                                           {"key.b", "-", word, 1}};
    const TraceTornado tornado = tornado_of(bars, 2, 9, 12);
    g_autofree char *svg = trace_tornado_to_svg(&tornado);
    Picture picture = picture_read(svg);
    const double below = attribute_of(svg, "width", "key.a = 5: 8");
    const double above = attribute_of(svg, "width", "key.a = 9: 14");

    assert_true(fabs(above - 2 * below) < 0.02);
    assert_true(fabs(attribute_of(svg, "width", "key.b = wrap: 11") - below / 2) <
                0.02);
    assert_true(fabs(attribute_of(svg, "x", "key.a = 5: 8") + below -
                     attribute_of(svg, "x", "key.a = 9: 14")) < 0.02);
    assert_true(picture_says(&picture, "whole"));
    assert_true(picture_says(&picture, "key.b"));
    assert_true(picture_says(&picture, "wrap"));
    assert_true(picture_says(&picture, "a band"));
    assert_true(picture_says(&picture, "another choice"));
    picture_clear(&picture);
}

/* Both ends may make a run slower: the shorter bar is in front, and not as tall. */
static void bars_on_one_side_are_both_seen(void **state G_GNUC_UNUSED)
{
    static const TraceTornadoEnd ends[] = {{TRACE_TORNADO_LOW, "1", 12},
                                           {TRACE_TORNADO_HIGH, "4", 15}};
    static const TraceTornadoBar bars[] = {{"key.a", "+0.9", ends, 2}};
    const TraceTornado tornado = tornado_of(bars, 1, 9, 12);
    g_autofree char *svg = trace_tornado_to_svg(&tornado);

    assert_true(attribute_of(svg, "height", "key.a = 1: 12") <
                attribute_of(svg, "height", "key.a = 4: 15"));
    assert_true(g_strstr_len(svg, -1, "key.a = 4: 15") <
                g_strstr_len(svg, -1, "key.a = 1: 12"));
}

static void nothing_and_failures_are_drawn_too(void **state G_GNUC_UNUSED)
{
    static const TraceTornadoEnd ends[] = {{TRACE_TORNADO_LOW, "<1>", NAN}};
    static const TraceTornadoBar bars[] = {{"key & co", "-", ends, 1}};
    const TraceTornado failed = tornado_of(bars, 1, NAN, NAN);
    const TraceTornado empty = tornado_of(NULL, 0, NAN, NAN);
    g_autofree char *svg = trace_tornado_to_svg(&failed);
    g_autofree char *empty_svg = trace_tornado_to_svg(&empty);
    Picture picture = picture_read(svg);
    Picture empty_picture = picture_read(empty_svg);

    assert_true(picture_says(&picture, "key & co"));
    assert_false(picture_says(&picture, "a band"));
    assert_true(picture_says(&empty_picture, "whole"));
    picture_clear(&picture);
    picture_clear(&empty_picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_begin_at_the_value),
        cmocka_unit_test(bars_on_one_side_are_both_seen),
        cmocka_unit_test(nothing_and_failures_are_drawn_too),
    };

    return cmocka_run_group_tests_name("traces.tornado", tests, NULL, NULL);
}
