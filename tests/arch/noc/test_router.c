/* Routers: latency, credits, arbitration, sharing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/noc/network.h"
#include "sim/error.h"
#include "tests/arch/noc/bench.h"
#include "tests/sim/support.h"

typedef struct {
    ArchNocTopology topology;
    guint width;
    guint height;
    ArchNocRouting routing;
    uint32_t source;
    uint32_t target;
    guint hops;
} Way;

static const Way ways[] = {
    {ARCH_NOC_MESH, 8, 8, ARCH_NOC_XY, 0, 63, 14},
    {ARCH_NOC_MESH, 8, 8, ARCH_NOC_YX, 56, 7, 14},
    {ARCH_NOC_MESH, 8, 8, ARCH_NOC_XY, 9, 9, 0},
    {ARCH_NOC_MESH, 1, 1, ARCH_NOC_XY, 0, 0, 0},
    {ARCH_NOC_MESH, 5, 1, ARCH_NOC_XY, 4, 0, 4},
    {ARCH_NOC_TORUS, 8, 8, ARCH_NOC_XY, 0, 63, 2},
    {ARCH_NOC_TORUS, 8, 8, ARCH_NOC_XY, 0, 36, 8},
    {ARCH_NOC_TORUS, 8, 8, ARCH_NOC_YX, 1, 6, 3},
    {ARCH_NOC_TORUS, 7, 1, ARCH_NOC_XY, 1, 5, 3},
    {ARCH_NOC_TORUS, 1, 7, ARCH_NOC_XY, 1, 5, 3},
    {ARCH_NOC_TORUS, 2, 1, ARCH_NOC_XY, 1, 0, 1},
    {ARCH_NOC_WORMHOLE0, 10, 12, ARCH_NOC_XY, 22, 11, 9 + 11},
    {ARCH_NOC_WORMHOLE0, 10, 12, ARCH_NOC_XY, 11, 22, 2},
    {ARCH_NOC_WORMHOLE1, 10, 12, ARCH_NOC_YX, 22, 11, 2},
    {ARCH_NOC_WORMHOLE1, 10, 12, ARCH_NOC_YX, 11, 22, 9 + 11},
    {ARCH_NOC_WORMHOLE0, 6, 1, ARCH_NOC_XY, 3, 2, 5},
    {ARCH_NOC_WORMHOLE1, 1, 6, ARCH_NOC_XY, 3, 4, 5},
};

static void
assert_latency(const Way *way, SimTime hop, SimTime endpoint, guint flits, guint buffer)
{
    ArchNocConfig config = config_of(way->topology, way->width, way->height);
    guint hops = 0;

    config.routing = way->routing;
    config.hop_cycles = hop;
    config.endpoint_cycles = endpoint;
    config.buffer_flits = buffer;
    Send send = {
        .when = 17, .source = way->source, .target = way->target, .flits = flits};
    SimTime latency = lone_latency(&config, send, &hops);
    SimTime expected = endpoint + hop * way->hops + flits - 1;

    if (latency != expected || hops != way->hops) {
        fail_msg("topology %d, %u to %u, hop %" G_GUINT64_FORMAT
                 ", endpoint %" G_GUINT64_FORMAT ", %u flits: %" G_GUINT64_FORMAT
                 " cycles and %u hops instead of %" G_GUINT64_FORMAT " and %u",
                 way->topology, way->source, way->target, hop, endpoint, flits, latency,
                 hops, expected, way->hops);
    }
}

static void an_empty_network_takes_exactly_its_latency(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        assert_latency(&ways[i], 1, 0, 1, 16);
        assert_latency(&ways[i], 1, 1, 4, 16);
        assert_latency(&ways[i], 3, 4, 1, 16);
        assert_latency(&ways[i], 9, 10, 5, 16);
        assert_latency(&ways[i], 1, 7, 16, 16);
    }
}

static void packets_longer_than_a_buffer_stream_through(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        assert_latency(&ways[i], 3, 4, 17, 16);
        assert_latency(&ways[i], 9, 10, 257, 11);
        assert_latency(&ways[i], 1, 2, 1000, 3);
    }
}

static void a_stream_runs_at_buffer_over_credit_loop(void **state G_GNUC_UNUSED)
{
    static const guint buffers[] = {1, 2, 3, 5, 10, 11, 15, 16, 17, 64};
    enum {
        FLITS = 500,
        HOP = 9,
        CREDIT = 7,
        LOOP = HOP + CREDIT,
        ENDPOINT = 10,
    };

    for (gsize i = 0; i < G_N_ELEMENTS(buffers); i++) {
        ArchNocConfig config = config_of(ARCH_NOC_MESH, 4, 1);
        guint window = MIN(buffers[i], (guint) LOOP);
        SimTime stream = (FLITS - 1) / window * LOOP + (FLITS - 1) % window;
        guint hops = 0;

        config.vc_count = 1;
        config.hop_cycles = HOP;
        config.credit_cycles = CREDIT;
        config.endpoint_cycles = ENDPOINT;
        config.buffer_flits = buffers[i];
        SimTime latency =
            lone_latency(&config, (Send){.target = 3, .flits = FLITS}, &hops);

        if (latency != ENDPOINT + 3 * HOP + stream) {
            fail_msg("buffer of %u: %" G_GUINT64_FORMAT
                     " cycles instead of %" G_GUINT64_FORMAT,
                     buffers[i], latency, ENDPOINT + 3 * HOP + stream);
        }
    }
}

/* Nodes 0 and 1 send to 2 over the link between 1 and 2. */
static void open_merge(Bench *bench, guint vcs)
{
    ArchNocConfig config = config_of(ARCH_NOC_MESH, 3, 1);

    config.vc_count = vcs;
    config.buffer_flits = 64;
    bench_open(bench, &config);
}

