/* Layouts: which PE gets what, classes of routers, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/wse/direction.h"
#include "arch/wse/layout.h"
#include "arch/wse/route.h"
#include "arch/wse_code.h"
#include "arch/wse_dsd.h"

enum {
    W = 1 << ARCH_WSE_WEST,
    E = 1 << ARCH_WSE_EAST,
    N = 1 << ARCH_WSE_NORTH,
    S = 1 << ARCH_WSE_SOUTH,
    R = 1 << ARCH_WSE_RAMP,
};

static ArchParams *load(const char *chip)
{
    g_autofree char *path =
        g_strconcat(GRIDLOOM_SOURCE_DIR "/arch/chips/", chip, ".ini", NULL);
    g_autoptr(GError) error = NULL;
    ArchParams *params = arch_params_load(path, &error);

    assert_non_null(params);
    return params;
}

static ArchWseLayout *layout_new(const ArchParams *params, guint columns, guint rows)
{
    g_autoptr(GError) error = NULL;
    ArchWseLayout *layout = arch_wse_layout_new(params, columns, rows, &error);

    assert_non_null(layout);
    return layout;
}

static ArchWseTiles all(const ArchWseLayout *layout)
{
    return (ArchWseTiles){.x1 = arch_wse_layout_columns(layout) - 1,
                          .y1 = arch_wse_layout_rows(layout) - 1,
                          .dx = 1,
                          .dy = 1};
}

static ArchWseTiles one(guint x, guint y)
{
    return (ArchWseTiles){.x0 = x, .y0 = y, .x1 = x, .y1 = y, .dx = 1, .dy = 1};
}

/* Takes the colors of `received` through input queues, in order, and sends those of
 * `sent`. */
static ArchWseProgram *
program_new(const ArchParams *params, const char *name, guint32 received, guint32 sent)
{
    ArchWseProgram *program = arch_wse_program_new(params, name);
    guint queue = 0;

    for (guint color = 0; color < WSE_COLORS; color++) {
        if ((received >> color & 1) != 0) {
            assert_true(arch_wse_program_input_queue(program, queue, color, NULL));
            queue++;
        }
        if ((sent >> color & 1) != 0) {
            const ArchWseFaboutDsd fabout = {
                .color = color, .queue = 0, .extent = 1, .elements_per_wavelet = 1};
            guint dsd = 0;

            assert_true(arch_wse_program_fabout_dsd(program, &fabout, &dsd, NULL));
        }
    }
    return program;
}

static void set_code(ArchWseLayout *layout, ArchWseTiles tiles, ArchWseProgram *program)
{
    g_autoptr(GError) error = NULL;

    if (!arch_wse_layout_set_tile_code(layout, tiles, program, &error)) {
        fail_msg("%s", error->message);
    }
}

static void set_config(ArchWseLayout *layout,
                       ArchWseTiles tiles,
                       guint color,
                       const ArchWseColorConfig *config)
{
    g_autoptr(GError) error = NULL;

    if (!arch_wse_layout_set_color_config(layout, tiles, color, config, &error)) {
        fail_msg("%s", error->message);
    }
}

static void
set_route(ArchWseLayout *layout, ArchWseTiles tiles, guint color, guint rx, guint tx)
{
    const ArchWseColorConfig config = {
        .position_count = 1, .positions = {{.rx = (uint8_t) rx, .tx = (uint8_t) tx}}};

    set_config(layout, tiles, color, &config);
}

static void finish(ArchWseLayout *layout)
{
    g_autoptr(GError) error = NULL;

    if (!arch_wse_layout_finish(layout, &error)) {
        fail_msg("%s", error->message);
    }
}

static void assert_error(const GError *error, const char *message)
{
    assert_non_null(error);
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
}

static void assert_not_finished(ArchWseLayout *layout, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(arch_wse_layout_finish(layout, &error));
    assert_error(error, message);
}

static const WseRoute *
route_at(const ArchWseLayout *layout, guint x, guint y, guint color)
{
    const WseRouter *router = &g_array_index(
        layout->routers, WseRouter, layout->router_of[wse_layout_pe(layout, x, y)]);

    return router->slots[color] == 0xff ? NULL : &router->routes[router->slots[color]];
}

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
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(GError) error = NULL;

    assert_null(arch_wse_layout_new(params, columns, rows, &error));
    assert_error(error, message);
}

