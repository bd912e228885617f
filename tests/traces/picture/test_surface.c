/* Surfaces: a cell for every number, colours in order, well-formed whatever comes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/traces/picture.h"
#include "traces/picture/surface.h"

static const double columns[] = {2, 4, 6};
static const double rows[] = {32, 64};

static TraceSurface surface_of(const double *values)
{
    return (TraceSurface){
        .title = "a title",
        .x = "steps",
        .y = "points",
        .unit = "time, s",
        .note = "a note",
        .columns = columns,
        .column_count = G_N_ELEMENTS(columns),
        .rows = rows,
        .row_count = G_N_ELEMENTS(rows),
        .values = values,
        .mark = "the least",
        .mark_column = 1,
        .mark_row = 0,
    };
}

/* The colour of the cell that says this; NULL where there is none. */
static char *colour_of(const char *svg, const char *title)
{
    g_autofree char *pattern =
        g_strdup_printf("fill=\"(#[0-9a-f]{6})\"[^>]*><title>%s</title>", title);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;

    return g_regex_match(regex, svg, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

static void cells_have_colours_in_the_order_of_values(void **state G_GNUC_UNUSED)
{
    static const double values[] = {2, 1, 2, 3, NAN, 1.5};
    const TraceSurface surface = surface_of(values);
    g_autofree char *svg = trace_surface_to_svg(&surface);
    g_autofree char *least = colour_of(svg, "4; 32: 1");
    g_autofree char *most = colour_of(svg, "2; 64: 3");
    g_autofree char *left = colour_of(svg, "2; 32: 2");
    g_autofree char *right = colour_of(svg, "6; 32: 2");
    Picture picture = picture_read(svg);

    assert_string_equal(least, "#f1ecc6");
    assert_string_equal(most, "#3c0f50");
    assert_string_equal(left, right);
    assert_string_not_equal(left, least);
    assert_null(strstr(svg, "4; 64"));
    assert_true(picture_says(&picture, "a title"));
    assert_true(picture_says(&picture, "steps"));
    assert_true(picture_says(&picture, "points"));
    assert_true(picture_says(&picture, "time, s"));
    assert_true(picture_says(&picture, "a note"));
    assert_true(picture_says(&picture, "the least"));
    assert_true(picture_says(&picture, "64"));
    picture_clear(&picture);
}

static void nothing_and_one_value_are_drawn_too(void **state G_GNUC_UNUSED)
{
    static const double nothing[] = {NAN, NAN, NAN, NAN, NAN, NAN};
    static const double equal[] = {5, 5, 5, 5, 5, 5};
    TraceSurface surface = surface_of(nothing);
    g_autofree char *empty = trace_surface_to_svg(&surface);
    Picture picture = picture_read(empty);

    assert_true(picture_says(&picture, "there is no value to show"));
    picture_clear(&picture);
    surface.values = equal;
    surface.mark = NULL;
    surface.note = NULL;
    g_autofree char *flat = trace_surface_to_svg(&surface);

    picture = picture_read(flat);
    assert_null(strstr(flat, "nan"));
    assert_false(picture_says(&picture, "the least"));
    picture_clear(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_have_colours_in_the_order_of_values),
        cmocka_unit_test(nothing_and_one_value_are_drawn_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
