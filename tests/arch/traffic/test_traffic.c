/* Tests of synthetic traffic: latency without load, rates, saturation, batches. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/error.h"
#include "arch/traffic/traffic.h"
#include "sim/error.h"

static ArchNocTrafficConfig
grid(ArchNocTopology topology, guint width, guint height, double rate)
{
    ArchNocTrafficConfig config = arch_noc_traffic_config_default();

    config.network.topology = topology;
    config.network.width = width;
    config.network.height = height;
    config.rate = rate;
    config.window_cycles = 1000;
    return config;
}

static ArchNocTraffic *run(const ArchNocTrafficConfig *config)
{
    g_autoptr(GError) error = NULL;
    ArchNocTraffic *result = arch_noc_traffic_run(config, &error);

    if (result == NULL) {
        fail_msg("%s", error->message);
    }
    assert_true(result->is_conserved);
    return result;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * expected)) {
        fail_msg("%g is not within %g %% of %g", value, 100 * tolerance, expected);
    }
}

/* A packet in many thousand cycles: none meets another. */
static void alone_a_packet_takes_exactly_its_way(void **state G_GNUC_UNUSED)
{
    static const struct {
        ArchNocTopology topology;
        guint width;
        guint height;
        ArchNocRouting routing;
        ArchNocPatternKind kind;
        SimTime hop_cycles;
        SimTime endpoint_cycles;
        guint flits;
        guint hops;
    } rows[] = {
        {ARCH_NOC_MESH, 1, 1, ARCH_NOC_XY, ARCH_NOC_UNIFORM, 1, 2, 4, 0},
        {ARCH_NOC_MESH, 1, 1, ARCH_NOC_XY, ARCH_NOC_UNIFORM, 1, 0, 1, 0},
        {ARCH_NOC_MESH, 2, 1, ARCH_NOC_XY, ARCH_NOC_NEIGHBOR, 1, 2, 1, 1},
        {ARCH_NOC_MESH, 2, 2, ARCH_NOC_YX, ARCH_NOC_BITCOMP, 9, 10, 4, 2},
        {ARCH_NOC_TORUS, 8, 8, ARCH_NOC_XY, ARCH_NOC_NEIGHBOR, 1, 2, 4, 2},
        {ARCH_NOC_TORUS, 8, 8, ARCH_NOC_XY, ARCH_NOC_TORNADO, 3, 7, 1, 6},
        {ARCH_NOC_TORUS, 8, 4, ARCH_NOC_YX, ARCH_NOC_TORNADO, 2, 0, 40, 4},
        {ARCH_NOC_TORUS, 1, 8, ARCH_NOC_XY, ARCH_NOC_TORNADO, 1, 1, 4, 3},
        {ARCH_NOC_TORUS, 9, 1, ARCH_NOC_XY, ARCH_NOC_TORNADO, 5, 3, 100, 4},
        {ARCH_NOC_WORMHOLE0, 10, 12, ARCH_NOC_XY, ARCH_NOC_NEIGHBOR, 9, 10, 257, 2},
        {ARCH_NOC_WORMHOLE0, 10, 12, ARCH_NOC_XY, ARCH_NOC_TORNADO, 9, 10, 1, 9},
        {ARCH_NOC_WORMHOLE1, 10, 12, ARCH_NOC_YX, ARCH_NOC_NEIGHBOR, 9, 10, 2, 20},
        {ARCH_NOC_WORMHOLE1, 1, 5, ARCH_NOC_YX, ARCH_NOC_NEIGHBOR, 1, 2, 4, 4},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        ArchNocTrafficConfig config =
            grid(rows[i].topology, rows[i].width, rows[i].height, 1e-8);

        config.network.routing = rows[i].routing;
        config.network.hop_cycles = rows[i].hop_cycles;
        config.network.endpoint_cycles = rows[i].endpoint_cycles;
        config.pattern.kind = rows[i].kind;
        config.packet_flits = rows[i].flits;
        config.window_cycles =
            UINT64_C(4000000000) * rows[i].flits / (rows[i].width * rows[i].height);

        g_autoptr(ArchNocTraffic) result = run(&config);
        const SimTime expected = rows[i].endpoint_cycles +
                                 rows[i].hop_cycles * rows[i].hops + rows[i].flits - 1;

        if (result->packets < 10 || result->latency_max != expected ||
            result->latency_mean != (double) expected ||
            result->hops_mean != rows[i].hops) {
            fail_msg("row %zu: %" G_GUINT64_FORMAT
                     " packets, mean %g, max %" G_GUINT64_FORMAT
                     ", hops %g; expected %" G_GUINT64_FORMAT,
                     i, result->packets, result->latency_mean, result->latency_max,
                     result->hops_mean, expected);
        }
        assert_false(result->is_saturated);
    }
}

