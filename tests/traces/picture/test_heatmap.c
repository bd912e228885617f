/* Heat maps, read back from the picture: what is drawn, where, in which colour. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>
#include <glib.h>

#include "tests/traces/picture.h"
#include "traces/picture/heatmap.h"
#include "traces/picture/palette.h"

/* A grid with all its links; every value has a place of its own. */
typedef struct {
    TraceHeatmap map;
    GArray *links;
    double *routers;
} Grid;

static void add_link(Grid *grid, guint x, guint y, gint step_x, gint step_y)
{
    guint width = grid->map.width;
    guint height = grid->map.height;
    guint to_x = (guint) ((gint) (x + width) + step_x) % width;
    guint to_y = (guint) ((gint) (y + height) + step_y) % height;
    TraceHeatmapLink link = {.from = x + width * y, .to = to_x + width * to_y};

    if (step_x != 0) {
        link.direction = step_x > 0 ? "east" : "west";
    } else {
        link.direction = step_y > 0 ? "south" : "north";
    }
    link.utilisation = (double) (grid->links->len % 10) / 10;
    g_array_append_val(grid->links, link);
}

/* A torus; `ways` is 1 for links up only, 2 for both ways. */
static Grid torus(guint width, guint height, guint ways)
{
    Grid grid = {.map = {.title = "t", .width = width, .height = height},
                 .links = g_array_new(FALSE, FALSE, sizeof(TraceHeatmapLink)),
                 .routers = g_new0(double, (gsize) width *height)};

    for (guint node = 0; node < width * height; node++) {
        add_link(&grid, node % width, node / width, 1, 0);
        add_link(&grid, node % width, node / width, 0, 1);
        if (ways == 2) {
            add_link(&grid, node % width, node / width, -1, 0);
            add_link(&grid, node % width, node / width, 0, -1);
        }
    }
    grid.map.is_y_down = true;
    grid.map.links = (const TraceHeatmapLink *) (gconstpointer) grid.links->data;
    grid.map.link_count = grid.links->len;
    grid.map.routers = grid.routers;
    return grid;
}

static void grid_clear(Grid *grid)
{
    g_array_free(grid->links, TRUE);
    g_free(grid->routers);
}

static void every_router_and_link_is_drawn_and_named(void **state)
{
    (void) state;
    static const struct {
        guint width;
        guint height;
        guint ways;
    } rows[] = {{1, 1, 2}, {1, 16, 2},  {16, 1, 1}, {2, 2, 2},
                {8, 8, 2}, {10, 12, 1}, {64, 64, 2}};

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint node_count = rows[i].width * rows[i].height;
        Grid grid = torus(rows[i].width, rows[i].height, rows[i].ways);
        g_autofree char *text = trace_heatmap_to_svg(&grid.map);
        Picture seen = picture_read(text);

        print_message("%ux%u\n", rows[i].width, rows[i].height);
        assert_int_equal(picture_count(&seen, "heat-routers"), node_count);
        assert_int_equal(picture_count(&seen, "heat-links"),
                         node_count * 2 * rows[i].ways);
        assert_int_equal(picture_count_titles(&seen),
                         node_count * (1 + 2 * rows[i].ways));
        assert_int_equal(seen.classes->len, 0);
        picture_clear(&seen);
        grid_clear(&grid);
    }
}

static void titles_say_node_direction_and_value(void **state)
{
    (void) state;
    static const TraceHeatmapLink links[] = {{0, 1, "east", "noc0", 0.25},
                                             {1, 0, "east", "noc0", 0.5},
                                             {1, 0, "west", NULL, 0}};
    static const double routers[] = {0.125, 0.75};
    const TraceHeatmap map = {.title = "t",
                              .width = 2,
                              .height = 1,
                              .links = links,
                              .link_count = G_N_ELEMENTS(links),
                              .routers = routers};
    g_autofree char *text = trace_heatmap_to_svg(&map);
    Picture seen = picture_read(text);

    (void) picture_titled(&seen, "noc0[0,0].east to [1,0]: 0.25");
    (void) picture_titled(&seen, "noc0[1,0].east to [0,0]: 0.5");
    (void) picture_titled(&seen, "noc[1,0].west to [0,0]: 0");
    (void) picture_titled(&seen, "router[0,0]: 0.125");
    (void) picture_titled(&seen, "router[1,0]: 0.75");
    assert_true(
        picture_says(&seen, "busiest link noc0[1,0].east at 0.5; mean of links 0.25"));
    picture_clear(&seen);
}

