/* Packets that choose their way: around what is busy, and always to their target. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/error.h"
#include "arch/traffic/traffic.h"
#include "sim/random.h"
#include "tests/arch/noc/bench.h"

enum {
    LONG_FLITS = 100,
    START = 10, /* of the packet that is looked at, while the long one passes */
};

typedef struct {
    ArchNocTopology topology;
    guint width;
    guint height;
    ArchNocRouting routing;
    guint vcs;
    guint buffer;
    guint flits; /* of a packet */
} Load;

static ArchNocConfig quick_config(guint width, guint height, ArchNocRouting routing)
{
    ArchNocConfig config = config_of(ARCH_NOC_MESH, width, height);

    config.routing = routing;
    config.vc_count = routing == ARCH_NOC_ADAPTIVE ? 2 : 1;
    config.hop_cycles = 1;
    config.endpoint_cycles = 0;
    config.credit_cycles = 1;
    return config;
}

/* A long packet goes along the first row from its second node on. Returns when a flit
 * from the first node arrives at `target`. */
static SimTime arrival_behind_long(const ArchNocConfig *config, uint32_t target)
{
    Bench bench;
    bench_open(&bench, config);
    bench_send(&bench,
               (Send){.source = 1, .target = config->width - 1, .flits = LONG_FLITS});
    bench_send(&bench,
               (Send){.when = START, .source = 0, .target = target, .flits = 1});

    bench_run(&bench);

    const SimTime end = bench_end(&bench, 0);
    bench_close(&bench);
    return end;
}

static void a_packet_goes_around_a_busy_link(void **state G_GNUC_UNUSED)
{
    static const struct {
        ArchNocRouting routing;
        SimTime end;
    } rows[] = {
        /* East, then at the second node after the long one's tail, and south. */
        {ARCH_NOC_XY, LONG_FLITS + 2},
        /* East, at once south, and east: as if it were alone. */
        {ARCH_NOC_WEST_FIRST, START + 3},
        {ARCH_NOC_ADAPTIVE, START + 3},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const ArchNocConfig config = quick_config(4, 2, rows[i].routing);

        assert_int_equal(arrival_behind_long(&config, 6), rows[i].end);
    }
}

/* In a row there is no way around. The long packet has the only channel but that for
 * escape, and flits of both take turns. */
static void a_packet_escapes_where_no_channel_is_free(void **state G_GNUC_UNUSED)
{
    const ArchNocConfig adaptive = quick_config(4, 1, ARCH_NOC_ADAPTIVE);
    const ArchNocConfig west_first = quick_config(4, 1, ARCH_NOC_WEST_FIRST);

    assert_int_equal(arrival_behind_long(&adaptive, 2), START + 2);
    assert_int_equal(arrival_behind_long(&west_first, 2), LONG_FLITS + 1);
}

/* Both ways are free: it takes the one beyond which fewer flits wait. */
static void a_packet_goes_where_fewer_flits_wait(void **state G_GNUC_UNUSED)
{
    ArchNocConfig config = quick_config(3, 3, ARCH_NOC_WEST_FIRST);
    Bench bench;
    config.vc_count = 2;
    bench_open(&bench, &config);
    bench_send(&bench, (Send){.source = 1, .target = 2, .flits = LONG_FLITS});
    bench_send(&bench, (Send){.when = START, .source = 0, .target = 8, .flits = 1});

    bench_run(&bench);

    /* East to node 1, from there not east, where there is a free channel, too. */
    for (guint i = 0; i < arch_noc_link_count(bench.noc); i++) {
        const ArchNocLink link = arch_noc_link(bench.noc, i);

        if (link.from == 1) {
            assert_int_equal(link.flits, link.to == 2   ? LONG_FLITS
                                         : link.to == 4 ? 1
                                                        : 0);
        }
    }
    assert_int_equal(bench_end(&bench, 0), START + 4);
    bench_close(&bench);
}

static ArchNocConfig load_config(const Load *load)
{
    ArchNocConfig config = config_of(load->topology, load->width, load->height);

    config.routing = load->routing;
    config.vc_count = load->vcs;
    config.buffer_flits = load->buffer;
    config.hop_cycles = 1;
    config.endpoint_cycles = 2;
    config.credit_cycles = 1;
    return config;
}

