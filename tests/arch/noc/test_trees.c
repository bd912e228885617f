/* Tests of trees: links, nodes that hang below the root, roots that wait in a ring, and
 * how long broadcasts and reductions take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/error.h"
#include "arch/noc_trees.h"
#include "arch/traffic/traffic.h"

enum {
    WIDTH = 4,
    HEIGHT = 3,
    NODES = WIDTH * HEIGHT,
    HOP = 3,
    ENDPOINT = 4,
};

static void hang(ArchNocTrees *trees, uint32_t root, uint32_t node, uint32_t parent)
{
    g_autoptr(GError) error = NULL;

    if (!arch_noc_trees_set(trees, root, node, parent, &error)) {
        fail_msg("%s", error->message);
    }
}

/* Along the root's row, then along the columns. */
static uint32_t cross_parent(uint32_t node, uint32_t root)
{
    const uint32_t x = node % WIDTH;
    const uint32_t y = node / WIDTH;
    const uint32_t root_x = root % WIDTH;
    const uint32_t root_y = root / WIDTH;

    if (y != root_y) {
        return y > root_y ? node - WIDTH : node + WIDTH;
    }
    return x > root_x ? node - 1 : node + 1;
}

/* Row by row, every other one backwards. */
static uint32_t snake_node(uint32_t place)
{
    const uint32_t x = place % WIDTH;
    const uint32_t y = place / WIDTH;

    return WIDTH * y + (y % 2 == 0 ? x : WIDTH - 1 - x);
}

static uint32_t snake_parent(uint32_t node, uint32_t root)
{
    const uint32_t place = snake_node(node); /* which is its own inverse */

    return snake_node(place < snake_node(root) ? place + 1 : place - 1);
}

static ArchNocTrees *make_trees(uint32_t (*parent)(uint32_t node, uint32_t root),
                                uint32_t root,
                                ArchNocTreeUse use)
{
    ArchNocTrees *trees = arch_noc_trees_new(ARCH_NOC_MESH, WIDTH, HEIGHT, root, use);

    for (uint32_t at = 0; at < NODES; at++) {
        for (uint32_t node = 0; node < NODES; node++) {
            if (arch_noc_trees_has(trees, at) && node != at) {
                hang(trees, at, node, parent(node, at));
            }
        }
    }
    return trees;
}

static void assert_refused(ArchNocTrees *trees, bool allow_cycles, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(arch_noc_trees_check(trees, allow_cycles, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message, message);
    assert_false(arch_noc_trees_is_checked(trees));
}

static void a_tree_knows_depths_children_and_outputs(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocTrees) down = make_trees(cross_parent, 5, ARCH_NOC_DOWNWARD);
    g_autoptr(ArchNocTrees) up = make_trees(cross_parent, 5, ARCH_NOC_UPWARD);
    uint32_t children[ARCH_NOC_CHILDREN_MAXIMUM];

    assert_true(arch_noc_trees_check(down, false, NULL));
    assert_true(arch_noc_trees_check(up, false, NULL));

    assert_int_equal(arch_noc_trees_depth(down, 5, 5), 0);
    assert_int_equal(arch_noc_trees_depth(down, 5, 11), 3);
    assert_int_equal(arch_noc_trees_parent(down, 5, 11), 7);
    assert_int_equal(arch_noc_trees_parent(down, 5, 5), UINT32_MAX);
    assert_int_equal(arch_noc_trees_children(down, 5, 5, children), 4);
    assert_int_equal(arch_noc_trees_children(up, 5, 6, children), 3);
    assert_int_equal(arch_noc_trees_children(up, 5, 11, children), 0);
    assert_int_equal(arch_noc_trees_outs(down, 5, 5), 0xf);
    assert_int_equal(arch_noc_trees_outs(down, 5, 6), 0xd); /* not back to the west */
    assert_int_equal(arch_noc_trees_outs(up, 5, 6), 0x2);
    assert_int_equal(arch_noc_trees_outs(up, 5, 5), 0);
}

static void links_must_be_there(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocTrees) mesh =
        arch_noc_trees_new(ARCH_NOC_MESH, WIDTH, HEIGHT, 0, ARCH_NOC_DOWNWARD);
    g_autoptr(ArchNocTrees) down =
        arch_noc_trees_new(ARCH_NOC_WORMHOLE0, WIDTH, HEIGHT, 0, ARCH_NOC_DOWNWARD);
    g_autoptr(ArchNocTrees) up =
        arch_noc_trees_new(ARCH_NOC_WORMHOLE0, WIDTH, HEIGHT, 0, ARCH_NOC_UPWARD);
    g_autoptr(GError) error = NULL;

    assert_false(arch_noc_trees_set(mesh, 0, 3, 0, &error));
    assert_string_equal(error->message, "no link leads from 0,0 to 3,0");
    assert_false(arch_noc_trees_set(mesh, 0, 5, 5, NULL));
    /* One way: what leads down does not lead up. */
    assert_true(arch_noc_trees_set(down, 0, 1, 0, NULL));
    g_clear_error(&error);
    assert_false(arch_noc_trees_set(up, 0, 1, 0, &error));
    assert_string_equal(error->message, "no link leads from 1,0 to 0,0");
    assert_true(arch_noc_trees_set(up, 0, 3, 0, NULL));
}