static void hops_of_uniform_traffic_are_those_of_theory(void **state G_GNUC_UNUSED)
{
    static const struct {
        ArchNocTopology topology;
        guint width;
        guint height;
        ArchNocRouting routing;
        double hops;
    } rows[] = {
        {ARCH_NOC_TORUS, 8, 8, ARCH_NOC_XY, 4},          /* 8 / 4 each */
        {ARCH_NOC_MESH, 8, 8, ARCH_NOC_XY, 5.25},        /* 63 / 24 each */
        {ARCH_NOC_WORMHOLE0, 10, 12, ARCH_NOC_XY, 10},   /* 9 / 2 + 11 / 2 */
        {ARCH_NOC_WORMHOLE1, 10, 12, ARCH_NOC_YX, 10},   /* likewise */
        {ARCH_NOC_TORUS, 1, 9, ARCH_NOC_XY, 20.0 / 9},   /* 2 x (1 + 2 + 3 + 4) / 9 */
        {ARCH_NOC_TORUS, 8, 8, ARCH_NOC_VALIANT, 8},     /* two random ways */
        {ARCH_NOC_WORMHOLE0, 4, 4, ARCH_NOC_VALIANT, 6}, /* likewise */
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        ArchNocTrafficConfig config =
            grid(rows[i].topology, rows[i].width, rows[i].height, 0.05);

        config.network.routing = rows[i].routing;
        config.window_cycles = 2000;

        g_autoptr(ArchNocTraffic) result = run(&config);

        assert_near(result->hops_mean, rows[i].hops, 0.03);
        assert_false(result->is_saturated);
    }
}

static void sources_make_what_was_asked(void **state G_GNUC_UNUSED)
{
    static const struct {
        double rate;
        guint flits;
    } rows[] = {{0.01, 4}, {0.3, 1}, {0.2, 40}};

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        ArchNocTrafficConfig config = grid(ARCH_NOC_TORUS, 4, 4, rows[i].rate);

        config.packet_flits = rows[i].flits;
        config.window_cycles = 0; /* as many as it takes */

        g_autoptr(ArchNocTraffic) result = run(&config);

        assert_near(result->injected_rate, rows[i].rate, 0.04);
        assert_near(result->accepted_rate, result->injected_rate, 0.02);
        assert_true(result->rate == rows[i].rate);
    }
}

static void
a_full_rate_of_one_flit_packets_is_a_packet_a_cycle(void **state G_GNUC_UNUSED)
{
    ArchNocTrafficConfig config = grid(ARCH_NOC_MESH, 1, 1, 1);

    config.packet_flits = 1;

    g_autoptr(ArchNocTraffic) result = run(&config);

    assert_true(result->injected_rate == 1);
    assert_true(result->accepted_rate == 1);
    assert_true(result->latency_mean == 2);
}

static void without_traffic_there_is_nothing_to_tell(void **state G_GNUC_UNUSED)
{
    const ArchNocTrafficConfig config = grid(ARCH_NOC_TORUS, 128, 128, 0);
    g_autoptr(ArchNocTraffic) result = run(&config);

    assert_int_equal(result->sent, 0);
    assert_true(isnan(result->latency_mean));
    assert_true(result->accepted_rate == 0);
    assert_false(result->is_saturated);
    assert_in_range(result->events, 1, 20); /* idle routers cost nothing */
}

static void latency_grows_with_load(void **state G_GNUC_UNUSED)
{
    const ArchNocTrafficConfig light = grid(ARCH_NOC_TORUS, 8, 8, 0.05);
    const ArchNocTrafficConfig heavy = grid(ARCH_NOC_TORUS, 8, 8, 0.4);
    g_autoptr(ArchNocTraffic) first = run(&light);
    g_autoptr(ArchNocTraffic) second = run(&heavy);

    assert_true(first->is_steady);
    assert_near(first->latency_mean, first->latency_zero_load, 0.1);
    assert_true(second->latency_mean > 1.3 * first->latency_mean);
    assert_true(second->latency_p50 <= second->latency_p99);
    assert_true(second->latency_p99 <= second->latency_max);
}