/* Steps along an axis, at least. */
static guint steps(const ArchNocConfig *config, guint from, guint to, guint length)
{
    const guint up = (to + length - from) % length;
    const guint down = (length - up) % length;

    switch (config->topology) {
    case ARCH_NOC_MESH:
        return to > from ? to - from : from - to;
    case ARCH_NOC_TORUS:
        return MIN(up, down);
    case ARCH_NOC_WORMHOLE0:
        return up;
    case ARCH_NOC_WORMHOLE1:
        return down;
    }
    return 0;
}

static guint shortest(const ArchNocConfig *config, const ArchNocDelivery *delivery)
{
    const guint width = config->width;

    return steps(config, delivery->source % width, delivery->target % width, width) +
           steps(config, delivery->source / width, delivery->target / width,
                 config->height);
}

/* All nodes send packets to all, far more than the network can take. Returns what
 * arrived; the caller unrefs the array. */
static GArray *
run_config(const ArchNocConfig *config, guint flits, guint per_node, uint64_t seed)
{
    const guint nodes = config->width * config->height;
    uint64_t random = seed;
    Bench bench;
    bench_open(&bench, config);
    for (guint i = 0; i < nodes * per_node; i++) {
        bench_send(&bench, (Send){.when = sim_random_below(&random, per_node),
                                  .source = i % nodes,
                                  .target = sim_random_below(&random, nodes),
                                  .flits = flits});
    }

    bench_run(&bench);

    GArray *deliveries = g_array_ref(bench.deliveries);
    bench_close(&bench);
    return deliveries;
}

static GArray *run_load(const Load *load, guint per_node, uint64_t seed)
{
    const ArchNocConfig config = load_config(load);

    return run_config(&config, load->flits, per_node, seed);
}

/* The first ones stop, with some seeds, if a packet may wait behind another in a
 * channel that has no room for all of it. */
static const Load loads[] = {
    {ARCH_NOC_MESH, 8, 8, ARCH_NOC_ADAPTIVE, 2, 5, 6},
    {ARCH_NOC_MESH, 8, 8, ARCH_NOC_ADAPTIVE, 2, 8, 9},
    {ARCH_NOC_MESH, 8, 8, ARCH_NOC_ADAPTIVE, 2, 16, 20},
    {ARCH_NOC_TORUS, 8, 8, ARCH_NOC_ADAPTIVE, 3, 8, 9},
    {ARCH_NOC_TORUS, 8, 1, ARCH_NOC_ADAPTIVE, 3, 5, 6},
    /* Others: little room, much room, odd rings, one way. */
    {ARCH_NOC_MESH, 5, 4, ARCH_NOC_ADAPTIVE, 2, 1, 5},
    {ARCH_NOC_MESH, 5, 4, ARCH_NOC_ADAPTIVE, 12, 16, 4},
    {ARCH_NOC_MESH, 5, 4, ARCH_NOC_WEST_FIRST, 1, 1, 5},
    {ARCH_NOC_MESH, 8, 8, ARCH_NOC_WEST_FIRST, 3, 5, 6},
    {ARCH_NOC_TORUS, 5, 3, ARCH_NOC_ADAPTIVE, 3, 1, 5},
    {ARCH_NOC_TORUS, 4, 4, ARCH_NOC_ADAPTIVE, 3, 2, 7},
    {ARCH_NOC_TORUS, 2, 2, ARCH_NOC_ADAPTIVE, 4, 1, 3},
    {ARCH_NOC_TORUS, 1, 8, ARCH_NOC_ADAPTIVE, 3, 1, 3},
    {ARCH_NOC_WORMHOLE0, 5, 6, ARCH_NOC_ADAPTIVE, 3, 5, 6},
    {ARCH_NOC_WORMHOLE1, 6, 5, ARCH_NOC_ADAPTIVE, 3, 2, 3},
};

static void all_packets_arrive_by_a_shortest_way(void **state G_GNUC_UNUSED)
{
    enum {
        PER_NODE = 100,
        SEEDS = 3,
    };

    for (gsize i = 0; i < G_N_ELEMENTS(loads) * SEEDS; i++) {
        const Load *load = &loads[i / SEEDS];
        const ArchNocConfig config = load_config(load);

        g_autoptr(GArray) deliveries = run_load(load, PER_NODE, i + 1);

        assert_int_equal(deliveries->len, load->width * load->height * PER_NODE);
        for (guint k = 0; k < deliveries->len; k++) {
            const ArchNocDelivery *delivery =
                &g_array_index(deliveries, ArchNocDelivery, k);

            assert_int_equal(delivery->hops, shortest(&config, delivery));
        }
    }
}

