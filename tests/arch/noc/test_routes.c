/* Tests of tables of routes: links, ways that arrive, rings of links that wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/error.h"
#include "arch/noc_routes.h"

typedef struct {
    guint x;
    guint y;
} Node;

/* The next node on the way from `at` to another one on a grid of that size. */
typedef Node (*NextFunc)(Node at, Node to, Node size);

static Node xy(Node at, Node to, Node size)
{
    (void) size;
    if (at.x != to.x) {
        return (Node){at.x < to.x ? at.x + 1 : at.x - 1, at.y};
    }
    return (Node){at.x, at.y < to.y ? at.y + 1 : at.y - 1};
}

static Node yx(Node at, Node to, Node size)
{
    Node next = xy((Node){at.y, at.x}, (Node){to.y, to.x}, size);

    return (Node){next.y, next.x};
}

/* XY or YX by the target: every turn is made by someone. */
static Node mixed(Node at, Node to, Node size)
{
    return (to.x + to.y) % 2 == 0 ? xy(at, to, size) : yx(at, to, size);
}

/* One step around a ring, the shorter way; up where both are equal. */
static guint step_shorter(guint at, guint to, guint length)
{
    guint up = (to + length - at) % length;

    return (at + (2 * up <= length ? 1 : length - 1)) % length;
}

static Node shorter_xy(Node at, Node to, Node size)
{
    if (at.x != to.x) {
        return (Node){step_shorter(at.x, to.x, size.x), at.y};
    }
    return (Node){at.x, step_shorter(at.y, to.y, size.y)};
}

static Node up_xy(Node at, Node to, Node size)
{
    return at.x != to.x ? (Node){(at.x + 1) % size.x, at.y}
                        : (Node){at.x, (at.y + 1) % size.y};
}

static Node down_yx(Node at, Node to, Node size)
{
    return at.y != to.y ? (Node){at.x, (at.y + size.y - 1) % size.y}
                        : (Node){(at.x + size.x - 1) % size.x, at.y};
}

/* Clockwise around a 2x2 mesh, to wherever. */
static Node clockwise(Node at, Node to, Node size)
{
    static const Node after[2][2] = {{{1, 0}, {1, 1}}, {{0, 0}, {0, 1}}};

    (void) to;
    (void) size;
    return after[at.y][at.x];
}

static void set(ArchNocRoutes *routes, Node size, Node at, Node to, Node next)
{
    assert_true(arch_noc_routes_set(routes, at.x + size.x * at.y, to.x + size.x * to.y,
                                    next.x + size.x * next.y, NULL));
}

static ArchNocRoutes *routes_of(ArchNocTopology topology, Node size, NextFunc next)
{
    ArchNocRoutes *routes = arch_noc_routes_new(topology, size.x, size.y);
    guint count = size.x * size.y;

    for (guint i = 0; i < count * count; i++) {
        Node at = {i / count % size.x, i / count / size.x};
        Node to = {i % count % size.x, i % count / size.x};

        if (i / count != i % count) {
            set(routes, size, at, to, next(at, to, size));
        }
    }
    return routes;
}

static void assert_passes(ArchNocTopology topology, Node size, NextFunc next)
{
    g_autoptr(ArchNocRoutes) routes = routes_of(topology, size, next);
    g_autoptr(GError) error = NULL;

    if (!arch_noc_routes_check(routes, false, &error)) {
        fail_msg("%ux%u: %s", size.x, size.y, error->message);
    }
}