static void a_channel_is_held_until_the_tail(void **state G_GNUC_UNUSED)
{
    Bench bench;
    open_merge(&bench, 1);
    bench_send(&bench, (Send){.source = 0, .target = 2, .flits = 40});
    bench_send(&bench, (Send){.source = 1, .target = 2, .flits = 40});

    bench_run(&bench);

    assert_int_equal(bench_delivery(&bench, 0)->source, 1);
    assert_int_equal(bench_delivery(&bench, 0)->arrived, 4 + 3 + 39);
    assert_int_equal(bench_delivery(&bench, 1)->source, 0);
    assert_int_equal(bench_delivery(&bench, 1)->arrived, 4 + 3 + 79);
    bench_close(&bench);
}

static void two_channels_alternate_flit_by_flit(void **state G_GNUC_UNUSED)
{
    Bench bench;
    open_merge(&bench, 2);
    bench_send(&bench, (Send){.when = 3, .source = 1, .target = 2, .flits = 40});
    bench_send(&bench, (Send){.when = 0, .source = 0, .target = 2, .flits = 40});

    bench_run(&bench);

    /* Both reach router 1 at once, so the two tails come one after the other. */
    assert_int_equal(bench_delivery(&bench, 0)->arrived, 3 + 4 + 3 + 78);
    assert_int_equal(bench_delivery(&bench, 1)->arrived, 3 + 4 + 3 + 79);
    bench_close(&bench);
}

static void a_short_packet_overtakes_a_long_one(void **state G_GNUC_UNUSED)
{
    Bench bench;
    open_merge(&bench, 2);
    bench_send(&bench, (Send){.when = 0, .source = 0, .target = 2, .flits = 200});
    bench_send(&bench, (Send){.when = 50, .source = 1, .target = 2, .flits = 4});

    bench_run(&bench);

    /* Every other flit is its own; the long one is as late as it has flits. */
    assert_int_equal(bench_delivery(&bench, 0)->source, 1);
    assert_true(bench_delivery(&bench, 0)->arrived >= 50 + 4 + 3 + 2 * 3);
    assert_true(bench_delivery(&bench, 0)->arrived <= 50 + 4 + 3 + 2 * 3 + 1);
    assert_int_equal(bench_delivery(&bench, 1)->arrived, 4 + 2 * 3 + 199 + 4);
    bench_close(&bench);
}