static guint lightness(const char *colour)
{
    guint red = 0;
    guint green = 0;
    guint blue = 0;

    assert_int_equal(sscanf(colour, "#%2x%2x%2x", &red, &green, &blue), 3);
    return 2126 * red + 7152 * green + 722 * blue;
}

static void more_is_darker(void **state)
{
    (void) state;
    char colour[HEAT_COLOUR_SIZE];
    guint before = G_MAXUINT;

    for (guint i = 0; i <= 100; i++) {
        heat_ramp_colour(i / 100.0, colour);
        assert_true(lightness(colour) < before);
        before = lightness(colour);
    }
}

static void values_off_the_scale_get_its_ends(void **state)
{
    (void) state;
    char end[HEAT_COLOUR_SIZE];
    char beyond[HEAT_COLOUR_SIZE];

    heat_ramp_colour(0, end);
    heat_ramp_colour(-1, beyond);
    assert_string_equal(end, beyond);
    heat_ramp_colour(1, end);
    heat_ramp_colour(17, beyond);
    assert_string_equal(end, beyond);
}

static void the_largest_value_chooses_the_scale(void **state)
{
    (void) state;
    static const struct {
        double value;
        double scale;
        const char *legend;
    } rows[] = {{0, 0, "1"},       {0.011, 0, "0.02"}, {0.3, 0, "0.5"}, {0.5, 0, "0.5"},
                {0.51, 0, "1"},    {1, 0, "1"},        {0.3, 1, "1"},   {0.1, 0, "0.1"},
                {0.02, 0, "0.02"}, {3, 0, "5"}};

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        TraceHeatmap map = {.title = "t",
                            .width = 1,
                            .height = 1,
                            .routers = &rows[i].value,
                            .scale = rows[i].scale};
        g_autofree char *text = trace_heatmap_to_svg(&map);
        Picture seen = picture_read(text);

        print_message("%g of %s\n", rows[i].value, rows[i].legend);
        assert_true(picture_says(&seen, rows[i].legend));
        picture_clear(&seen);
    }
}

static void y_grows_down_or_up(void **state)
{
    (void) state;
    Grid grid = torus(2, 3, 2);
    g_autofree char *down = trace_heatmap_to_svg(&grid.map);
    g_autofree char *up = NULL;
    Picture seen = picture_read(down);

    assert_true(picture_titled(&seen, "router[0,0]: 0")->y <
                picture_titled(&seen, "router[0,2]: 0")->y);
    assert_true(picture_titled(&seen, "router[0,0]: 0")->x <
                picture_titled(&seen, "router[1,0]: 0")->x);
    picture_clear(&seen);

    grid.map.is_y_down = false;
    up = trace_heatmap_to_svg(&grid.map);
    seen = picture_read(up);
    assert_true(picture_titled(&seen, "router[0,0]: 0")->y >
                picture_titled(&seen, "router[0,2]: 0")->y);
    picture_clear(&seen);
    grid_clear(&grid);
}

static void coordinates_thin_out_where_cells_are_small(void **state)
{
    (void) state;
    Grid few = torus(10, 12, 1);
    Grid many = torus(64, 64, 1);
    g_autofree char *few_text = trace_heatmap_to_svg(&few.map);
    g_autofree char *many_text = trace_heatmap_to_svg(&many.map);
    Picture seen_few = picture_read(few_text);
    Picture seen_many = picture_read(many_text);

    assert_true(picture_says(&seen_few, "x = 0"));
    assert_true(picture_says(&seen_few, "y = 0"));
    assert_true(picture_says(&seen_few, "11"));
    assert_true(picture_says(&seen_many, "62"));
    assert_false(picture_says(&seen_many, "63"));
    assert_true(seen_many.width < 1000);
    picture_clear(&seen_few);
    picture_clear(&seen_many);
    grid_clear(&few);
    grid_clear(&many);
}

static void windows_share_the_scale_and_come_beside(void **state)
{
    (void) state;
    static const TraceHeatmapLink links[] = {{0, 1, "east", NULL, 0.2}};
    static const double quiet[] = {0};
    static const double busy[] = {0.4};
    static const double routers[] = {0, 0};
    static const TraceHeatmapWindow windows[] = {{0, 500, quiet, routers},
                                                 {500, 1000, busy, NULL}};
    TraceHeatmap map = {.title = "t",
                        .width = 2,
                        .height = 1,
                        .end = 1000,
                        .links = links,
                        .link_count = 1};
    g_autofree char *alone = trace_heatmap_to_svg(&map);
    g_autofree char *text = NULL;
    Picture before = picture_read(alone);
    Picture seen;
    char colour[HEAT_COLOUR_SIZE];

    map.windows = windows;
    map.window_count = G_N_ELEMENTS(windows);
    text = trace_heatmap_to_svg(&map);
    seen = picture_read(text);

    heat_ramp_colour(0.4 / 0.5, colour);
    assert_int_equal(seen.window_count, 2);
    assert_true(seen.height == before.height);
    assert_true(picture_says(&before, "0.2"));
    assert_true(picture_says(&seen, "0.5"));
    assert_true(picture_says(&seen, "500 to 1000, max 0.4"));
    assert_string_equal(picture_titled(&seen, "noc[0,0].east to [1,0]: 0.4")->fill,
                        colour);
    picture_clear(&before);
    picture_clear(&seen);
}

