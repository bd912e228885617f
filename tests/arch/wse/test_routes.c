/* Whether routes, neighbours and programs fit together, and those of a whole wafer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/wse/router/route.h"
#include "arch/wse_code.h"
#include "tests/arch/wse/rig.h"

static void every_pe_has_a_program(void **state)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 3, 2);

    (void) state;
    for (guint x = 0; x < 3; x++) {
        wse_rig_set_code(layout, wse_rig_one(x, 0),
                         wse_rig_program_new(params, "a", 0, 0));
    }
    wse_rig_set_code(layout, wse_rig_one(0, 1), wse_rig_program_new(params, "a", 0, 0));
    wse_rig_assert_not_finished(layout, "pe[1,1]: no program");
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
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 3, 2);

    wse_rig_set_code(
        layout, wse_rig_all(layout),
        wse_rig_program_new(params, "all", it->received << 5, it->sent << 5));
    for (guint i = 0; i < 3 && it->routers[i].rx != 0; i++) {
        const Router *router = &it->routers[i];

        wse_rig_set_route(layout, wse_rig_one(router->x, router->y), 5, router->rx,
                          router->tx);
    }
    if (it->message == NULL) {
        wse_rig_finish(layout);
    } else {
        wse_rig_assert_not_finished(layout, it->message);
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
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) without = wse_rig_layout_new(params, 2, 1);
    g_autoptr(ArchWseLayout) other = wse_rig_layout_new(params, 2, 1);
    g_autoptr(ArchWseLayout) later = wse_rig_layout_new(params, 2, 1);
    const ArchWseColorConfig switched = {.position_count = 2,
                                         .positions = {{.rx = N, .tx = R}, {.rx = R}}};

    (void) state;
    wse_rig_set_code(without, wse_rig_one(0, 0),
                     wse_rig_program_new(params, "still", 0, 0));
    wse_rig_set_code(without, wse_rig_one(1, 0),
                     wse_rig_program_new(params, "loud", 0, 1 << 9));
    wse_rig_assert_not_finished(without,
                                "pe[1,0] color 9: program loud sends it, but no route "
                                "takes it from RAMP (rx nothing)");
    wse_rig_set_code(other, wse_rig_all(other),
                     wse_rig_program_new(params, "loud", 1 << 9, 1 << 9));
    wse_rig_set_route(other, wse_rig_all(other), 9, N, R);
    wse_rig_assert_not_finished(other,
                                "pe[0,0] color 9: program loud sends it, but no route "
                                "takes it from RAMP (rx NORTH)");
    wse_rig_set_code(later, wse_rig_all(later),
                     wse_rig_program_new(params, "loud", 1 << 9, 1 << 9));
    wse_rig_set_config(later, wse_rig_all(later), 9, &switched);
    wse_rig_finish(later);
}

/* Position 0 is fine; what a later position does is looked at too. */
static void later_positions_are_checked(void **state)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 2, 2);
    const ArchWseColorConfig switched = {
        .position_count = 3, .positions = {{.rx = R, .tx = R}, {.rx = N}, {.tx = S}}};

    (void) state;
    wse_rig_set_code(layout, wse_rig_all(layout),
                     wse_rig_program_new(params, "a", 1, 0));
    wse_rig_set_config(layout, wse_rig_one(1, 1), 0, &switched);
    wse_rig_assert_not_finished(layout,
                                "pe[1,1] color 0: tx SOUTH leads off the 2 x 2 fabric");
}

static void the_first_pe_and_its_lowest_color_are_named(void **state)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 3, 2);

    (void) state;
    wse_rig_set_code(layout, wse_rig_one(2, 0),
                     wse_rig_program_new(params, "a", 0, 1 << 8));
    wse_rig_set_code(layout, wse_rig_one(0, 0), wse_rig_program_new(params, "a", 0, 0));
    wse_rig_set_code(layout, wse_rig_one(1, 0), wse_rig_program_new(params, "a", 0, 0));
    wse_rig_set_route(layout, wse_rig_one(2, 0), 9, W, E);
    wse_rig_set_route(layout, wse_rig_one(0, 1), 1, N, W);
    wse_rig_assert_not_finished(
        layout, "pe[2,0] color 8: program a sends it, but no route takes "
                "it from RAMP (rx nothing)");
}

