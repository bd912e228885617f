/* Ladders: numbers where their values are, on both sides of the limit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/traces/picture.h"
#include "traces/picture/ladder.h"

/* The number behind `before` in the text; fails the test where it is not there. */
static double number_behind(const char *text, const char *before)
{
    const char *at = g_strstr_len(text, -1, before);

    assert_non_null(at);
    return g_ascii_strtod(at + strlen(before), NULL);
}

/* Where the circle of that title stands. */
static double circle_x(const char *svg, const char *title)
{
    g_autofree char *pattern =
        g_strdup_printf("<circle cx=\"([0-9.]+)\"[^>]*><title>%s</title>", title);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;

    assert_true(g_regex_match(regex, svg, 0, &match));
    g_autofree char *x = g_match_info_fetch(match, 1);

    return g_ascii_strtod(x, NULL);
}

static void numbers_stand_on_a_logarithmic_axis(void **state G_GNUC_UNUSED)
{
    static const double first[] = {1, 10, 100};
    static const double second[] = {5};
    static const TraceLadderRow rows[] = {
        {.label = "one", .values = first, .value_count = 3},
        {.label = "two", .values = second, .value_count = 1, .colour = 1},
    };
    static const char *const notes[] = {"a note", NULL};
    const TraceLadder ladder = {.title = "all",
                                .x = "size",
                                .limit = 10,
                                .limit_text = "limit 10",
                                .below = "small",
                                .above = "large",
                                .rows = rows,
                                .row_count = 2,
                                .notes = notes};
    g_autofree char *svg = trace_ladder_to_svg(&ladder);
    Picture picture = picture_read(svg);
    const double low = circle_x(svg, "one, 1: 1");
    const double middle = circle_x(svg, "one, 2: 10");
    const double high = circle_x(svg, "one, 3: 100");
    const double limit =
        number_behind(strstr(svg, "ladder-limit\"") - 60, "<line x1=\"");

    assert_true(high - middle > 100);
    assert_true(fabs((high - middle) - (middle - low)) < 0.02);
    assert_true(fabs(limit - middle) < 0.02);
    assert_int_equal(picture_count_titles(&picture), 1);
    assert_true(picture_says(&picture, "one"));
    assert_true(picture_says(&picture, "limit 10"));
    assert_true(picture_says(&picture, "small"));
    assert_true(picture_says(&picture, "large"));
    assert_true(picture_says(&picture, "3"));
    assert_true(picture_says(&picture, "a note"));
    picture_clear(&picture);
}

static void nothing_is_drawn_too(void **state G_GNUC_UNUSED)
{
    const TraceLadder ladder = {.title = "<&",
                                .x = "x",
                                .limit = 1,
                                .limit_text = "l",
                                .below = "b",
                                .above = "a"};
    g_autofree char *svg = trace_ladder_to_svg(&ladder);
    Picture picture = picture_read(svg);

    assert_true(picture_says(&picture, "<&"));
    picture_clear(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stand_on_a_logarithmic_axis),
        cmocka_unit_test(nothing_is_drawn_too),
    };

    return cmocka_run_group_tests_name("traces.ladder", tests, NULL, NULL);
}