static void
assert_fails(const ArchNocRoutes *routes, bool allow_cycles, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(arch_noc_routes_check(routes, allow_cycles, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
}

static void a_table_keeps_what_was_set(void **state)
{
    (void) state;
    g_autoptr(ArchNocRoutes) routes = arch_noc_routes_new(ARCH_NOC_MESH, 4, 3);

    assert_true(arch_noc_routes_set(routes, 5, 11, 6, NULL));
    assert_true(arch_noc_routes_set(routes, 5, 0, 1, NULL));
    assert_true(arch_noc_routes_set(routes, 5, 0, 4, NULL));

    assert_int_equal(arch_noc_routes_next(routes, 5, 11), 6);
    assert_int_equal(arch_noc_routes_next(routes, 5, 0), 4);
    assert_int_equal(arch_noc_routes_next(routes, 5, 1), UINT32_MAX);
    assert_int_equal(arch_noc_routes_next(routes, 11, 5), UINT32_MAX);
}

static void only_links_are_accepted(void **state)
{
    static const struct {
        ArchNocTopology topology;
        Node size;
        uint32_t node;
        uint32_t next;
        const char *message; /* NULL: there is a link */
    } rows[] = {
        {ARCH_NOC_MESH, {4, 3}, 0, 5, "no link leads from 0,0 to 1,1"},
        {ARCH_NOC_MESH, {4, 3}, 3, 4, "no link leads from 3,0 to 0,1"},
        {ARCH_NOC_MESH, {4, 3}, 3, 0, "no link leads from 3,0 to 0,0"},
        {ARCH_NOC_MESH, {4, 3}, 9, 13, "no link leads from 1,2 to 1,3"},
        {ARCH_NOC_MESH, {4, 3}, 9, 9, "no link leads from 1,2 to 1,2"},
        {ARCH_NOC_TORUS, {4, 3}, 3, 0, NULL},
        {ARCH_NOC_TORUS, {4, 3}, 1, 9, NULL},
        {ARCH_NOC_TORUS, {1, 3}, 1, 1, "no link leads from 0,1 to 0,1"},
        {ARCH_NOC_WORMHOLE0, {4, 3}, 3, 0, NULL},
        {ARCH_NOC_WORMHOLE0, {4, 3}, 0, 3, "no link leads from 0,0 to 3,0"},
        {ARCH_NOC_WORMHOLE0, {4, 3}, 4, 0, "no link leads from 0,1 to 0,0"},
        {ARCH_NOC_WORMHOLE1, {4, 3}, 0, 3, NULL},
        {ARCH_NOC_WORMHOLE1, {4, 3}, 3, 0, "no link leads from 3,0 to 0,0"},
    };

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(ArchNocRoutes) routes =
            arch_noc_routes_new(rows[i].topology, rows[i].size.x, rows[i].size.y);
        g_autoptr(GError) error = NULL;
        bool is_set =
            arch_noc_routes_set(routes, rows[i].node, 2, rows[i].next, &error);

        if (is_set != (rows[i].message == NULL)) {
            fail_msg("row %u: %s", i, is_set ? "accepted" : error->message);
        }
        if (!is_set) {
            assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
            assert_string_equal(error->message, rows[i].message);
            assert_int_equal(arch_noc_routes_next(routes, rows[i].node, 2), UINT32_MAX);
        }
    }
}

static void dimension_order_on_a_mesh_passes(void **state)
{
    (void) state;
    assert_passes(ARCH_NOC_MESH, (Node){8, 8}, xy);
    assert_passes(ARCH_NOC_MESH, (Node){5, 3}, xy);
    assert_passes(ARCH_NOC_MESH, (Node){5, 3}, yx);
    assert_passes(ARCH_NOC_TORUS, (Node){5, 3}, xy);
}

static void lines_and_single_nodes_pass(void **state)
{
    (void) state;
    assert_passes(ARCH_NOC_MESH, (Node){1, 9}, xy);
    assert_passes(ARCH_NOC_MESH, (Node){9, 1}, yx);
    assert_passes(ARCH_NOC_TORUS, (Node){1, 2}, shorter_xy);
    assert_passes(ARCH_NOC_WORMHOLE0, (Node){2, 1}, up_xy);
    assert_passes(ARCH_NOC_MESH, (Node){1, 1}, xy);
    assert_passes(ARCH_NOC_WORMHOLE1, (Node){1, 1}, down_yx);
}

static void a_ring_of_links_is_named(void **state)
{
    (void) state;
    g_autoptr(ArchNocRoutes) routes = routes_of(ARCH_NOC_MESH, (Node){2, 2}, clockwise);

    assert_fails(
        routes, false,
        "routes: links can wait for each other in a ring: 0,0 1,0 1,1 0,1 0,0");
}

/* Each of the four turns of the ring is made by some packet, none makes two of them. */
static void turns_of_different_packets_close_a_ring(void **state)
{
    (void) state;
    Node size = {2, 2};
    g_autoptr(ArchNocRoutes) routes = routes_of(ARCH_NOC_MESH, size, xy);
    set(routes, size, (Node){1, 0}, (Node){0, 1}, (Node){1, 1});

    assert_true(arch_noc_routes_check(routes, false, NULL));
    set(routes, size, (Node){0, 1}, (Node){1, 0}, (Node){0, 0});

    assert_fails(
        routes, false,
        "routes: links can wait for each other in a ring: 0,0 1,0 1,1 0,1 0,0");
}

static void all_turns_on_a_mesh_give_a_short_ring(void **state)
{
    (void) state;
    static const char start[] = "routes: links can wait for each other in a ring: ";
    g_autoptr(ArchNocRoutes) routes = routes_of(ARCH_NOC_MESH, (Node){8, 8}, mixed);
    g_autoptr(GError) error = NULL;

    assert_false(arch_noc_routes_check(routes, false, &error));

    assert_true(g_str_has_prefix(error->message, start));
    g_auto(GStrv) nodes = g_strsplit(error->message + strlen(start), " ", -1);
    assert_true(g_strv_length(nodes) >= 5 && g_strv_length(nodes) <= 9);
    assert_string_equal(nodes[0], nodes[g_strv_length(nodes) - 1]);
}

static void shorter_ways_around_a_torus_close_rings(void **state)
{
    (void) state;
    g_autoptr(ArchNocRoutes) square =
        routes_of(ARCH_NOC_TORUS, (Node){4, 4}, shorter_xy);
    g_autoptr(ArchNocRoutes) ring = routes_of(ARCH_NOC_TORUS, (Node){1, 5}, shorter_xy);

    assert_fails(
        square, false,
        "routes: links can wait for each other in a ring: 0,0 1,0 2,0 3,0 0,0");
    assert_fails(
        ring, false,
        "routes: links can wait for each other in a ring: 0,0 0,1 0,2 0,3 0,4 0,0");
    /* On rings of three nobody goes two links along one of them. */
    assert_passes(ARCH_NOC_TORUS, (Node){3, 3}, shorter_xy);
}

static void one_way_tori_close_rings(void **state)
{
    (void) state;
    g_autoptr(ArchNocRoutes) up = routes_of(ARCH_NOC_WORMHOLE0, (Node){3, 4}, up_xy);
    g_autoptr(ArchNocRoutes) down =
        routes_of(ARCH_NOC_WORMHOLE1, (Node){1, 3}, down_yx);

    assert_fails(up, false,
                 "routes: links can wait for each other in a ring: 0,0 1,0 2,0 0,0");
    assert_fails(down, false,
                 "routes: links can wait for each other in a ring: 0,0 0,2 0,1 0,0");
}

static void rings_can_be_allowed(void **state)
{
    (void) state;
    g_autoptr(ArchNocRoutes) mesh = routes_of(ARCH_NOC_MESH, (Node){8, 8}, mixed);
    g_autoptr(ArchNocRoutes) torus =
        routes_of(ARCH_NOC_WORMHOLE0, (Node){10, 12}, up_xy);

    assert_true(arch_noc_routes_check(mesh, true, NULL));
    assert_true(arch_noc_routes_check(torus, true, NULL));
}

static void a_missing_way_is_named(void **state)
{
    (void) state;
    Node size = {8, 3};
    g_autoptr(ArchNocRoutes) empty = arch_noc_routes_new(ARCH_NOC_MESH, 2, 1);
    g_autoptr(ArchNocRoutes) routes = arch_noc_routes_new(ARCH_NOC_MESH, 8, 3);
    for (guint i = 0; i < 24 * 24; i++) {
        Node at = {i / 24 % 8, i / 24 / 8};
        Node to = {i % 24 % 8, i % 24 / 8};
        bool is_gap = at.x == 5 && at.y == 0 && to.x == 7 && to.y == 2;

        if (i / 24 != i % 24 && !is_gap) {
            set(routes, size, at, to, xy(at, to, size));
        }
    }

    assert_fails(routes, true, "routes: from 0,0 to 7,2 the way is missing at 5,0");
    assert_fails(empty, true, "routes: from 1,0 to 0,0 the way is missing at 1,0");
}

static void a_loop_is_named(void **state)
{
    (void) state;
    Node size = {8, 3};
    g_autoptr(ArchNocRoutes) routes = routes_of(ARCH_NOC_MESH, size, xy);
    set(routes, size, (Node){6, 0}, (Node){7, 2}, (Node){5, 0});

    assert_fails(routes, true,
                 "routes: from 0,0 to 7,2 the way goes round in a loop: 5,0 6,0 5,0");
}

static void a_long_loop_is_cut(void **state)
{
    (void) state;
    Node size = {20, 2};
    g_autoptr(ArchNocRoutes) routes = routes_of(ARCH_NOC_WORMHOLE0, size, up_xy);
    set(routes, size, (Node){7, 1}, (Node){7, 0}, (Node){8, 1});

    assert_fails(
        routes, true,
        "routes: from 0,1 to 7,0 the way goes round in a loop: 0,1 1,1 2,1 3,1 "
        "4,1 5,1 6,1 7,1 8,1 9,1 10,1 11,1 12,1 13,1 14,1 15,1 ... (4 more) 0,1");
}

static void large_grids_are_checked(void **state)
{
    (void) state;
    g_autoptr(ArchNocRoutes) good = routes_of(ARCH_NOC_MESH, (Node){64, 64}, xy);
    g_autoptr(ArchNocRoutes) bad = routes_of(ARCH_NOC_MESH, (Node){64, 64}, mixed);

    assert_true(arch_noc_routes_check(good, false, NULL));
    assert_false(arch_noc_routes_check(bad, false, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_keeps_what_was_set),
        cmocka_unit_test(only_links_are_accepted),
        cmocka_unit_test(dimension_order_on_a_mesh_passes),
        cmocka_unit_test(lines_and_single_nodes_pass),
        cmocka_unit_test(a_ring_of_links_is_named),
        cmocka_unit_test(turns_of_different_packets_close_a_ring),
        cmocka_unit_test(all_turns_on_a_mesh_give_a_short_ring),
        cmocka_unit_test(shorter_ways_around_a_torus_close_rings),
        cmocka_unit_test(one_way_tori_close_rings),
        cmocka_unit_test(rings_can_be_allowed),
        cmocka_unit_test(a_missing_way_is_named),
        cmocka_unit_test(a_loop_is_named),
        cmocka_unit_test(a_long_loop_is_cut),
        cmocka_unit_test(large_grids_are_checked),
    };

    return cmocka_run_group_tests_name("arch.noc_routes", tests, NULL, NULL);
}
