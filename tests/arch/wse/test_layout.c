/* Layouts: which PE gets what, classes of routers, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/wse/layout.h"
#include "arch/wse/router/direction.h"
#include "tests/arch/wse/rig.h"

static void directions_have_the_names_of_csl(void **state)
{
    static const char *const names[] = {"WEST", "EAST", "NORTH", "SOUTH", "RAMP"};
    ArchWseDirection direction = ARCH_WSE_WEST;

    (void) state;
    for (guint i = 0; i < ARCH_WSE_DIRECTIONS; i++) {
        assert_string_equal(arch_wse_direction_name((ArchWseDirection) i), names[i]);
        assert_true(arch_wse_direction_find(names[i], &direction));
        assert_int_equal(direction, i);
    }
    assert_false(arch_wse_direction_find("east", &direction));
    assert_int_equal(wse_direction_opposite(ARCH_WSE_NORTH), ARCH_WSE_SOUTH);
    assert_int_equal(wse_direction_opposite(ARCH_WSE_EAST), ARCH_WSE_WEST);
}

static void assert_no_layout(guint columns, guint rows, const char *message)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(GError) error = NULL;

    assert_null(arch_wse_layout_new(params, columns, rows, &error));
    wse_rig_assert_error(error, message);
}

static void a_fabric_fits_on_the_wafer(void **state)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 755, 994);

    (void) state;
    assert_int_equal(layout->columns, 755);
    assert_int_equal(layout->rows, 994);
    assert_no_layout(756, 994, "fabric of 756 x 994 PEs, wse2 has 1 x 1 to 755 x 994");
    assert_no_layout(755, 995, "fabric of 755 x 995 PEs, wse2 has 1 x 1 to 755 x 994");
    assert_no_layout(0, 1, "fabric of 0 x 1 PEs, wse2 has 1 x 1 to 755 x 994");
    assert_no_layout(1, 0, "fabric of 1 x 0 PEs, wse2 has 1 x 1 to 755 x 994");
}

static void pes_have_numbers_of_23_bits(void **state)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(GError) error = NULL;
    static const char *const overrides[] = {"fabric.bare_column_count=65535",
                                            "fabric.bare_row_count=65535"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(overrides); i++) {
        assert_true(arch_params_override(params, overrides[i], NULL));
    }
    assert_null(arch_wse_layout_new(params, 2048, 4096, &error));
    wse_rig_assert_error(error,
                         "fabric of 2048 x 4096 PEs, at most 8388607 are allowed");
    g_clear_error(&error);
    assert_null(arch_wse_layout_new(params, 65535, 65535, &error));
    wse_rig_assert_error(error,
                         "fabric of 65535 x 65535 PEs, at most 8388607 are allowed");
}

static void assert_programs(const ArchWseLayout *layout, const char *names)
{
    for (guint i = 0; names[i] != '\0'; i++) {
        const ArchWseProgram *program =
            g_ptr_array_index(layout->programs, layout->program_of[i]);

        assert_int_equal(arch_wse_program_name(program)[0], names[i]);
    }
}

static void strided_tiles_get_their_program(void **state)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 5, 4);
    ArchWseProgram *again = wse_rig_program_new(params, "c", 0, 0);
    const ArchWseTiles strided = {.x0 = 1, .y0 = 1, .x1 = 4, .y1 = 3, .dx = 2, .dy = 2};
    const ArchWseTiles none = {.x0 = 3, .y0 = 0, .x1 = 2, .y1 = 3, .dx = 1, .dy = 1};
    const ArchWseTiles far = {.x1 = 4, .y1 = 3, .dx = G_MAXUINT, .dy = G_MAXUINT};

    (void) state;
    wse_rig_set_code(layout, wse_rig_all(layout),
                     wse_rig_program_new(params, "a", 0, 0));
    wse_rig_set_code(layout, strided, wse_rig_program_new(params, "b", 0, 0));
    wse_rig_set_code(layout, far, again);
    wse_rig_set_code(layout, wse_rig_one(4, 3), again);
    wse_rig_set_code(layout, none, wse_rig_program_new(params, "d", 0, 0));
    assert_programs(layout, "caaaa"
                            "ababa"
                            "aaaaa"
                            "ababc");
    wse_rig_finish(layout);
}

static void strided_tiles_get_their_route(void **state)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 5, 4);
    const ArchWseTiles strided = {.x0 = 1, .y0 = 0, .x1 = 4, .y1 = 3, .dx = 2, .dy = 3};
    static const char expected[] = ".x.x."
                                   "....."
                                   "....."
                                   ".x.xy";

    (void) state;
    wse_rig_set_code(layout, wse_rig_all(layout),
                     wse_rig_program_new(params, "a", 1 << 7, 1 << 7));
    wse_rig_set_route(layout, wse_rig_all(layout), 7, R, R);
    wse_rig_set_route(layout, strided, 7, W | R, R);
    wse_rig_set_route(layout, wse_rig_one(4, 3), 7, N | R, R);
    wse_rig_finish(layout);
    for (guint i = 0; expected[i] != '\0'; i++) {
        const WseRoute *route = wse_rig_route_at(layout, i % 5, i / 5, 7);
        const guint rx = expected[i] == 'x' ? W | R : expected[i] == 'y' ? N | R : R;

        assert_int_equal(route->rx[0], rx);
        assert_int_equal(route->tx[0], R);
        assert_int_equal(route->sources, rx);
    }
    assert_int_equal(layout->routers->len, 3);
}

static void tiles_lie_in_the_rectangle(void **state)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 5, 4);
    const ArchWseColorConfig config = {.position_count = 1,
                                       .positions = {{.rx = R, .tx = R}}};
    const ArchWseTiles still = {.x1 = 1, .y1 = 1, .dx = 1, .dy = 0};
    g_autoptr(GError) column = NULL;
    g_autoptr(GError) row = NULL;
    g_autoptr(GError) step = NULL;

    (void) state;
    assert_false(arch_wse_layout_set_tile_code(
        layout, wse_rig_one(5, 3), wse_rig_program_new(params, "a", 0, 0), &column));
    wse_rig_assert_error(column,
                         "pe[5,3] is outside the 5 x 4 fabric, pe[0,0] to pe[4,3]");
    assert_false(
        arch_wse_layout_set_color_config(layout, wse_rig_one(4, 4), 0, &config, &row));
    wse_rig_assert_error(row,
                         "pe[4,4] is outside the 5 x 4 fabric, pe[0,0] to pe[4,3]");
    assert_false(arch_wse_layout_set_color_config(layout, still, 0, &config, &step));
    wse_rig_assert_error(step,
                         "pe[0,0] to pe[1,1] in steps of 1 and 0, each at least 1");
}

typedef struct {
    const char *chip;
    guint color;
    guint position_count;
    ArchWsePosition positions[ARCH_WSE_POSITIONS];
    guint current;
    const char *message; /* NULL: it is fine */
} ConfigCase;