/* A program that gives the color another position 0 after a teardown. */
static ArchWseProgram *rerouting_program(const ArchParams *params)
{
    ArchWseProgram *program = wse_rig_program_new(params, "reroutes", 1, 0);

    assert_true(arch_wse_program_begin_task(program, ARCH_WSE_TASK_LOCAL, 29,
                                            "teardown", ARCH_WSE_NONE, NULL));
    assert_true(arch_wse_program_route(program, 0, ARCH_WSE_WEST, ARCH_WSE_RAMP, NULL));
    assert_true(arch_wse_program_teardown_exit(program, 0, NULL));
    assert_true(arch_wse_program_end_task(program, NULL));
    return program;
}

static void a_route_a_program_sets_may_take(void **state)
{
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 3, 1);

    (void) state;
    wse_rig_set_code(layout, wse_rig_all(layout),
                     wse_rig_program_new(params, "a", 1, 1));
    wse_rig_set_code(layout, wse_rig_one(1, 0), rerouting_program(params));
    wse_rig_set_route(layout, wse_rig_all(layout), 0, R, R);
    wse_rig_set_route(layout, wse_rig_one(0, 0), 0, R, E);
    wse_rig_finish(layout);
    assert_int_equal(wse_rig_route_at(layout, 1, 0, 0)->rx[0], R);
    assert_int_equal(wse_rig_route_at(layout, 1, 0, 0)->sources, W | R);
    assert_int_equal(wse_rig_route_at(layout, 2, 0, 0)->sources, R);
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
    ArchWseColorConfig config = {
        .position_count = 4,
        .positions = {{.rx = R, .tx = R}, {.rx = R}, {.tx = R}, {.rx = R}},
        .is_ring = true,
        .pop_mode = ARCH_WSE_ALWAYS_POP,
    };

    config.positions[0].rx = (uint8_t) (at == 0 ? R : stream.previous);
    config.positions[0].tx = (uint8_t) (at == length - 1 ? R : stream.next | R);
    config.positions[3].rx = (uint8_t) stream.previous;
    config.position_count = at == 0 ? 2 : at < 4 ? 3 : 4;
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
            ArchWseTiles tiles = wse_rig_all(layout);
            const guint at = i % 2 == 0 ? line : length - 1 - line;
            const ArchWseColorConfig config = stencil_config(streams[i], at, length);

            *(is_row ? &tiles.x0 : &tiles.y0) = line;
            *(is_row ? &tiles.x1 : &tiles.y1) = line;
            wse_rig_set_config(layout, tiles, streams[i].color, &config);
        }
    }
}

static void assert_stencil_route(
    const ArchWseLayout *layout, Stream stream, guint x, guint y, guint length)
{
    const guint at = stencil_at(layout, stream, x, y);
    const ArchWseColorConfig config = stencil_config(stream, at, length);
    const WseRoute *route = wse_rig_route_at(layout, x, y, stream.color);
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
    g_autoptr(ArchParams) params = wse_rig_load("wse2");
    g_autoptr(ArchWseLayout) layout = wse_rig_layout_new(params, 755, 994);

    (void) state;
    wse_rig_set_code(layout, wse_rig_all(layout),
                     wse_rig_program_new(params, "a", 15, 15));
    set_stencil(layout);
    wse_rig_finish(layout);
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
        cmocka_unit_test(every_pe_has_a_program),
        cmocka_unit_test(routes_lead_somewhere),
        cmocka_unit_test(what_is_sent_has_a_route),
        cmocka_unit_test(later_positions_are_checked),
        cmocka_unit_test(the_first_pe_and_its_lowest_color_are_named),
        cmocka_unit_test(a_route_a_program_sets_may_take),
        cmocka_unit_test(the_whole_wafer_has_few_classes),
    };

    return cmocka_run_group_tests_name("arch.wse_routes", tests, NULL, NULL);
}
