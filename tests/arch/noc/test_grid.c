/* Grids of routers: neighbours, one-way rings, datelines, links. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/noc/grid.h"

typedef struct {
    ArchNocTopology topology;
    guint width;
    guint height;
    uint32_t node;
    NocAxis axis;
    bool is_up;
    uint32_t next;
} Step;

static void assert_step(const Step *step)
{
    g_autoptr(NocGrid) grid = noc_grid_new(step->topology, step->width, step->height);
    guint port = noc_grid_port(grid, step->axis, step->is_up);
    uint32_t next = grid->next[step->node * grid->port_count + port];

    if (next != step->next) {
        fail_msg("topology %d %ux%u, node %u, axis %d, up %d: %u instead of %u",
                 step->topology, step->width, step->height, step->node, step->axis,
                 step->is_up, next, step->next);
    }
    if (next != NOC_NODE_NONE) {
        assert_int_equal(grid->previous[next * grid->port_count + port], step->node);
    }
}

static void neighbours_are_one_step_away(void **state G_GNUC_UNUSED)
{
    static const Step steps[] = {
        {ARCH_NOC_MESH, 4, 3, 5, NOC_X, true, 6},
        {ARCH_NOC_MESH, 4, 3, 5, NOC_X, false, 4},
        {ARCH_NOC_MESH, 4, 3, 5, NOC_Y, true, 9},
        {ARCH_NOC_MESH, 4, 3, 5, NOC_Y, false, 1},
        {ARCH_NOC_MESH, 4, 3, 3, NOC_X, true, NOC_NODE_NONE},
        {ARCH_NOC_MESH, 4, 3, 4, NOC_X, false, NOC_NODE_NONE},
        {ARCH_NOC_MESH, 4, 3, 8, NOC_Y, true, NOC_NODE_NONE},
        {ARCH_NOC_MESH, 4, 3, 2, NOC_Y, false, NOC_NODE_NONE},
        {ARCH_NOC_MESH, 1, 1, 0, NOC_X, true, NOC_NODE_NONE},
        {ARCH_NOC_TORUS, 4, 3, 3, NOC_X, true, 0},
        {ARCH_NOC_TORUS, 4, 3, 4, NOC_X, false, 7},
        {ARCH_NOC_TORUS, 4, 3, 9, NOC_Y, true, 1},
        {ARCH_NOC_TORUS, 4, 3, 2, NOC_Y, false, 10},
        {ARCH_NOC_TORUS, 1, 3, 2, NOC_X, true, 2},
        {ARCH_NOC_TORUS, 2, 1, 0, NOC_X, false, 1},
        {ARCH_NOC_WORMHOLE0, 10, 12, 9, NOC_X, true, 0},
        {ARCH_NOC_WORMHOLE0, 10, 12, 115, NOC_Y, true, 5},
        {ARCH_NOC_WORMHOLE1, 10, 12, 0, NOC_X, false, 9},
        {ARCH_NOC_WORMHOLE1, 10, 12, 5, NOC_Y, false, 115},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
        assert_step(&steps[i]);
    }
}

static void one_way_rings_have_no_port_back(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocGrid) up = noc_grid_new(ARCH_NOC_WORMHOLE0, 10, 12);
    g_autoptr(NocGrid) down = noc_grid_new(ARCH_NOC_WORMHOLE1, 10, 12);

    assert_int_equal(up->port_count, 3);
    assert_int_equal(noc_grid_port(up, NOC_X, true), NOC_X);
    assert_int_equal(noc_grid_port(up, NOC_Y, true), NOC_Y);
    assert_int_equal(noc_grid_port(up, NOC_X, false), up->port_count);
    assert_int_equal(noc_grid_port(up, NOC_Y, false), up->port_count);
    assert_int_equal(noc_grid_port(down, NOC_X, false), NOC_X);
    assert_int_equal(noc_grid_port(down, NOC_Y, false), NOC_Y);
    assert_int_equal(noc_grid_port(down, NOC_X, true), down->port_count);
    assert_int_equal(noc_grid_port(down, NOC_Y, true), down->port_count);
}

typedef struct {
    ArchNocTopology topology;
    guint width;
    guint height;
    guint count;
} Links;

static void links_are_counted_once_a_direction(void **state G_GNUC_UNUSED)
{
    static const Links rows[] = {
        {ARCH_NOC_MESH, 4, 3, 2 * (3 * 3 + 4 * 2)},
        {ARCH_NOC_MESH, 1, 1, 0},
        {ARCH_NOC_MESH, 1, 5, 8},
        {ARCH_NOC_TORUS, 4, 3, 4 * 12},
        {ARCH_NOC_WORMHOLE0, 10, 12, 2 * 120},
        {ARCH_NOC_WORMHOLE1, 10, 12, 2 * 120},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(NocGrid) grid =
            noc_grid_new(rows[i].topology, rows[i].width, rows[i].height);

        if (noc_grid_link_count(grid) != rows[i].count) {
            fail_msg("row %" G_GSIZE_FORMAT ": %u links", i, noc_grid_link_count(grid));
        }
    }
}

static void links_ascend_and_lead_to_nodes(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocGrid) grid = noc_grid_new(ARCH_NOC_MESH, 5, 4);

    for (guint i = 0; i < grid->link_count; i++) {
        assert_true(i == 0 || grid->links[i] > grid->links[i - 1]);
        assert_true(grid->next[grid->links[i]] < grid->node_count);
        assert_true(grid->links[i] % grid->port_count < grid->local);
    }
}

static void coordinates_follow_the_node_id(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocGrid) grid = noc_grid_new(ARCH_NOC_TORUS, 10, 12);

    assert_int_equal(grid->x[37], 7);
    assert_int_equal(grid->y[37], 3);
    assert_int_equal(grid->node_count, 120);
}

static void steps_up_wrap_around(void **state G_GNUC_UNUSED)
{
    assert_int_equal(noc_grid_steps_up(2, 7, 10), 5);
    assert_int_equal(noc_grid_steps_up(7, 2, 10), 5);
    assert_int_equal(noc_grid_steps_up(9, 0, 10), 1);
    assert_int_equal(noc_grid_steps_up(0, 9, 10), 9);
    assert_int_equal(noc_grid_steps_up(4, 4, 10), 0);
    assert_int_equal(noc_grid_steps_up(0, 0, 1), 0);
}

static guint count_datelines(const NocGrid *grid)
{
    guint count = 0;

    for (uint32_t i = 0; i < grid->node_count * grid->port_count; i++) {
        count +=
            noc_grid_crosses_dateline(grid, i / grid->port_count, i % grid->port_count);
    }
    return count;
}

static void every_ring_has_one_dateline(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocGrid) mesh = noc_grid_new(ARCH_NOC_MESH, 5, 4);
    g_autoptr(NocGrid) torus = noc_grid_new(ARCH_NOC_TORUS, 5, 4);
    g_autoptr(NocGrid) up = noc_grid_new(ARCH_NOC_WORMHOLE0, 5, 4);
    g_autoptr(NocGrid) down = noc_grid_new(ARCH_NOC_WORMHOLE1, 5, 4);

    assert_int_equal(count_datelines(mesh), 0);
    assert_int_equal(count_datelines(torus), 2 * (5 + 4));
    assert_int_equal(count_datelines(up), 5 + 4);
    assert_int_equal(count_datelines(down), 5 + 4);
}

static void a_torus_has_its_datelines_where_it_wraps(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocGrid) grid = noc_grid_new(ARCH_NOC_TORUS, 5, 4);
    guint east = noc_grid_port(grid, NOC_X, true);
    guint west = noc_grid_port(grid, NOC_X, false);
    guint south = noc_grid_port(grid, NOC_Y, true);
    guint north = noc_grid_port(grid, NOC_Y, false);

    assert_true(noc_grid_crosses_dateline(grid, 4, east));
    assert_false(noc_grid_crosses_dateline(grid, 0, east));
    assert_true(noc_grid_crosses_dateline(grid, 5, west));
    assert_false(noc_grid_crosses_dateline(grid, 9, west));
    assert_true(noc_grid_crosses_dateline(grid, 17, south));
    assert_true(noc_grid_crosses_dateline(grid, 2, north));
    assert_false(noc_grid_crosses_dateline(grid, 2, south));
    assert_false(noc_grid_crosses_dateline(grid, 4, grid->local));
}

static void
wormhole_has_its_datelines_at_its_own_origin_unless_told(void **state G_GNUC_UNUSED)
{
    g_autoptr(NocGrid) up = noc_grid_new(ARCH_NOC_WORMHOLE0, 10, 12);
    g_autoptr(NocGrid) down = noc_grid_new(ARCH_NOC_WORMHOLE1, 10, 12);

    assert_true(noc_grid_crosses_dateline(up, 30, NOC_X));
    assert_false(noc_grid_crosses_dateline(up, 39, NOC_X));
    assert_true(noc_grid_crosses_dateline(up, 7, NOC_Y));
    assert_false(noc_grid_crosses_dateline(up, 117, NOC_Y));
    assert_true(noc_grid_crosses_dateline(down, 39, NOC_X));
    assert_false(noc_grid_crosses_dateline(down, 30, NOC_X));
    assert_true(noc_grid_crosses_dateline(down, 117, NOC_Y));
    assert_false(noc_grid_crosses_dateline(down, 7, NOC_Y));
    up->has_dateline_at_wrap = true;
    down->has_dateline_at_wrap = true;
    assert_false(noc_grid_crosses_dateline(up, 30, NOC_X));
    assert_true(noc_grid_crosses_dateline(up, 39, NOC_X));
    assert_true(noc_grid_crosses_dateline(up, 117, NOC_Y));
    assert_false(noc_grid_crosses_dateline(down, 39, NOC_X));
    assert_true(noc_grid_crosses_dateline(down, 30, NOC_X));
    assert_true(noc_grid_crosses_dateline(down, 7, NOC_Y));
    assert_int_equal(count_datelines(up), 10 + 12);
    assert_int_equal(count_datelines(down), 10 + 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_one_step_away),
        cmocka_unit_test(one_way_rings_have_no_port_back),
        cmocka_unit_test(links_are_counted_once_a_direction),
        cmocka_unit_test(links_ascend_and_lead_to_nodes),
        cmocka_unit_test(coordinates_follow_the_node_id),
        cmocka_unit_test(steps_up_wrap_around),
        cmocka_unit_test(every_ring_has_one_dateline),
        cmocka_unit_test(a_torus_has_its_datelines_where_it_wraps),
        cmocka_unit_test(wormhole_has_its_datelines_at_its_own_origin_unless_told),
    };

    return cmocka_run_group_tests_name("arch.noc_grid", tests, NULL, NULL);
}
