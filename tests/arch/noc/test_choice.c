/* Packets that choose their way: around what is busy, and always to their target. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/error.h"
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
static GArray *run_load(const Load *load, guint per_node, uint64_t seed)
{
    const ArchNocConfig config = load_config(load);
    const guint nodes = load->width * load->height;
    uint64_t random = seed;
    Bench bench;
    bench_open(&bench, &config);
    for (guint i = 0; i < nodes * per_node; i++) {
        bench_send(&bench, (Send){.when = sim_random_below(&random, per_node),
                                  .source = i % nodes,
                                  .target = sim_random_below(&random, nodes),
                                  .flits = load->flits});
    }

    bench_run(&bench);

    GArray *deliveries = g_array_ref(bench.deliveries);
    bench_close(&bench);
    return deliveries;
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
        cmocka_unit_test(refuses_rings_and_too_few_channels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