static void a_fabric_fits_on_the_wafer(void **state)
{
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 755, 994);

    (void) state;
    assert_int_equal(arch_wse_layout_columns(layout), 755);
    assert_int_equal(arch_wse_layout_rows(layout), 994);
    assert_no_layout(756, 994, "fabric of 756 x 994 PEs, wse2 has 1 x 1 to 755 x 994");
    assert_no_layout(755, 995, "fabric of 755 x 995 PEs, wse2 has 1 x 1 to 755 x 994");
    assert_no_layout(0, 1, "fabric of 0 x 1 PEs, wse2 has 1 x 1 to 755 x 994");
    assert_no_layout(1, 0, "fabric of 1 x 0 PEs, wse2 has 1 x 1 to 755 x 994");
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
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 5, 4);
    ArchWseProgram *again = program_new(params, "c", 0, 0);
    const ArchWseTiles strided = {.x0 = 1, .y0 = 1, .x1 = 4, .y1 = 3, .dx = 2, .dy = 2};
    const ArchWseTiles none = {.x0 = 3, .y0 = 0, .x1 = 2, .y1 = 3, .dx = 1, .dy = 1};
    const ArchWseTiles far = {.x1 = 4, .y1 = 3, .dx = G_MAXUINT, .dy = G_MAXUINT};

    (void) state;
    set_code(layout, all(layout), program_new(params, "a", 0, 0));
    set_code(layout, strided, program_new(params, "b", 0, 0));
    set_code(layout, far, again);
    set_code(layout, one(4, 3), again);
    set_code(layout, none, program_new(params, "d", 0, 0));
    assert_programs(layout, "caaaa"
                            "ababa"
                            "aaaaa"
                            "ababc");
    finish(layout);
}

static void strided_tiles_get_their_route(void **state)
{
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 5, 4);
    const ArchWseTiles strided = {.x0 = 1, .y0 = 0, .x1 = 4, .y1 = 3, .dx = 2, .dy = 3};
    static const char expected[] = ".x.x."
                                   "....."
                                   "....."
                                   ".x.xy";

    (void) state;
    set_code(layout, all(layout), program_new(params, "a", 1 << 7, 1 << 7));
    set_route(layout, all(layout), 7, R, R);
    set_route(layout, strided, 7, W | R, R);
    set_route(layout, one(4, 3), 7, N | R, R);
    finish(layout);
    for (guint i = 0; expected[i] != '\0'; i++) {
        const WseRoute *route = route_at(layout, i % 5, i / 5, 7);
        const guint rx = expected[i] == 'x' ? W | R : expected[i] == 'y' ? N | R : R;

        assert_int_equal(route->rx[0], rx);
        assert_int_equal(route->tx[0], R);
        assert_int_equal(route->sources, rx);
    }
    assert_int_equal(layout->routers->len, 3);
}

