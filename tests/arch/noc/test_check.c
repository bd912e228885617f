/* Self-checks of a network, which find a lost credit, and how large it may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/noc.h"
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
    noc_take_room(&network->routers[1].outputs[0], &network->routers[1].ends[0]);

    assert_false(sim_engine_run(engine, SIM_TIME_NEVER, &error));
    assert_int_equal(error->code, SIM_ERROR_INVARIANT);
    assert_non_null(strstr(error->message, "net[1,0]."));
    assert_non_null(strstr(error->message, "room is held for 1 flits, 0 are there"));
}

/* Rings hold a power of two of flits. */
static void memory_grows_with_the_rings(void **state)
{
    (void) state;
    g_autoptr(NocGrid) grid = noc_grid_new(ARCH_NOC_MESH, NODES, 1);
    NocNetworkConfig config = {.grid = grid, .vc_flits = 4, .queue_count = 1};
    const uint64_t four = noc_network_bytes(&config);

    config.vc_flits = 5;
    const uint64_t five = noc_network_bytes(&config);

    config.vc_flits = 8;
    assert_int_equal(noc_network_bytes(&config), five);
    assert_int_equal(five - four, NODES * NOC_BITS * 4 * sizeof(uint32_t));
}

static void networks_are_built_up_to_each_limit(void **state)
{
    static const ArchNocConfig rows[] = {
        {.width = 256, .height = 1, .vc_count = 1, .buffer_flits = 1},
        {.width = 1, .height = 256, .vc_count = 1, .buffer_flits = 1},
        {.width = 2, .height = 2, .vc_count = 12, .buffer_flits = 1},
        {.width = 2, .height = 2, .vc_count = 1, .buffer_flits = 4096},
    };
    g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        static const SimTime cycles[] = {1, 65536};

        for (gsize k = 0; k < G_N_ELEMENTS(cycles); k++) {
            ArchNocConfig config = rows[i];
            g_autoptr(GError) error = NULL;

            config.topology = ARCH_NOC_MESH;
            config.hop_cycles = config.credit_cycles = cycles[k];
            config.endpoint_cycles = cycles[k] == 1 ? 0 : cycles[k];
            g_autoptr(ArchNoc) noc =
                arch_noc_new(sim_engine_region(engine, 0), 0, &config, &error);

            if (noc == NULL) {
                fail_msg("row %u: %s", (guint) i, error->message);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_that_works_passes),
        cmocka_unit_test(a_lost_credit_is_found),
        cmocka_unit_test(memory_grows_with_the_rings),
        cmocka_unit_test(networks_are_built_up_to_each_limit),
    };

    return cmocka_run_group_tests_name("arch.noc_check", tests, NULL, NULL);
}
