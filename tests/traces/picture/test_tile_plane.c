/* Planes of points in tiles: where points are, and outlines with their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/picture/tile_plane.h"

static const TraceTilePlane plane = {.left = 10,
                                     .top = 20,
                                     .first_place = -1,
                                     .first_step = 2,
                                     .places = 10,
                                     .steps = 5,
                                     .place_pixels = 20,
                                     .step_pixels = 10,
                                     .place_name = "place",
                                     .step_name = "step"};

static void places_go_to_the_right_and_steps_upwards(void **state G_GNUC_UNUSED)
{
    assert_true(trace_tile_plane_x(&plane, -1) == 10);
    assert_true(trace_tile_plane_x(&plane, 9) == 210);
    assert_true(trace_tile_plane_y(&plane, 2) == 70);
    assert_true(trace_tile_plane_y(&plane, 7) == 20);
}

static void an_outline_with_room_has_its_number(void **state G_GNUC_UNUSED)
{
    const TraceSvgLook look = {.css_class = "tile"};
    g_autoptr(TraceSvg) svg = trace_svg_new(300, 200, "t");
    g_autoptr(GArray) numbers = trace_tile_numbers_new();
    g_auto(TraceTileOutline) large;
    g_auto(TraceTileOutline) small;

    trace_tile_outline_init(&large);
    trace_tile_outline_init(&small);
    assert_false(trace_tile_outline_has(&large, &plane, 3));
    trace_tile_outline_add(&large, &plane, 0, 4, 3);
    trace_tile_outline_add(&large, &plane, 1, 3, 4);
    assert_true(trace_tile_outline_has(&large, &plane, 4));
    assert_false(trace_tile_outline_has(&large, &plane, 5));
    trace_tile_outline_draw(&small, svg, &look, 5, numbers); /* no row: nothing */
    trace_tile_outline_add(&small, &plane, 5, 6, 3);
    trace_tile_outline_draw(&large, svg, &look, 41, numbers);
    trace_tile_outline_draw(&small, svg, &look, 42, numbers);
    trace_tile_numbers_draw(numbers, svg);
    trace_tile_plane_draw(&plane, svg);
    g_autofree char *text = trace_svg_to_text(svg);

    assert_non_null(strstr(text, "30,60 30,50 50,50 50,40 90,40 90,50 110,50 110,60"));
    assert_non_null(strstr(text, ">41<"));
    assert_null(strstr(text, ">42<"));
    assert_non_null(strstr(text, ">place<"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_go_to_the_right_and_steps_upwards),
        cmocka_unit_test(an_outline_with_room_has_its_number),
    };

    return cmocka_run_group_tests_name("traces.tile_plane", tests, NULL, NULL);
}