static void configs_are_checked(void **state)
{
    static const ConfigCase cases[] = {
        {"wse2", 23, 1, {{R, E}}, 0, NULL},
        {"wse2", 24, 1, {{R, E}}, 0, "no such color, 0..23"},
        {"wse2", 5, 0, {{R, E}}, 0, "0 switch positions, 1..4"},
        {"wse2", 5, 5, {{R, E}, {W, 0}, {E, 0}, {W, 0}}, 0, "5 switch positions, 1..4"},
        {"wse2", 5, 4, {{R, E}, {W, 0}, {0, N | R}, {S, 0}}, 3, NULL},
        {"wse2", 5, 2, {{R, E}, {W, 0}}, 2, "current position 2, 0..1"},
        {"wse2", 5, 1, {{R, 0}}, 0, "position 0 needs both rx and tx"},
        {"wse2", 5, 1, {{0, E}}, 0, "position 0 needs both rx and tx"},
        {"wse2", 5, 1, {{W | R, E}}, 0, NULL},
        {"wse2", 5, 1, {{R, 32}}, 0, "position 0 has a direction that does not exist"},
        {"wse2", 5, 2, {{R, E}, {0, 0}}, 0, "position 1 has neither rx nor tx"},
        {"wse2",
         5,
         3,
         {{R, E}, {W, 0}, {N, S}},
         0,
         "position 2 has both rx and tx, on wse2 it may have one"},
        {"wse2",
         5,
         2,
         {{R, E}, {W | R, 0}},
         0,
         "position 1 has rx WEST RAMP, a single direction is allowed"},
        {"wse3", 9, 3, {{R, E}, {W, 0}, {N, S}}, 0, NULL},
        {"wse3",
         9,
         2,
         {{R, E}, {W | N, S}},
         0,
         "position 1 has rx WEST NORTH, a single direction is allowed"},
        {"wse3", 10, 1, {{R, E}}, 0, NULL},
        {"wse3",
         10,
         2,
         {{R, E}, {W, 0}},
         0,
         "2 switch positions, but wse3 switches only colors "
         "0,1,2,3,4,5,6,7,8,9,12,13,16,17,20,21"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(ArchParams) params = wse_rig_load(cases[i].chip);
        g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 5, 4);
        g_autoptr(GError) error = NULL;
        ArchWseColorConfig config = {.position_count = cases[i].position_count,
                                     .current = cases[i].current};

        memcpy(config.positions, cases[i].positions, sizeof config.positions);
        arch_wse_layout_set_color_config(layout, wse_rig_one(3, 2), cases[i].color,
                                         &config, &error);
        if (cases[i].message == NULL) {
            assert_null(error);
        } else {
            g_autofree char *message = g_strdup_printf(
                "pe[3,2] color %u: %s", cases[i].color, cases[i].message);

            wse_rig_assert_error(error, message);
        }
    }
}