static void the_same_seed_gives_the_same_run(void **state G_GNUC_UNUSED)
{
    g_autoptr(GArray) first = run_load(&loads[3], 30, 7);
    g_autoptr(GArray) second = run_load(&loads[3], 30, 7);

    assert_int_equal(first->len, second->len);
    assert_memory_equal(first->data, second->data,
                        first->len * sizeof(ArchNocDelivery));
}

/* All shortest ways, and along x first, without the ends of rings, as an escape. */
static ArchNocRoutes *free_routes(ArchNocTopology topology, guint width, guint height)
{
    ArchNocRoutes *routes = arch_noc_routes_new(topology, width, height);

    arch_noc_routes_allow_shortest(routes);
    for (uint32_t i = 0; i < width * height * width * height; i++) {
        const uint32_t node = i / (width * height);
        const uint32_t target = i % (width * height);
        const guint x = node % width;
        const guint to_x = target % width;
        const uint32_t next = to_x > x        ? node + 1
                              : to_x < x      ? node - 1
                              : target > node ? node + width
                                              : node - width;

        assert_true(node == target ||
                    arch_noc_routes_set(routes, node, target, next, NULL));
    }
    return routes;
}

static void tables_with_an_escape_do_not_deadlock(void **state G_GNUC_UNUSED)
{
    static const Load rows[] = {
        {ARCH_NOC_MESH, 8, 8, ARCH_NOC_TABLE, 2, 5, 6},
        {ARCH_NOC_MESH, 5, 4, ARCH_NOC_TABLE, 3, 1, 5},
        {ARCH_NOC_TORUS, 8, 8, ARCH_NOC_TABLE, 2, 5, 6},
        {ARCH_NOC_TORUS, 8, 1, ARCH_NOC_TABLE, 2, 2, 9},
    };

    for (gsize i = 0; i < 3 * G_N_ELEMENTS(rows); i++) {
        const Load *load = &rows[i / 3];
        g_autoptr(ArchNocRoutes) routes =
            free_routes(load->topology, load->width, load->height);
        ArchNocConfig config = load_config(load);
        g_autoptr(GError) error = NULL;
        config.routes = routes;
        assert_true(arch_noc_routes_check(routes, false, &error));

        g_autoptr(GArray) deliveries = run_config(&config, load->flits, 100, i + 1);

        assert_int_equal(deliveries->len, load->width * load->height * 100);
    }
}

/* What a function is asked, and what it says. */
typedef struct {
    guint asked;
    guint free_flits[4]; /* the last time */
    guint port;
    bool fails;
} Adviser;

static bool advise(gpointer data, const ArchNocHop *hop, guint *port, GError **error)
{
    Adviser *self = data;

    self->asked++;
    for (guint i = 0; i < 4; i++) {
        self->free_flits[i] = (hop->outs >> i & 1) != 0 ? hop->free_flits[i] : 0;
    }
    assert_string_equal(hop->names[0], "east");
    assert_string_equal(hop->names[2], "south");
    *port = self->port;
    return !self->fails || arch_refuse(error, "no advice");
}

enum {
    EAST = 0,
    SOUTH = 2,
};

/* Two packets in a row from the first node to the last of a 2x2 mesh. The first is
 * asked about when nothing waits, the second while the first, of 3 flits, is still in
 * the buffers beyond. */
static void
a_function_is_asked_once_at_a_router_and_sees_credits(void **state G_GNUC_UNUSED)
{
    for (guint port = EAST; port <= SOUTH; port += SOUTH) {
        g_autoptr(ArchNocRoutes) routes = free_routes(ARCH_NOC_MESH, 2, 2);
        ArchNocConfig config = quick_config(2, 2, ARCH_NOC_TABLE);
        Adviser adviser = {.port = port};
        Bench bench;
        config.vc_count = 3;
        config.routes = routes;
        config.credit_cycles = 20;
        arch_noc_routes_on_choice(routes, advise, &adviser, NULL);
        bench_open(&bench, &config);
        bench_send(&bench, (Send){.source = 0, .target = 3, .flits = 3});
        bench_send(&bench, (Send){.when = 10, .source = 0, .target = 3, .flits = 1});

        bench_run(&bench);

        /* Nobody is asked at the second router, where one way is left. */
        assert_int_equal(adviser.asked, 2);
        /* Two channels of 16 flits; 3 went that way, and no credit is back. */
        assert_int_equal(adviser.free_flits[port], 2 * 16 - 3);
        assert_int_equal(adviser.free_flits[port == EAST ? SOUTH : EAST], 2 * 16);
        for (guint i = 0; i < arch_noc_link_count(bench.noc); i++) {
            const ArchNocLink link = arch_noc_link(bench.noc, i);

            if (link.from == 0) {
                assert_int_equal(link.flits, (link.to == 1) == (port == EAST) ? 4 : 0);
            }
        }
        bench_close(&bench);
    }
}