static void every_node_hangs_below_the_root_once(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocTrees) trees =
        arch_noc_trees_new(ARCH_NOC_MESH, 2, 2, 0, ARCH_NOC_DOWNWARD);
    g_autoptr(GError) error = NULL;

    hang(trees, 0, 1, 0);
    hang(trees, 0, 3, 1);
    assert_false(arch_noc_trees_set(trees, 0, 3, 2, &error));
    assert_string_equal(error->message, "1,1 hangs below both 1,0 and 0,1");
    g_clear_error(&error);
    assert_false(arch_noc_trees_set(trees, 0, 0, 1, &error));
    assert_string_equal(error->message, "the root 0,0 hangs below 1,0");
    assert_refused(trees, false, "tree of 0,0: 0,1 hangs below no node");
    hang(trees, 0, 2, 3);
    assert_true(arch_noc_trees_check(trees, false, NULL));
    assert_true(arch_noc_trees_is_checked(trees));
}

static void a_loop_is_shown(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocTrees) trees =
        arch_noc_trees_new(ARCH_NOC_MESH, 3, 2, 0, ARCH_NOC_DOWNWARD);

    hang(trees, 0, 3, 0);
    hang(trees, 0, 1, 2);
    hang(trees, 0, 2, 5);
    hang(trees, 0, 5, 4);
    hang(trees, 0, 4, 1);

    assert_refused(
        trees, true,
        "tree of 0,0: nodes hang below each other in a loop: 1,0 2,0 2,1 1,1 1,0");
}

static void roots_that_can_wait_for_each_other_are_refused(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocTrees) down =
        make_trees(cross_parent, ARCH_NOC_ALL_ROOTS, ARCH_NOC_DOWNWARD);
    g_autoptr(ArchNocTrees) up =
        make_trees(cross_parent, ARCH_NOC_ALL_ROOTS, ARCH_NOC_UPWARD);

    assert_refused(down, false,
                   "trees: those of 0,0 and 1,0 share the links south of 0,0 and east "
                   "of 1,0; where trees fork, packets may hold one and wait for the "
                   "other");
    assert_true(arch_noc_trees_check(down, true, NULL));
    /* Upward packets stop at every node. */
    assert_true(arch_noc_trees_check(up, false, NULL));
}

/* Around a ring, one way: no tree forks, and yet the links wait for each other. On a
 * row of two there is nothing to wait for. */
static void ways_around_a_ring_are_refused(void **state G_GNUC_UNUSED)
{
    for (guint length = 2; length <= 5; length++) {
        g_autoptr(ArchNocTrees) trees = arch_noc_trees_new(
            ARCH_NOC_WORMHOLE0, length, 1, ARCH_NOC_ALL_ROOTS, ARCH_NOC_DOWNWARD);
        g_autoptr(GError) error = NULL;

        for (uint32_t root = 0; root < length; root++) {
            for (uint32_t i = 1; i < length; i++) {
                hang(trees, root, (root + i) % length, (root + i - 1) % length);
            }
        }
        assert_int_equal(arch_noc_trees_check(trees, false, &error), length == 2);
        if (length == 3) {
            assert_string_equal(error->message, "trees: links can wait for each other "
                                                "in a ring: 0,0 1,0 2,0 0,0");
        }
    }
}

static ArchNocTraffic *
run(const ArchNocTrees *trees, guint flits, uint64_t packets, guint vcs, guint buffer)
{
    ArchNocTrafficConfig config = arch_noc_traffic_config_default();
    g_autoptr(GError) error = NULL;

    config.network.width = WIDTH;
    config.network.height = HEIGHT;
    config.network.routing = ARCH_NOC_TREE;
    config.network.trees = trees;
    config.network.vc_count = vcs;
    config.network.buffer_flits = buffer;
    config.network.hop_cycles = HOP;
    config.network.endpoint_cycles = ENDPOINT;
    config.pattern.kind = arch_noc_trees_use(trees) == ARCH_NOC_UPWARD
                              ? ARCH_NOC_REDUCE
                              : ARCH_NOC_BROADCAST;
    config.packet_flits = flits;
    config.batch_packets = packets;

    ArchNocTraffic *result = arch_noc_traffic_run(&config, &error);

    if (result == NULL) {
        fail_msg("%s", error->message);
    }
    assert_true(result->is_conserved);
    return result;
}

/* The farthest node has the last flit as late as if all packets were one. */
static void a_broadcast_takes_its_way_and_its_flits(void **state G_GNUC_UNUSED)
{
    for (uint32_t root = 0; root < NODES; root++) {
        g_autoptr(ArchNocTrees) trees =
            make_trees(cross_parent, root, ARCH_NOC_DOWNWARD);
        guint depth = 0;

        assert_true(arch_noc_trees_check(trees, false, NULL));
        for (uint32_t node = 0; node < NODES; node++) {
            depth = MAX(depth, arch_noc_trees_depth(trees, root, node));
        }
        for (guint packets = 1; packets <= 20; packets += 19) {
            g_autoptr(ArchNocTraffic) result = run(trees, 5, packets, 1 + root % 4, 16);

            assert_int_equal(result->batch_cycles,
                             ENDPOINT + HOP * depth + 5 * packets - 1);
            assert_int_equal(result->sent, packets * (NODES - 1));
            assert_int_equal(result->flit_hops, (uint64_t) packets * 5 * (NODES - 1));
        }
    }
}