/* The eastward stream of the SDK's 25-point stencil from its fifth column on. */
static const ArchWseColorConfig stencil = {
    .position_count = 4,
    .positions = {{.rx = W, .tx = E | R}, {.rx = R}, {.tx = R}, {.rx = W}},
    .current = 3,
    .is_ring = true,
    .pop_mode = ARCH_WSE_ALWAYS_POP,
};

static void assert_resolved(const char *rule, const uint8_t rx[4], const uint8_t tx[4])
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autofree char *assignment = g_strconcat("router.switch_rule=", rule, NULL);

    assert_true(arch_params_override(params, assignment, NULL));

    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 2, 1);

    wse_rig_set_code(layout, wse_rig_all(layout),
                     wse_rig_program_new(params, "a", 1 << 3, 1 << 3));
    wse_rig_set_config(layout, wse_rig_one(0, 0), 3, &stencil);
    wse_rig_set_route(layout, wse_rig_one(1, 0), 3, W | R, R);
    wse_rig_finish(layout);

    const WseRoute *route = wse_rig_route_at(layout, 0, 0, 3);

    assert_int_equal(route->color, 3);
    assert_int_equal(route->position_count, 4);
    assert_memory_equal(route->rx, rx, 4);
    assert_memory_equal(route->tx, tx, 4);
    assert_int_equal(route->current, 3);
    assert_int_equal(route->pop_mode, ARCH_WSE_ALWAYS_POP);
    assert_true(route->is_ring);
    assert_false(route->is_torn_down);
    assert_int_equal(route->sources, W | R);
}

static void positions_are_completed_by_the_chips_rule(void **state)
{
    static const uint8_t cumulative_rx[4] = {W, R, R, W};
    static const uint8_t cumulative_tx[4] = {E | R, E | R, R, R};
    static const uint8_t from_base_rx[4] = {W, R, W, W};
    static const uint8_t from_base_tx[4] = {E | R, E | R, R, E | R};

    (void) state;
    assert_resolved("cumulative", cumulative_rx, cumulative_tx);
    assert_resolved("from_base", from_base_rx, from_base_tx);
}