enum {
    BULK_PACKETS = 40,
    BULK_FLITS = 16,
    CENTRE = 4,
    BULK_TARGET = 5,
};

/* Streams from different sides over the link from the centre of a 3x3 mesh. */
static SimTime run_bulk(guint count, guint vcs, SimTime stagger, SimTime *ends)
{
    static const uint32_t sources[] = {CENTRE, 3, 1, 7};
    ArchNocConfig config = config_of(ARCH_NOC_MESH, 3, 3);
    SimTime end = 0;
    Bench bench;

    config.routing = ARCH_NOC_YX;
    config.vc_count = vcs;
    bench_open(&bench, &config);
    for (guint i = 0; i < count * BULK_PACKETS; i++) {
        bench_send(&bench, (Send){.when = stagger * (i % count),
                                  .source = sources[i % count],
                                  .target = BULK_TARGET,
                                  .flits = BULK_FLITS});
    }

    bench_run(&bench);

    for (guint i = 0; i < count; i++) {
        ends[i] = bench_end(&bench, sources[i]);
        end = MAX(end, ends[i]);
    }
    bench_close(&bench);
    return end;
}

/* When a stream ends, each other one has at most a packet in each channel left. */
static void assert_fair(guint count, guint vcs)
{
    SimTime ends[4] = {0};
    const SimTime flits = (SimTime) count * BULK_PACKETS * BULK_FLITS;

    const SimTime end = run_bulk(count, vcs, 0, ends);

    if (end != 4 + 3 + flits - 1) {
        fail_msg("%u transfers take %" G_GUINT64_FORMAT " cycles", count, end);
    }
    for (guint i = 0; i < count; i++) {
        if (ends[i] + (SimTime) (count - 1) * vcs * BULK_FLITS < end) {
            fail_msg("%u transfers, %u channels: number %u ends at %" G_GUINT64_FORMAT
                     " of %" G_GUINT64_FORMAT,
                     count, vcs, i, ends[i], end);
        }
    }
}

static void equal_transfers_over_one_link_end_together(void **state G_GNUC_UNUSED)
{
    for (guint count = 1; count <= 4; count++) {
        assert_fair(count, 1);
        assert_fair(count, 4);
    }
}

static void a_stagger_lengthens_nothing(void **state G_GNUC_UNUSED)
{
    static const SimTime staggers[] = {1, 2, 5, 16, 17, 100, 333, 640};

    for (gsize i = 0; i < G_N_ELEMENTS(staggers); i++) {
        SimTime ends[4] = {0};
        SimTime flits = (SimTime) 4 * BULK_PACKETS * BULK_FLITS;

        SimTime end = run_bulk(4, 1 + (guint) i % 4, staggers[i], ends);

        if (end > 4 + 3 + flits - 1 + BULK_FLITS) {
            fail_msg("staggered by %" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT
                     " cycles for %" G_GUINT64_FORMAT " flits",
                     staggers[i], end, flits);
        }
    }
}

/* A network whose nodes take nothing until they are opened: what is let go shows how
 * much room there is. */
typedef struct {
    SimEngine *engine;
    NocGrid *grid;
    NocNetwork *network;
    bool is_open;
    SimTime ends[4]; /* by node: the last arrival */
} Wall;

static uint32_t
route_east(gpointer data G_GNUC_UNUSED, uint32_t node, NocPacket *packet)
{
    return node == packet->target ? 1U << 2 : 1U << NOC_X;
}

static bool accept_if_open(gpointer data,
                           uint32_t node G_GNUC_UNUSED,
                           uint32_t packet G_GNUC_UNUSED,
                           guint vc G_GNUC_UNUSED)
{
    return ((const Wall *) data)->is_open;
}

static void note_end(gpointer data, uint32_t node, uint32_t packet G_GNUC_UNUSED)
{
    Wall *self = data;

    self->ends[node] = sim_engine_now(self->engine);
}