static void tiles_lie_in_the_rectangle(void **state)
{
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 5, 4);
    const ArchWseColorConfig config = {.position_count = 1,
                                       .positions = {{.rx = R, .tx = R}}};
    const ArchWseTiles still = {.x1 = 1, .y1 = 1, .dx = 1, .dy = 0};
    g_autoptr(GError) column = NULL;
    g_autoptr(GError) row = NULL;
    g_autoptr(GError) step = NULL;

    (void) state;
    assert_false(arch_wse_layout_set_tile_code(
        layout, one(5, 3), program_new(params, "a", 0, 0), &column));
    assert_error(column, "pe[5,3] is outside the 5 x 4 fabric, pe[0,0] to pe[4,3]");
    assert_false(arch_wse_layout_set_color_config(layout, one(4, 4), 0, &config, &row));
    assert_error(row, "pe[4,4] is outside the 5 x 4 fabric, pe[0,0] to pe[4,3]");
    assert_false(arch_wse_layout_set_color_config(layout, still, 0, &config, &step));
    assert_error(step, "pe[0,0] to pe[1,1] in steps of 1 and 0, each at least 1");
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
        g_autoptr(ArchParams) params = load(cases[i].chip);
        g_autoptr(ArchWseLayout) layout = layout_new(params, 5, 4);
        g_autoptr(GError) error = NULL;
        ArchWseColorConfig config = {.position_count = cases[i].position_count,
                                     .current = cases[i].current};

        memcpy(config.positions, cases[i].positions, sizeof config.positions);
        arch_wse_layout_set_color_config(layout, one(3, 2), cases[i].color, &config,
                                         &error);
        if (cases[i].message == NULL) {
            assert_null(error);
        } else {
            g_autofree char *message = g_strdup_printf(
                "pe[3,2] color %u: %s", cases[i].color, cases[i].message);

            assert_error(error, message);
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
    g_autoptr(ArchParams) params = load("wse2");
    g_autofree char *assignment = g_strconcat("router.switch_rule=", rule, NULL);

    assert_true(arch_params_override(params, assignment, NULL));

    g_autoptr(ArchWseLayout) layout = layout_new(params, 2, 1);

    set_code(layout, all(layout), program_new(params, "a", 1 << 3, 1 << 3));
    set_config(layout, one(0, 0), 3, &stencil);
    set_route(layout, one(1, 0), 3, W | R, R);
    finish(layout);

    const WseRoute *route = route_at(layout, 0, 0, 3);

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
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 2, 1);

    set_code(layout, all(layout), program_new(params, "a", 1, 1));
    set_config(layout, one(0, 0), 0, a);
    set_config(layout, one(1, 0), 0, b);
    finish(layout);
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
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 3, 2);
    static const uint16_t expected[] = {0, 1, 2, 3, 1, 0};

    (void) state;
    set_code(layout, all(layout), program_new(params, "a", 0xff, 0));
    set_route(layout, all(layout), 2, R, R);
    set_route(layout, one(1, 0), 2, N, R);
    set_route(layout, one(1, 1), 2, N, R);
    set_route(layout, one(2, 0), 5, R, R);
    set_route(layout, one(0, 1), 5, S, R);
    finish(layout);
    assert_memory_equal(layout->router_of, expected, sizeof expected);
    assert_int_equal(layout->routers->len, 4);

    const WseRouter *both = &g_array_index(layout->routers, WseRouter, 2);

    assert_int_equal(both->route_count, 2);
    assert_int_equal(both->slots[2], 0);
    assert_int_equal(both->slots[5], 1);
    assert_int_equal(both->slots[3], 0xff);
    assert_int_equal(both->routes[1].color, 5);
    assert_null(route_at(layout, 0, 0, 5));
}

static void every_pe_has_a_program(void **state)
{
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 3, 2);

    (void) state;
    for (guint x = 0; x < 3; x++) {
        set_code(layout, one(x, 0), program_new(params, "a", 0, 0));
    }
    set_code(layout, one(0, 1), program_new(params, "a", 0, 0));
    assert_not_finished(layout, "pe[1,1]: no program");
}

typedef struct {
    guint x;
    guint y;
    guint rx;
    guint tx;
} Router;

typedef struct {
    guint received;
    guint sent;
    Router routers[3]; /* of color 5, in a fabric of 3 x 2 PEs */
    const char *message;
} RouteCase;

static void assert_route_case(const RouteCase *it)
{
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 3, 2);

    set_code(layout, all(layout),
             program_new(params, "all", it->received << 5, it->sent << 5));
    for (guint i = 0; i < 3 && it->routers[i].rx != 0; i++) {
        const Router *router = &it->routers[i];

        set_route(layout, one(router->x, router->y), 5, router->rx, router->tx);
    }
    if (it->message == NULL) {
        finish(layout);
    } else {
        assert_not_finished(layout, it->message);
    }
}