static guint class_count(const ArchWseColorConfig *a, const ArchWseColorConfig *b)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 2, 1);

    wse_rig_set_code(layout, wse_rig_all(layout),
                     wse_rig_program_new(params, "a", 1, 1));
    wse_rig_set_config(layout, wse_rig_one(0, 0), 0, a);
    wse_rig_set_config(layout, wse_rig_one(1, 0), 0, b);
    wse_rig_finish(layout);
    assert_int_equal(layout->router_of[0], 0);
    assert_int_equal(layout->router_of[1], layout->routers->len - 1);
    return layout->routers->len;
}

static void routers_that_differ_in_anything_are_of_two_classes(void **state)
{
    const ArchWseColorConfig base = {
        .position_count = 2,
        .positions = {{.rx = R, .tx = R}, {.rx = R}},
        .filter = {.kind = ARCH_WSE_FILTER_COUNTER},
    };
    ArchWseColorConfig others[15];

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
        others[i] = base;
    }
    others[0].position_count = 1;
    others[1].positions[0].rx = R | N;
    others[2].positions[1].rx = N;
    others[3].positions[1] = (ArchWsePosition){.tx = R};
    others[3].position_count = 3;
    others[3].positions[2].rx = R;
    others[4].current = 1;
    others[5].is_ring = true;
    others[6].pop_mode = ARCH_WSE_POP_ON_ADVANCE;
    others[7].is_torn_down = true;
    others[8].filter.kind = ARCH_WSE_FILTER_SPARSE;
    others[9].filter.is_data_counted = true;
    others[10].filter.is_control_counted = true;
    others[11].filter.is_control_filtered = true;
    others[12].filter.initial = 1;
    others[13].filter.limit1 = 1;
    others[14].filter.limit2 = 1;
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
        assert_int_equal(class_count(&base, &others[i]), 2);
    }
    others[0] = base;
    others[0].filter.maximum = 1;
    assert_int_equal(class_count(&base, &others[0]), 2);
    assert_int_equal(class_count(&base, &base), 1);
}

/* Colors split classes together: two colors of two kinds each make up to four. */
static void classes_are_numbered_in_rows(void **state)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 3, 2);
    static const uint16_t expected[] = {0, 1, 2, 3, 1, 0};

    (void) state;
    wse_rig_set_code(layout, wse_rig_all(layout),
                     wse_rig_program_new(params, "a", 0xff, 0));
    wse_rig_set_route(layout, wse_rig_all(layout), 2, R, R);
    wse_rig_set_route(layout, wse_rig_one(1, 0), 2, N, R);
    wse_rig_set_route(layout, wse_rig_one(1, 1), 2, N, R);
    wse_rig_set_route(layout, wse_rig_one(2, 0), 5, R, R);
    wse_rig_set_route(layout, wse_rig_one(0, 1), 5, S, R);
    wse_rig_finish(layout);
    assert_memory_equal(layout->router_of, expected, sizeof expected);
    assert_int_equal(layout->routers->len, 4);

    const WseRouter *both = &g_array_index(layout->routers, WseRouter, 2);

    assert_int_equal(both->route_count, 2);
    assert_int_equal(both->slots[2], 0);
    assert_int_equal(both->slots[5], 1);
    assert_int_equal(both->slots[3], 0xff);
    assert_int_equal(both->routes[1].color, 5);
    assert_null(wse_rig_route_at(layout, 0, 0, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_have_the_names_of_csl),
        cmocka_unit_test(a_fabric_fits_on_the_wafer),
        cmocka_unit_test(pes_have_numbers_of_23_bits),
        cmocka_unit_test(strided_tiles_get_their_program),
        cmocka_unit_test(strided_tiles_get_their_route),
        cmocka_unit_test(tiles_lie_in_the_rectangle),
        cmocka_unit_test(configs_are_checked),
        cmocka_unit_test(positions_are_completed_by_the_chips_rule),
        cmocka_unit_test(routers_that_differ_in_anything_are_of_two_classes),
        cmocka_unit_test(classes_are_numbered_in_rows),
    };

    return cmocka_run_group_tests_name("arch.wse_layout", tests, NULL, NULL);
}
