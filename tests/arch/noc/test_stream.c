/* The first pass of routers: it serves flits in the middle of packets sooner within a
 * cycle, and nothing ends at another time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/noc/network_state.h"
#include "sim/random.h"

enum {
    SIDE = 4,
    PACKETS = 400,
    LIMIT = 1000000,
};

/* Much traffic on a small torus. */
typedef struct {
    SimEngine *engine;
    NocGrid *grid;
    NocNetwork *network;
    uint64_t random;
    guint left;   /* packets to send */
    GArray *ends; /* of SimTime, node and packet's flits, in the order of arrival */
} Traffic;

static uint32_t route(gpointer data, uint32_t node, NocPacket *packet)
{
    const NocGrid *grid = ((const Traffic *) data)->grid;

    if (node == packet->target) {
        return 1U << grid->local;
    }
    return grid->x[node] != grid->x[packet->target] ? 1U << NOC_X : 1U << NOC_Y;
}

/* Nodes take flits a little slower than they come. */
static uint32_t cost(gpointer data G_GNUC_UNUSED,
                     uint32_t node,
                     const NocPacket *packet G_GNUC_UNUSED,
                     bool is_in G_GNUC_UNUSED)
{
    return NOC_CYCLE + NOC_CYCLE / 10 * (node % 3);
}

static void note_end(gpointer data, uint32_t node, uint32_t packet)
{
    Traffic *self = data;
    const SimTime end[] = {sim_engine_now(self->engine), node,
                           noc_network_packet(self->network, packet)->flits};

    g_array_append_vals(self->ends, end, G_N_ELEMENTS(end));
}

static void send_next(SimRegion *region, gpointer data)
{
    Traffic *self = data;
    const uint32_t source = sim_random_below(&self->random, SIDE * SIDE);
    const guint id = sim_random_below(&self->random, 4);
    const NocPacket packet = {
        .source = source,
        .target = sim_random_below(&self->random, SIDE * SIDE),
        .via = NOC_NODE_NONE,
        .flits = 1 + sim_random_below(&self->random, 40),
        .ids = id == 3 ? 8 | 4 : sim_u16(1U << id),
        .queue = sim_u8(id),
        .targets = 1,
    };

    (void) noc_network_send(self->network, &packet);
    if (--self->left > 0) {
        sim_region_at(region,
                      sim_region_now(region) + sim_random_below(&self->random, 12), 0,
                      send_next, self);
    }
}

static void traffic_open(Traffic *self, guint pool_flits, SimTime gap)
{
    static const NocEndpointOps ops = {
        .route = route, .cost = cost, .arrived = note_end};

    *self = (Traffic){.random = 7, .left = PACKETS};
    self->engine = sim_engine_new(sim_engine_config_default());
    self->grid = noc_grid_new(ARCH_NOC_WORMHOLE0, SIDE, SIDE);
    self->ends = g_array_new(FALSE, FALSE, sizeof(SimTime));
    self->network = noc_network_new(sim_engine_region(self->engine, 0), 1,
                                    &(NocNetworkConfig){.grid = self->grid,
                                                        .id_count = 4,
                                                        .has_dateline = true,
                                                        .vc_flits = 8,
                                                        .pool_flits = pool_flits,
                                                        .takes_in_turn = true,
                                                        .queue_count = 4,
                                                        .hop_cycles = 5,
                                                        .gap_cycles = gap,
                                                        .inject_cycles = 3,
                                                        .eject_cycles = 3,
                                                        .credit_cycles = 4,
                                                        .name = "net"},
                                    &ops, self);
    sim_engine_set_checking(self->engine, true);
    sim_region_at(sim_engine_region(self->engine, 0), 1, 0, send_next, self);
}

static void traffic_close(Traffic *self)
{
    noc_network_free(self->network);
    noc_grid_free(self->grid);
    sim_engine_free(self->engine);
    g_array_unref(self->ends);
}

static void assert_same(const Traffic *left, const Traffic *right)
{
    assert_int_equal(left->ends->len, 3 * PACKETS);
    assert_int_equal(right->ends->len, 3 * PACKETS);
    assert_memory_equal(left->ends->data, right->ends->data,
                        left->ends->len * sizeof(SimTime));
    for (uint32_t node = 0; node < SIDE * SIDE; node++) {
        for (guint port = 0; port <= left->grid->local; port++) {
            assert_int_equal(noc_network_flits(left->network, node, port),
                             noc_network_flits(right->network, node, port));
        }
    }
}

typedef struct {
    guint pool_flits;
    SimTime gap;
} Case;

static const Case cases[] = {{0, 0}, {0, 1}, {3, 0}, {12, 1}, {40, 2}};

static void the_second_pass_alone_gives_the_same_times(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Traffic both;
        Traffic alone;
        traffic_open(&both, cases[i].pool_flits, cases[i].gap);
        traffic_open(&alone, cases[i].pool_flits, cases[i].gap);
        assert_int_equal(both.network->plain_count, 2);
        alone.network->plain_count = 0;

        assert_true(sim_engine_run(both.engine, LIMIT, NULL));
        assert_true(sim_engine_run(alone.engine, LIMIT, NULL));

        assert_same(&both, &alone);
        traffic_close(&both);
        traffic_close(&alone);
    }
}

/* Whoever begins or ends to watch links in the middle of packets. */
static void passes_may_change_between_runs(void **state G_GNUC_UNUSED)
{
    Traffic whole;
    Traffic parts;
    traffic_open(&whole, 12, 1);
    traffic_open(&parts, 12, 1);

    assert_true(sim_engine_run(whole.engine, LIMIT, NULL));
    for (SimTime end = 50; sim_engine_next(parts.engine) != SIM_TIME_NEVER; end += 50) {
        assert_true(sim_engine_run_until(parts.engine, end, LIMIT, NULL));
        if (end % 100 == 0) {
            noc_network_show_links(parts.network, 0);
        } else {
            noc_network_choose_passes(parts.network, 0);
        }
    }

    assert_same(&whole, &parts);
    traffic_close(&whole);
    traffic_close(&parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_pass_alone_gives_the_same_times),
        cmocka_unit_test(passes_may_change_between_runs),
    };

    return cmocka_run_group_tests_name("arch.noc_stream", tests, NULL, NULL);
}