static void wall_fall(SimRegion *region G_GNUC_UNUSED, gpointer data)
{
    Wall *self = data;

    self->is_open = true;
    noc_network_kick(self->network, 1);
    noc_network_kick(self->network, 2);
}

static void wall_open_with(Wall *self, NocNetworkConfig config)
{
    static const NocEndpointOps ops = {
        .route = route_east, .accept = accept_if_open, .arrived = note_end};

    *self = (Wall){0};
    self->engine = sim_engine_new(sim_engine_config_default());
    self->grid = noc_grid_new(ARCH_NOC_WORMHOLE0, 4, 1);
    config.grid = self->grid;
    config.queue_count = config.id_count;
    config.hop_cycles = 3;
    config.inject_cycles = 2;
    config.eject_cycles = 2;
    config.credit_cycles = 1;
    config.name = "wall";
    self->network =
        noc_network_new(sim_engine_region(self->engine, 0), 1, &config, &ops, self);
}

static void wall_open(Wall *self, guint ids, guint vc_flits, guint pool_flits)
{
    wall_open_with(self, (NocNetworkConfig){.id_count = ids,
                                            .vc_flits = vc_flits,
                                            .pool_flits = pool_flits});
}

static void wall_close(Wall *self)
{
    noc_network_free(self->network);
    noc_grid_free(self->grid);
    sim_engine_free(self->engine);
}

/* Flits that pass the link to the wall when `ids` channels try as hard as they can. */
static uint64_t flits_let_go(guint ids, guint vc_flits, guint pool_flits)
{
    g_autoptr(GError) error = NULL;
    Wall wall;
    wall_open(&wall, ids, vc_flits, pool_flits);
    for (guint id = 0; id < ids; id++) {
        noc_network_send(wall.network, &(NocPacket){.source = 0,
                                                    .target = 1,
                                                    .via = NOC_NODE_NONE,
                                                    .flits = 1000,
                                                    .ids = (uint16_t) (1U << id),
                                                    .queue = (uint8_t) id,
                                                    .targets = 1});
    }

    assert_false(sim_engine_run(wall.engine, LIMIT, &error));

    assert_error(error, SIM_ERROR, SIM_ERROR_DEADLOCK);
    assert_non_null(strstr(error->message, "wall: "));
    uint64_t flits = noc_network_flits(wall.network, 0, NOC_X);
    wall_close(&wall);
    return flits;
}

typedef struct {
    guint ids;
    guint vc_flits;
    guint pool_flits;
    uint64_t flits;
} Room;

static void credits_are_as_many_as_there_is_room(void **state G_GNUC_UNUSED)
{
    static const Room rows[] = {
        {1, 1, 0, 1},          /* a channel alone */
        {1, 5, 0, 5},          /* not a power of two */
        {1, 16, 0, 16},        /* full */
        {3, 16, 0, 48},        /* no pool: each its own */
        {1, 16, 48, 16},       /* the channel's cap */
        {3, 16, 48, 48},       /* the pool is not full yet: 3 x 15 */
        {4, 16, 48, 48 + 4},   /* the pool's cap, and one flit each */
        {8, 16, 48, 48 + 8},   /* likewise */
        {16, 16, 48, 48 + 16}, /* all sixteen */
        {8, 16, 1, 1 + 8},     /* a pool of one */
        {2, 1, 48, 2},         /* nothing beyond the one each */
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        uint64_t flits =
            flits_let_go(rows[i].ids, rows[i].vc_flits, rows[i].pool_flits);

        if (flits != rows[i].flits) {
            fail_msg("%u channels of %u, pool %u: %" G_GUINT64_FORMAT
                     " flits instead of %" G_GUINT64_FORMAT,
                     rows[i].ids, rows[i].vc_flits, rows[i].pool_flits, flits,
                     rows[i].flits);
        }
    }
}

