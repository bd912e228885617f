/* Self-checks of a network: they pass while it works and find a lost credit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/noc/network_state.h"
#include "sim/error.h"

enum {
    NODES = 4,
    PACKETS = 400,
    FLITS = 9,
};

/* Along the row to the target, then out. */
static uint32_t route(gpointer data, uint32_t node, NocPacket *packet)
{
    const NocGrid *grid = data;
    const bool is_there = node == packet->target;

    return 1U << (is_there ? grid->local
                           : noc_grid_port(grid, NOC_X, packet->target > node));
}

static NocNetwork *network_of(SimEngine *engine, NocGrid *grid, guint pool)
{
    const NocNetworkConfig config = {.grid = grid,
                                     .id_count = 2,
                                     .vc_flits = 4,
                                     .pool_flits = pool,
                                     .queue_count = 1,
                                     .hop_cycles = 3,
                                     .inject_cycles = 2,
                                     .credit_cycles = 2,
                                     .name = "net"};
    const NocEndpointOps ops = {.route = route};

    return noc_network_new(sim_engine_region(engine, 0), sim_key(1, 0), &config, &ops,
                           grid);
}

static void send_all(NocNetwork *network)
{
    for (uint32_t i = 0; i < PACKETS; i++) {
        const NocPacket packet = {.source = i % NODES,
                                  .target = (i / NODES) % NODES,
                                  .via = NOC_NODE_NONE,
                                  .flits = FLITS,
                                  .ids = 3,
                                  .targets = 1};

        (void) noc_network_send(network, &packet);
    }
}

static void a_network_that_works_passes(void **state)
{
    (void) state;

    for (guint pool = 0; pool <= 8; pool += 4) {
        g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
        g_autoptr(NocGrid) grid = noc_grid_new(ARCH_NOC_MESH, NODES, 1);
        g_autoptr(NocNetwork) network = network_of(engine, grid, pool);

        sim_engine_set_checking(engine, true);
        send_all(network);
        for (SimTime end = 1; sim_engine_next(engine) != SIM_TIME_NEVER; end++) {
            g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

            assert_true(sim_engine_run_until(engine, end, SIM_TIME_NEVER, NULL));
            noc_network_check(network, lines);
            assert_int_equal(lines->len, 0);
        }
        assert_int_equal(noc_network_pending(network), 0);
    }
}

static void a_lost_credit_is_found(void **state)
{
    g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
    g_autoptr(NocGrid) grid = noc_grid_new(ARCH_NOC_MESH, NODES, 1);
    g_autoptr(NocNetwork) network = network_of(engine, grid, 0);
    g_autoptr(GError) error = NULL;

    (void) state;
    sim_engine_set_checking(engine, true);
    send_all(network);
    assert_true(sim_engine_run_until(engine, 100, SIM_TIME_NEVER, NULL));
    noc_take_room(&network->outputs[NOC_OUTPUTS], &network->channels[NOC_BITS]);

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_int_equal(error->code, SIM_ERROR_INVARIANT);
    assert_non_null(strstr(error->message, "net[1,0]."));
    assert_non_null(strstr(error->message, "room is held for 1 flits, 0 are there"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_that_works_passes),
        cmocka_unit_test(a_lost_credit_is_found),
    };

    return cmocka_run_group_tests_name("arch.noc_check", tests, NULL, NULL);
}