static void routes_lead_somewhere(void **state)
{
    static const RouteCase cases[] = {
        {1, 0, {{0, 0, R, E}, {1, 0, W, E}, {2, 0, W, R}}, NULL},
        {1, 0, {{2, 1, R, W}, {1, 1, E, N}, {1, 0, S, R}}, NULL},
        {1, 0, {{0, 0, R, S}, {0, 1, N, R}}, NULL},
        {1, 0, {{1, 1, E | N, R}}, NULL},
        {0, 0, {{0, 1, R, W}}, "pe[0,1] color 5: tx WEST leads off the 3 x 2 fabric"},
        {0, 0, {{2, 1, R, E}}, "pe[2,1] color 5: tx EAST leads off the 3 x 2 fabric"},
        {0, 0, {{1, 0, R, N}}, "pe[1,0] color 5: tx NORTH leads off the 3 x 2 fabric"},
        {0, 0, {{1, 1, R, S}}, "pe[1,1] color 5: tx SOUTH leads off the 3 x 2 fabric"},
        {0,
         0,
         {{1, 0, R, S}},
         "pe[1,0] color 5: tx SOUTH leads nowhere, pe[1,1] has no route for it"},
        {1,
         0,
         {{0, 0, R, E}, {1, 0, E | R, R}},
         "pe[0,0] color 5: tx EAST leads nowhere, pe[1,0] takes it only from EAST "
         "RAMP"},
        {1,
         0,
         {{2, 1, R, N}, {2, 0, N, R}},
         "pe[2,1] color 5: tx NORTH leads nowhere, pe[2,0] takes it only from NORTH"},
        {0,
         0,
         {{2, 0, E, R}},
         "pe[2,0] color 5: tx RAMP, but program all has no input queue for it"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_route_case(&cases[i]);
    }
}

static void what_is_sent_has_a_route(void **state)
{
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) without = layout_new(params, 2, 1);
    g_autoptr(ArchWseLayout) other = layout_new(params, 2, 1);
    g_autoptr(ArchWseLayout) later = layout_new(params, 2, 1);
    const ArchWseColorConfig switched = {.position_count = 2,
                                         .positions = {{.rx = N, .tx = R}, {.rx = R}}};

    (void) state;
    set_code(without, one(0, 0), program_new(params, "still", 0, 0));
    set_code(without, one(1, 0), program_new(params, "loud", 0, 1 << 9));
    assert_not_finished(without, "pe[1,0] color 9: program loud sends it, but no route "
                                 "takes it from RAMP (rx nothing)");
    set_code(other, all(other), program_new(params, "loud", 1 << 9, 1 << 9));
    set_route(other, all(other), 9, N, R);
    assert_not_finished(other, "pe[0,0] color 9: program loud sends it, but no route "
                               "takes it from RAMP (rx NORTH)");
    set_code(later, all(later), program_new(params, "loud", 1 << 9, 1 << 9));
    set_config(later, all(later), 9, &switched);
    finish(later);
}

/* Position 0 is fine; what a later position does is looked at too. */
static void later_positions_are_checked(void **state)
{
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 2, 2);
    const ArchWseColorConfig switched = {
        .position_count = 3, .positions = {{.rx = R, .tx = R}, {.rx = N}, {.tx = S}}};

    (void) state;
    set_code(layout, all(layout), program_new(params, "a", 1, 0));
    set_config(layout, one(1, 1), 0, &switched);
    assert_not_finished(layout, "pe[1,1] color 0: tx SOUTH leads off the 2 x 2 fabric");
}

static void the_first_pe_and_its_lowest_color_are_named(void **state)
{
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 3, 2);

    (void) state;
    set_code(layout, one(2, 0), program_new(params, "a", 0, 1 << 8));
    set_code(layout, one(0, 0), program_new(params, "a", 0, 0));
    set_code(layout, one(1, 0), program_new(params, "a", 0, 0));
    set_route(layout, one(2, 0), 9, W, E);
    set_route(layout, one(0, 1), 1, N, W);
    assert_not_finished(layout,
                        "pe[2,0] color 8: program a sends it, but no route takes "
                        "it from RAMP (rx nothing)");
}

/* A program that gives the color another position 0 after a teardown. */
static ArchWseProgram *rerouting_program(const ArchParams *params)
{
    ArchWseProgram *program = program_new(params, "reroutes", 1, 0);

    assert_true(arch_wse_program_begin_task(program, ARCH_WSE_TASK_LOCAL, 29,
                                            "teardown", ARCH_WSE_NONE, NULL));
    assert_true(arch_wse_program_route(program, 0, ARCH_WSE_WEST, ARCH_WSE_RAMP, NULL));
    assert_true(arch_wse_program_teardown_exit(program, 0, NULL));
    assert_true(arch_wse_program_end_task(program, NULL));
    return program;
}

static void a_route_a_program_sets_may_take(void **state)
{
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 3, 1);

    (void) state;
    set_code(layout, all(layout), program_new(params, "a", 1, 1));
    set_code(layout, one(1, 0), rerouting_program(params));
    set_route(layout, all(layout), 0, R, R);
    set_route(layout, one(0, 0), 0, R, E);
    finish(layout);
    assert_int_equal(route_at(layout, 1, 0, 0)->rx[0], R);
    assert_int_equal(route_at(layout, 1, 0, 0)->sources, W | R);
    assert_int_equal(route_at(layout, 2, 0, 0)->sources, R);
    assert_int_equal(layout->routers->len, 3);
}

/* One of the stencil's four streams, `at` PEs after its first. */
typedef struct {
    guint color;
    guint previous;
    guint next;
} Stream;