static void windows_of_a_wide_grid_come_below(void **state)
{
    (void) state;
    static const double routers[16] = {0};
    static const TraceHeatmapWindow windows[] = {{0, 500, NULL, routers},
                                                 {500, 1000, NULL, routers}};
    TraceHeatmap map = {.title = "t", .width = 16, .height = 1, .routers = routers};
    g_autofree char *alone = trace_heatmap_to_svg(&map);
    g_autofree char *text = NULL;
    Picture before = picture_read(alone);
    Picture seen;

    map.windows = windows;
    map.window_count = G_N_ELEMENTS(windows);
    text = trace_heatmap_to_svg(&map);
    seen = picture_read(text);

    assert_int_equal(seen.window_count, 2);
    assert_true(seen.width == before.width);
    assert_true(seen.height > before.height);
    picture_clear(&before);
    picture_clear(&seen);
}

static void windows_have_no_outlines_and_arrow_heads(void **state)
{
    (void) state;
    static const TraceHeatmapLink links[] = {{0, 1, "east", NULL, 0.2}};
    static const double busy[] = {0.4};
    static const TraceHeatmapWindow windows[] = {{0, 500, busy, NULL}};
    const TraceHeatmap map = {.title = "t",
                              .width = 2,
                              .height = 2,
                              .links = links,
                              .link_count = 1,
                              .windows = windows,
                              .window_count = 1};
    g_autofree char *text = trace_heatmap_to_svg(&map);

    /* The large picture has the one arrow. */
    assert_ptr_equal(strstr(text, "<polygon"), g_strrstr(text, "<polygon"));
    assert_true(strstr(text, "class=\"heat-window\"") < strstr(text, "heat-small"));
}

static void many_windows_of_a_large_grid_have_no_titles(void **state)
{
    (void) state;
    enum {
        WINDOWS = 8
    };
    Grid grid = torus(32, 32, 2);
    g_autofree double *values = g_new0(double, grid.links->len);
    TraceHeatmapWindow windows[WINDOWS];
    g_autofree char *text = NULL;
    Picture seen;

    for (guint i = 0; i < WINDOWS; i++) {
        windows[i] = (TraceHeatmapWindow){i, i + 1, values, grid.routers};
    }
    grid.map.windows = windows;
    grid.map.window_count = WINDOWS;
    text = trace_heatmap_to_svg(&grid.map);
    seen = picture_read(text);

    assert_int_equal(picture_count(&seen, "heat-links"), (WINDOWS + 1) * 32 * 32 * 4);
    assert_int_equal(picture_count_titles(&seen), 32 * 32 * 5);
    picture_clear(&seen);
    grid_clear(&grid);
}

static void the_same_map_gives_the_same_bytes(void **state)
{
    (void) state;
    Grid one = torus(7, 5, 2);
    Grid other = torus(7, 5, 2);
    g_autofree char *text = trace_heatmap_to_svg(&one.map);
    g_autofree char *again = trace_heatmap_to_svg(&other.map);

    assert_string_equal(text, again);
    grid_clear(&one);
    grid_clear(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_router_and_link_is_drawn_and_named),
        cmocka_unit_test(titles_say_node_direction_and_value),
        cmocka_unit_test(more_is_darker),
        cmocka_unit_test(values_off_the_scale_get_its_ends),
        cmocka_unit_test(the_largest_value_chooses_the_scale),
        cmocka_unit_test(y_grows_down_or_up),
        cmocka_unit_test(coordinates_thin_out_where_cells_are_small),
        cmocka_unit_test(windows_share_the_scale_and_come_beside),
        cmocka_unit_test(windows_of_a_wide_grid_come_below),
        cmocka_unit_test(windows_have_no_outlines_and_arrow_heads),
        cmocka_unit_test(many_windows_of_a_large_grid_have_no_titles),
        cmocka_unit_test(the_same_map_gives_the_same_bytes),
    };

    return cmocka_run_group_tests_name("traces.heatmap", tests, NULL, NULL);
}