static void a_broadcast_longer_than_the_buffers_arrives(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocTrees) trees = make_trees(cross_parent, 5, ARCH_NOC_DOWNWARD);

    assert_true(arch_noc_trees_check(trees, false, NULL));
    g_autoptr(ArchNocTraffic) result = run(trees, 100, 3, 2, 2);

    assert_int_equal(result->arrived, 3 * (NODES - 1));
}

/* Along the snake every node waits for the one before it, for every packet in turn. */
static void a_reduction_waits_for_the_children(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocTrees) snake = make_trees(snake_parent, 0, ARCH_NOC_UPWARD);
    g_autoptr(ArchNocTrees) cross = make_trees(cross_parent, 5, ARCH_NOC_UPWARD);
    const SimTime step = ENDPOINT + HOP + 5 - 1;

    assert_true(arch_noc_trees_check(snake, false, NULL));
    assert_true(arch_noc_trees_check(cross, false, NULL));
    g_autoptr(ArchNocTraffic) one = run(snake, 5, 1, 4, 16);
    g_autoptr(ArchNocTraffic) many = run(snake, 5, 20, 4, 16);
    g_autoptr(ArchNocTraffic) wide = run(cross, 5, 20, 4, 16);

    assert_int_equal(one->batch_cycles, (NODES - 1) * step);
    assert_int_equal(many->batch_cycles, (NODES - 1) * step + 19 * 5);
    assert_int_equal(many->sent, 20 * (NODES - 1));
    /* Four children at 5 flits each: the root takes in a flit a cycle. */
    assert_in_range(wide->batch_cycles, 20 * 4 * 5, 20 * 4 * 5 + 3 * step);
}

static void all_roots_at_once_arrive(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocTrees) up =
        make_trees(cross_parent, ARCH_NOC_ALL_ROOTS, ARCH_NOC_UPWARD);
    g_autoptr(ArchNocTrees) down =
        make_trees(cross_parent, ARCH_NOC_ALL_ROOTS, ARCH_NOC_DOWNWARD);

    assert_true(arch_noc_trees_check(up, false, NULL));
    assert_true(arch_noc_trees_check(down, true, NULL));
    g_autoptr(ArchNocTraffic) reduced = run(up, 5, 3, 4, 16);
    g_autoptr(ArchNocTraffic) sent = run(down, 5, 1, 12, 16);

    assert_int_equal(reduced->arrived, 3 * NODES * (NODES - 1));
    assert_int_equal(sent->arrived, NODES * (NODES - 1));
}

static void traffic_along_trees_needs_them(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocTrees) trees = make_trees(cross_parent, 0, ARCH_NOC_DOWNWARD);
    g_autoptr(ArchNocTrees) unchecked = make_trees(cross_parent, 0, ARCH_NOC_DOWNWARD);
    ArchNocTrafficConfig good = arch_noc_traffic_config_default();
    good.network.width = WIDTH;
    good.network.height = HEIGHT;
    good.network.routing = ARCH_NOC_TREE;
    good.network.trees = trees;
    good.pattern.kind = ARCH_NOC_BROADCAST;
    good.batch_packets = 1;
    ArchNocTrafficConfig rows[] = {good, good, good, good, good, good, good};
    assert_true(arch_noc_trees_check(trees, false, NULL));
    rows[0].network.routing = ARCH_NOC_XY;
    rows[1].pattern.kind = ARCH_NOC_UNIFORM;
    rows[2].pattern.kind = ARCH_NOC_REDUCE;
    rows[3].batch_packets = 0;
    rows[4].network.trees = NULL;
    rows[5].network.trees = unchecked;
    rows[6].network.width = HEIGHT;
    rows[6].network.height = WIDTH;

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(ArchNocTraffic) result = arch_noc_traffic_run(&rows[i], &error);

        if (result != NULL || !g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID)) {
            fail_msg("row %zu is not refused", i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_knows_depths_children_and_outputs),
        cmocka_unit_test(links_must_be_there),
        cmocka_unit_test(every_node_hangs_below_the_root_once),
        cmocka_unit_test(a_loop_is_shown),
        cmocka_unit_test(roots_that_can_wait_for_each_other_are_refused),
        cmocka_unit_test(ways_around_a_ring_are_refused),
        cmocka_unit_test(a_broadcast_takes_its_way_and_its_flits),
        cmocka_unit_test(a_broadcast_longer_than_the_buffers_arrives),
        cmocka_unit_test(a_reduction_waits_for_the_children),
        cmocka_unit_test(all_roots_at_once_arrive),
        cmocka_unit_test(traffic_along_trees_needs_them),
    };

    return cmocka_run_group_tests_name("arch.noc_trees", tests, NULL, NULL);
}