static void a_full_pool_lets_an_empty_channel_through(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    Wall wall;
    wall_open(&wall, 4, 16, 15);
    NocPacket packet = {
        .target = 1, .via = NOC_NODE_NONE, .flits = 16, .ids = 1, .targets = 1};
    noc_network_send(wall.network, &packet);
    packet.target = 2; /* past the wall, by another channel */
    packet.flits = 100;
    packet.ids = 2;
    packet.queue = 1;
    noc_network_send(wall.network, &packet);

    assert_false(sim_engine_run(wall.engine, LIMIT, &error));

    /* It passes node 1 a flit at a time and fills the buffer of node 2. */
    assert_int_equal(noc_network_flits(wall.network, 0, NOC_X), 16 + 16 + 1);
    assert_int_equal(noc_network_flits(wall.network, 1, NOC_X), 16);
    wall_close(&wall);
}

static void an_input_sends_one_flit_a_cycle(void **state G_GNUC_UNUSED)
{
    enum {
        FALL = 200,
    };
    g_autoptr(GError) error = NULL;
    Wall wall;
    wall_open(&wall, 2, 8, 0);
    NocPacket packet = {
        .target = 1, .via = NOC_NODE_NONE, .flits = 8, .ids = 1, .targets = 1};
    noc_network_send(wall.network, &packet);
    packet.target = 2;
    packet.flits = 16;
    packet.ids = 2;
    packet.queue = 1;
    noc_network_send(wall.network, &packet);
    sim_region_at(sim_engine_region(wall.engine, 0), FALL, 0, wall_fall, &wall);

    assert_true(sim_engine_run(wall.engine, LIMIT, &error));

    /* Eight flits wait in each of the two channels of one input of node 1, for
     * different outputs; the way out takes 2 cycles, the way on 3 more. */
    assert_int_equal(MAX(wall.ends[1] - 2, wall.ends[2] - 5), FALL + 15);
    wall_close(&wall);
}

/* When the last of `count` packets, all of one channel, has come from one node to the
 * next. */
static SimTime end_of_train(guint count, guint flits, SimTime gap)
{
    g_autoptr(GError) error = NULL;
    Wall wall;
    wall_open_with(
        &wall, (NocNetworkConfig){.id_count = 1, .vc_flits = 16, .gap_cycles = gap});
    wall.is_open = true;
    for (guint i = 0; i < count; i++) {
        noc_network_send(wall.network, &(NocPacket){.source = 0,
                                                    .target = 1,
                                                    .via = NOC_NODE_NONE,
                                                    .flits = flits,
                                                    .ids = 1,
                                                    .targets = 1});
    }

    assert_true(sim_engine_run(wall.engine, LIMIT, &error));

    const SimTime end = wall.ends[1];
    wall_close(&wall);
    return end;
}

static void a_channel_rests_between_packets(void **state G_GNUC_UNUSED)
{
    const SimTime alone = end_of_train(1, 2, 0);

    assert_int_equal(end_of_train(1, 2, 3), alone);
    assert_int_equal(end_of_train(5, 2, 0), alone + 4 * 2);
    assert_int_equal(end_of_train(5, 2, 1), alone + 4 * (2 + 1));
    assert_int_equal(end_of_train(5, 2, 3), alone + 4 * (2 + 3));
    /* A header alone does not take the channel. */
    assert_int_equal(end_of_train(5, 1, 3), end_of_train(1, 1, 0) + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_network_takes_exactly_its_latency),
        cmocka_unit_test(packets_longer_than_a_buffer_stream_through),
        cmocka_unit_test(a_stream_runs_at_buffer_over_credit_loop),
        cmocka_unit_test(a_channel_is_held_until_the_tail),
        cmocka_unit_test(a_channel_rests_between_packets),
        cmocka_unit_test(two_channels_alternate_flit_by_flit),
        cmocka_unit_test(a_short_packet_overtakes_a_long_one),
        cmocka_unit_test(equal_transfers_over_one_link_end_together),
        cmocka_unit_test(a_stagger_lengthens_nothing),
        cmocka_unit_test(credits_are_as_many_as_there_is_room),
        cmocka_unit_test(a_full_pool_lets_an_empty_channel_through),
        cmocka_unit_test(an_input_sends_one_flit_a_cycle),
    };

    return cmocka_run_group_tests_name("arch.noc_router", tests, NULL, NULL);
}