static void too_much_is_saturation(void **state G_GNUC_UNUSED)
{
    const ArchNocTrafficConfig config = grid(ARCH_NOC_MESH, 8, 8, 0.9);
    g_autoptr(ArchNocTraffic) result = run(&config);

    assert_true(result->is_saturated);
    assert_near(result->injected_rate, 0.9, 0.02);
    assert_true(result->accepted_rate < 0.95 * result->injected_rate);
    assert_true(result->latency_mean > 3 * result->latency_zero_load);
    assert_true(result->sent > result->arrived);
}

static void a_hotspot_saturates_what_leads_to_it(void **state G_GNUC_UNUSED)
{
    ArchNocTrafficConfig config = grid(ARCH_NOC_MESH, 4, 4, 0.2);

    config.pattern =
        (ArchNocPattern){.kind = ARCH_NOC_HOTSPOT, .hotspot = 5, .hotspot_fraction = 1};

    g_autoptr(ArchNocTraffic) result = run(&config);

    assert_true(result->is_saturated);
    /* The node takes a flit a cycle, of 16 that send. */
    assert_near(result->accepted_rate, 1.0 / 16, 0.02);
}

static void links_carry_what_the_pattern_sends(void **state G_GNUC_UNUSED)
{
    ArchNocTrafficConfig config = grid(ARCH_NOC_TORUS, 4, 4, 0.2);

    config.pattern.kind = ARCH_NOC_NEIGHBOR;
    config.window_cycles = 0; /* as many as it takes */

    g_autoptr(ArchNocTraffic) result = run(&config);

    assert_int_equal(result->link_count, 64);
    for (guint i = 0; i < result->link_count; i++) {
        const ArchNocTrafficLink *link = &result->links[i];
        const bool is_used = strcmp(link->direction, "east") == 0 ||
                             strcmp(link->direction, "south") == 0;

        assert_near(link->utilisation, is_used ? 0.2 : 0, 0.1);
    }
    assert_near(result->link_utilisation_mean, 0.1, 0.03);
}

static void windows_add_up_to_the_whole(void **state G_GNUC_UNUSED)
{
    const ArchNocTrafficConfig config = grid(ARCH_NOC_MESH, 3, 3, 0.2);
    g_autoptr(ArchNocTraffic) result = run(&config);
    double sum = 0;
    SimTime start = 0;

    assert_in_range(result->windows.count, 3, 10);
    for (guint i = 0; i < result->windows.count; i++) {
        sum += (double) result->windows.flits[i * result->link_count];
        assert_true(result->windows.ends[i] > start);
        start = result->windows.ends[i];
    }
    assert_int_equal(start, result->cycles);
    assert_near(sum / (double) start, result->links[0].utilisation, 1e-9);
}

static void the_same_seed_gives_the_same_numbers(void **state G_GNUC_UNUSED)
{
    ArchNocTrafficConfig config = grid(ARCH_NOC_TORUS, 4, 4, 0.3);
    g_autoptr(ArchNocTraffic) first = run(&config);
    g_autoptr(ArchNocTraffic) second = run(&config);

    config.network.seed = 2;

    g_autoptr(ArchNocTraffic) third = run(&config);

    assert_true(first->latency_mean == second->latency_mean);
    assert_int_equal(first->flit_hops, second->flit_hops);
    assert_int_equal(first->events, second->events);
    assert_true(first->latency_mean != third->latency_mean);
    assert_near(first->latency_mean, third->latency_mean, 0.05);
}

static void a_batch_sends_all_its_packets(void **state G_GNUC_UNUSED)
{
    static const struct {
        ArchNocTopology topology;
        guint width;
        guint height;
        ArchNocRouting routing;
        guint flits;
        guint buffer_flits;
    } rows[] = {
        {ARCH_NOC_MESH, 4, 4, ARCH_NOC_XY, 4, 16},
        {ARCH_NOC_TORUS, 8, 8, ARCH_NOC_YX, 1, 1},
        {ARCH_NOC_TORUS, 5, 3, ARCH_NOC_VALIANT, 4, 2},
        {ARCH_NOC_TORUS, 1, 8, ARCH_NOC_XY, 4, 16},
        {ARCH_NOC_TORUS, 8, 1, ARCH_NOC_VALIANT, 30, 4}, /* longer than a buffer */
        {ARCH_NOC_TORUS, 2, 2, ARCH_NOC_XY, 100, 1},
        {ARCH_NOC_WORMHOLE0, 10, 12, ARCH_NOC_XY, 9, 4},
        {ARCH_NOC_WORMHOLE1, 1, 6, ARCH_NOC_YX, 20, 3},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        ArchNocTrafficConfig config =
            grid(rows[i].topology, rows[i].width, rows[i].height, 1);

        config.network.routing = rows[i].routing;
        config.network.buffer_flits = rows[i].buffer_flits;
        config.packet_flits = rows[i].flits;
        config.batch_packets = 20;

        g_autoptr(ArchNocTraffic) result = run(&config);

        assert_int_equal(result->sent, 20 * rows[i].width * rows[i].height);
        assert_int_equal(result->arrived, result->sent);
        assert_int_equal(result->packets, result->sent);
        assert_true(result->batch_cycles >= 20 * rows[i].flits);
        assert_int_equal(result->batch_cycles, result->cycles);
        assert_in_range(result->windows.count, 1, 16);
    }
}