static void a_function_that_fails_fails_the_run(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocRoutes) routes = free_routes(ARCH_NOC_MESH, 4, 4);
    ArchNocTrafficConfig config = arch_noc_traffic_config_default();
    Adviser adviser = {.fails = true};
    g_autoptr(GError) error = NULL;
    config.network.width = config.network.height = 4;
    config.network.routing = ARCH_NOC_TABLE;
    config.network.routes = routes;
    config.batch_packets = 10;
    arch_noc_routes_on_choice(routes, advise, &adviser, NULL);

    assert_null(arch_noc_traffic_run(&config, &error));

    assert_string_equal(error->message, "no advice");
    assert_int_equal(adviser.asked, 1);
}

static void assert_refused(const ArchNocRoutes *routes, const char *message)
{
    g_autoptr(GError) error = NULL;

    assert_false(arch_noc_routes_check(routes, false, &error));
    assert_string_equal(error->message, message);
}

static void
refuses_choices_that_can_deadlock_or_never_arrive(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocRoutes) ring = arch_noc_routes_new(ARCH_NOC_MESH, 2, 2);
    g_autoptr(ArchNocRoutes) gap = arch_noc_routes_new(ARCH_NOC_MESH, 3, 1);
    g_autoptr(ArchNocRoutes) loop = arch_noc_routes_new(ARCH_NOC_MESH, 3, 1);

    arch_noc_routes_allow_shortest(ring);
    assert_refused(ring,
                   "outputs without an escape: links can wait for each other in a "
                   "ring: 0,0 1,0 1,1 0,1 0,0");
    assert_true(arch_noc_routes_check(ring, true, NULL));
    assert_true(arch_noc_routes_allow(gap, 1, 0, 0, NULL));
    assert_refused(gap, "outputs toward 0,0: none is allowed at 2,0");
    arch_noc_routes_allow_shortest(loop);
    assert_true(arch_noc_routes_check(loop, false, NULL));
    assert_true(arch_noc_routes_allow(loop, 1, 0, 2, NULL));
    assert_refused(loop, "outputs toward 0,0: links can wait for each other in a ring: "
                         "1,0 2,0 1,0");
    assert_false(arch_noc_routes_allow(loop, 0, 2, 2, NULL));
}

static void refuses_rings_and_too_few_channels(void **state G_GNUC_UNUSED)
{
    static const struct {
        Load load;
        const char *message;
    } rows[] = {
        {{ARCH_NOC_MESH, 4, 4, ARCH_NOC_ADAPTIVE, 1, 1, 1},
         "virtual channels = 1, allowed is 2..12"},
        {{ARCH_NOC_TORUS, 4, 4, ARCH_NOC_ADAPTIVE, 2, 1, 1},
         "virtual channels = 2, allowed is 3..12"},
        {{ARCH_NOC_TORUS, 4, 4, ARCH_NOC_WEST_FIRST, 2, 1, 1},
         "routing west_first is for a mesh: packets that go around a ring can wait for "
         "each other"},
    };
    g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const ArchNocConfig config = load_config(&rows[i].load);
        g_autoptr(GError) error = NULL;

        assert_null(arch_noc_new(sim_engine_region(engine, 0), 0, &config, &error));
        assert_string_equal(error->message, rows[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_goes_around_a_busy_link),
        cmocka_unit_test(a_packet_escapes_where_no_channel_is_free),
        cmocka_unit_test(a_packet_goes_where_fewer_flits_wait),
        cmocka_unit_test(all_packets_arrive_by_a_shortest_way),
        cmocka_unit_test(the_same_seed_gives_the_same_run),
        cmocka_unit_test(tables_with_an_escape_do_not_deadlock),
        cmocka_unit_test(a_function_is_asked_once_at_a_router_and_sees_credits),
        cmocka_unit_test(a_function_that_fails_fails_the_run),
        cmocka_unit_test(refuses_choices_that_can_deadlock_or_never_arrive),
        cmocka_unit_test(refuses_rings_and_too_few_channels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