static ArchWseColorConfig stencil_config(Stream stream, guint at, guint length)
{
    ArchWseColorConfig config = stencil;

    config.positions[0].rx = (uint8_t) (at == 0 ? R : stream.previous);
    config.positions[0].tx = (uint8_t) (at == length - 1 ? R : stream.next | R);
    config.positions[3].rx = (uint8_t) stream.previous;
    config.position_count = at == 0 ? 2 : at < 4 ? 3 : 4;
    config.current = 0;
    if (at == 0) {
        config.positions[1] = (ArchWsePosition){.tx = R};
    }
    if (at >= 4) {
        config.current = at % 5 == 0 ? 1 : at % 5 == 4 ? 3 : 0;
    }
    return config;
}

static guint stencil_at(const ArchWseLayout *layout, Stream stream, guint x, guint y)
{
    switch (stream.next) {
    case E:
        return x;
    case W:
        return layout->columns - 1 - x;
    case S:
        return y;
    default:
        return layout->rows - 1 - y;
    }
}

static const Stream streams[] = {{0, W, E}, {1, E, W}, {2, N, S}, {3, S, N}};

static void set_stencil(ArchWseLayout *layout)
{
    for (gsize i = 0; i < G_N_ELEMENTS(streams); i++) {
        const bool is_row = i < 2;
        const guint length = is_row ? layout->columns : layout->rows;

        for (guint line = 0; line < length; line++) {
            ArchWseTiles tiles = all(layout);
            const guint at = i % 2 == 0 ? line : length - 1 - line;
            const ArchWseColorConfig config = stencil_config(streams[i], at, length);

            *(is_row ? &tiles.x0 : &tiles.y0) = line;
            *(is_row ? &tiles.x1 : &tiles.y1) = line;
            set_config(layout, tiles, streams[i].color, &config);
        }
    }
}

static void assert_stencil_route(
    const ArchWseLayout *layout, Stream stream, guint x, guint y, guint length)
{
    const guint at = stencil_at(layout, stream, x, y);
    const ArchWseColorConfig config = stencil_config(stream, at, length);
    const WseRoute *route = route_at(layout, x, y, stream.color);
    WseRoute expected;

    assert_true(wse_route_make(layout->params, stream.color, &config, &expected, NULL));
    if (!wse_route_equal(route, &expected)) {
        fail_msg("pe[%u,%u] color %u", x, y, stream.color);
    }
}

static bool is_router_equal(const WseRouter *a, const WseRouter *b)
{
    for (guint i = 0; i < G_N_ELEMENTS(streams); i++) {
        if (!wse_route_equal(&a->routes[i], &b->routes[i])) {
            return false;
        }
    }
    return true;
}

static void the_whole_wafer_has_few_classes(void **state)
{
    g_autoptr(ArchParams) params = load("wse2");
    g_autoptr(ArchWseLayout) layout = layout_new(params, 755, 994);

    (void) state;
    set_code(layout, all(layout), program_new(params, "a", 15, 15));
    set_stencil(layout);
    finish(layout);
    for (guint y = 0; y < layout->rows; y++) {
        for (guint x = 0; x < layout->columns; x++) {
            assert_stencil_route(layout, streams[y % 4], x, y,
                                 y % 4 < 2 ? layout->columns : layout->rows);
        }
    }
    for (guint i = 0; i < layout->routers->len; i++) {
        for (guint j = 0; j < i; j++) {
            assert_false(
                is_router_equal(&g_array_index(layout->routers, WseRouter, i),
                                &g_array_index(layout->routers, WseRouter, j)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_have_the_names_of_csl),
        cmocka_unit_test(a_fabric_fits_on_the_wafer),
        cmocka_unit_test(strided_tiles_get_their_program),
        cmocka_unit_test(strided_tiles_get_their_route),
        cmocka_unit_test(tiles_lie_in_the_rectangle),
        cmocka_unit_test(configs_are_checked),
        cmocka_unit_test(positions_are_completed_by_the_chips_rule),
        cmocka_unit_test(routers_that_differ_in_anything_are_of_two_classes),
        cmocka_unit_test(classes_are_numbered_in_rows),
        cmocka_unit_test(every_pe_has_a_program),
        cmocka_unit_test(routes_lead_somewhere),
        cmocka_unit_test(what_is_sent_has_a_route),
        cmocka_unit_test(later_positions_are_checked),
        cmocka_unit_test(the_first_pe_and_its_lowest_color_are_named),
        cmocka_unit_test(a_route_a_program_sets_may_take),
        cmocka_unit_test(the_whole_wafer_has_few_classes),
    };

    return cmocka_run_group_tests_name("arch.wse_layout", tests, NULL, NULL);
}