static void a_batch_of_one_packet_takes_its_latency(void **state G_GNUC_UNUSED)
{
    ArchNocTrafficConfig config = grid(ARCH_NOC_TORUS, 8, 8, 1);

    config.pattern.kind = ARCH_NOC_NEIGHBOR;
    config.batch_packets = 1;

    g_autoptr(ArchNocTraffic) result = run(&config);

    assert_int_equal(result->batch_cycles, 2 + 2 + 3);
}

static void back_to_back_packets_leave_no_gap(void **state G_GNUC_UNUSED)
{
    ArchNocTrafficConfig config = grid(ARCH_NOC_TORUS, 8, 8, 1);

    config.pattern.kind = ARCH_NOC_NEIGHBOR;
    config.batch_packets = 100;

    g_autoptr(ArchNocTraffic) result = run(&config);

    assert_int_equal(result->batch_cycles, 2 + 2 + 100 * 4 - 1);
}

static void what_cannot_be_is_refused(void **state G_GNUC_UNUSED)
{
    ArchNocTrafficConfig rows[10];

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        rows[i] = grid(ARCH_NOC_TORUS, 8, 8, 0.1);
    }
    rows[0].rate = -0.1;
    rows[1].rate = 1.1;
    rows[2].rate = NAN;
    rows[3].packet_flits = 0;
    rows[4].network.width = 0;
    rows[5].network.width = 257;
    rows[6].network.width = 256;
    rows[6].network.height = 256;
    rows[7].network.vc_count = 1; /* a ring needs two */
    rows[8].network.height = 4;
    rows[8].pattern.kind = ARCH_NOC_TRANSPOSE;
    rows[9].batch_packets = UINT64_MAX;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;

        assert_null(arch_noc_traffic_run(&rows[i], &error));
        assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
        assert_null(strchr(error->message, '\n'));
    }
}

static bool stop(gpointer data, SimTime now, uint64_t events)
{
    *(SimTime *) data = now;
    return events == 0;
}

static void a_monitor_can_stop_it(void **state G_GNUC_UNUSED)
{
    ArchNocTrafficConfig config = grid(ARCH_NOC_TORUS, 8, 8, 0.3);
    g_autoptr(GError) error = NULL;
    SimTime stopped = 0;

    config.monitor = stop;
    config.monitor_data = &stopped;
    config.window_cycles = 1000000000;

    assert_null(arch_noc_traffic_run(&config, &error));
    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_STOPPED));
    assert_true(stopped > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_a_packet_takes_exactly_its_way),
        cmocka_unit_test(hops_of_uniform_traffic_are_those_of_theory),
        cmocka_unit_test(sources_make_what_was_asked),
        cmocka_unit_test(a_full_rate_of_one_flit_packets_is_a_packet_a_cycle),
        cmocka_unit_test(without_traffic_there_is_nothing_to_tell),
        cmocka_unit_test(latency_grows_with_load),
        cmocka_unit_test(too_much_is_saturation),
        cmocka_unit_test(a_hotspot_saturates_what_leads_to_it),
        cmocka_unit_test(links_carry_what_the_pattern_sends),
        cmocka_unit_test(windows_add_up_to_the_whole),
        cmocka_unit_test(the_same_seed_gives_the_same_numbers),
        cmocka_unit_test(a_batch_sends_all_its_packets),
        cmocka_unit_test(a_batch_of_one_packet_takes_its_latency),
        cmocka_unit_test(back_to_back_packets_leave_no_gap),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_monitor_can_stop_it),
    };

    return cmocka_run_group_tests_name("arch.noc_traffic", tests, NULL, NULL);
}
