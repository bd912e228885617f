/* Networks under load: nothing lost, nothing twice, no deadlock but where routes make
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "arch/error.h"
#include "sim/error.h"
#include "sim/random.h"
#include "tests/arch/noc/bench.h"
#include "tests/sim/support.h"

/* The route that a packet must take: one step at a time. */
static uint32_t step_toward(const ArchNocConfig *config,
                            uint32_t node,
                            uint32_t target,
                            const char **way)
{
    const guint x = node % config->width;
    const guint y = node / config->width;
    const guint to_x = target % config->width;
    const guint to_y = target / config->width;
    const bool is_x = x != to_x && (config->routing == ARCH_NOC_XY || y == to_y);
    const guint length = is_x ? config->width : config->height;
    const guint at = is_x ? x : y;
    const guint to = is_x ? to_x : to_y;
    bool is_up = to > at;

    if (config->topology == ARCH_NOC_TORUS) {
        is_up = (to + length - at) % length < (at + length - to) % length;
    } else if (config->topology != ARCH_NOC_MESH) {
        is_up = config->topology == ARCH_NOC_WORMHOLE0;
    }
    const guint moved = (at + (is_up ? 1 : length - 1)) % length;

    *way = is_x ? (is_up ? "east" : "west") : (is_up ? "south" : "north");
    return is_x ? moved + config->width * y : x + config->width * moved;
}

static char *link_name(uint32_t node, const char *way)
{
    return g_strdup_printf("%u %s", node, way);
}

static void count_route(const ArchNocConfig *config, GHashTable *flits, Send send)
{
    uint32_t node = send.source;

    while (node != send.target) {
        const char *way = NULL;
        uint32_t next = step_toward(config, node, send.target, &way);
        char *name = link_name(node, way);
        gsize known = GPOINTER_TO_SIZE(g_hash_table_lookup(flits, name));

        g_hash_table_insert(flits, name, GSIZE_TO_POINTER(known + send.flits));
        node = next;
    }
}

static void assert_links(const Bench *bench, GHashTable *flits)
{
    uint64_t sum = 0;

    for (guint i = 0; i < arch_noc_link_count(bench->noc); i++) {
        ArchNocLink link = arch_noc_link(bench->noc, i);
        g_autofree char *name = link_name(link.from, link.direction);
        gsize expected = GPOINTER_TO_SIZE(g_hash_table_lookup(flits, name));

        if (link.flits != expected) {
            fail_msg("link %s: %" G_GUINT64_FORMAT " flits instead of %" G_GSIZE_FORMAT,
                     name, link.flits, expected);
        }
        sum += link.flits;
    }
    assert_int_equal(sum, arch_noc_flit_hops(bench->noc));
}

static void assert_each_arrives_once(const Bench *bench)
{
    g_autoptr(GHashTable) open =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < bench->sends->len; i++) {
        const Send *send = &((const Later *) g_ptr_array_index(bench->sends, i))->send;
        char *name = g_strdup_printf("%u %u %u %" G_GUINT64_FORMAT, send->source,
                                     send->target, send->flits, send->when);
        gsize known = GPOINTER_TO_SIZE(g_hash_table_lookup(open, name));

        g_hash_table_insert(open, name, GSIZE_TO_POINTER(known + 1));
    }
    assert_int_equal(bench->deliveries->len, bench->sends->len);
    for (guint i = 0; i < bench->deliveries->len; i++) {
        const ArchNocDelivery *delivery = bench_delivery(bench, i);
        g_autofree char *name =
            g_strdup_printf("%u %u %u %" G_GUINT64_FORMAT, delivery->source,
                            delivery->target, delivery->flits, delivery->created);
        gsize known = GPOINTER_TO_SIZE(g_hash_table_lookup(open, name));

        if (known == 0) {
            fail_msg("%s arrived too often", name);
        }
        g_hash_table_insert(open, g_strdup(name), GSIZE_TO_POINTER(known - 1));
    }
}

typedef struct {
    ArchNocTopology topology;
    guint width;
    guint height;
    ArchNocRouting routing;
    guint vcs;
    guint buffer;
    SimTime hop;
} Load;

static const Load loads[] = {
    {ARCH_NOC_MESH, 5, 4, ARCH_NOC_XY, 1, 1, 1},
    {ARCH_NOC_MESH, 5, 4, ARCH_NOC_YX, 3, 2, 2},
    {ARCH_NOC_MESH, 9, 1, ARCH_NOC_XY, 12, 1, 3},
    {ARCH_NOC_TORUS, 5, 3, ARCH_NOC_XY, 2, 1, 1},
    {ARCH_NOC_TORUS, 5, 3, ARCH_NOC_YX, 4, 3, 2},
    {ARCH_NOC_TORUS, 9, 1, ARCH_NOC_XY, 2, 2, 1},
    {ARCH_NOC_TORUS, 1, 9, ARCH_NOC_XY, 12, 1, 1},
    {ARCH_NOC_WORMHOLE0, 6, 5, ARCH_NOC_XY, 2, 1, 1},
    {ARCH_NOC_WORMHOLE0, 10, 12, ARCH_NOC_XY, 4, 2, 9},
    {ARCH_NOC_WORMHOLE1, 6, 5, ARCH_NOC_YX, 2, 1, 1},
    {ARCH_NOC_WORMHOLE1, 10, 12, ARCH_NOC_YX, 12, 3, 2},
    {ARCH_NOC_WORMHOLE1, 7, 1, ARCH_NOC_XY, 2, 2, 1},
};

static ArchNocConfig load_config(const Load *load)
{
    ArchNocConfig config = config_of(load->topology, load->width, load->height);

    config.routing = load->routing;
    config.vc_count = load->vcs;
    config.buffer_flits = load->buffer;
    config.hop_cycles = load->hop;
    config.credit_cycles = 1;
    return config;
}

/* Far more than the network can take, from every node to every other. */
static void
send_heavy(Bench *bench, const ArchNocConfig *config, guint per_node, uint64_t seed)
{
    const guint nodes = config->width * config->height;
    uint64_t random = seed;

    for (guint i = 0; i < nodes * per_node; i++) {
        bench_send(bench, (Send){.when = sim_random_below(&random, per_node),
                                 .source = i % nodes,
                                 .target = sim_random_below(&random, nodes),
                                 .flits = 1 + sim_random_below(&random, 9)});
    }
}

static void every_packet_arrives_once_by_its_route(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(loads); i++) {
        ArchNocConfig config = load_config(&loads[i]);
        g_autoptr(GHashTable) flits =
            g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        Bench bench;
        bench_open(&bench, &config);
        send_heavy(&bench, &config, 40, i + 1);

        bench_run(&bench);

        for (guint j = 0; j < bench.sends->len; j++) {
            count_route(&config, flits,
                        ((const Later *) g_ptr_array_index(bench.sends, j))->send);
        }
        assert_links(&bench, flits);
        assert_each_arrives_once(&bench);
        bench_close(&bench);
    }
}

static GArray *run_load(const ArchNocConfig *config, guint per_node)
{
    Bench bench;
    bench_open(&bench, config);
    send_heavy(&bench, config, per_node, 99);
    bench_run(&bench);

    GArray *deliveries = g_array_ref(bench.deliveries);
    bench_close(&bench);
    return deliveries;
}

static void the_same_seed_gives_the_same_run(void **state G_GNUC_UNUSED)
{
    ArchNocConfig config = config_of(ARCH_NOC_TORUS, 6, 4);
    config.buffer_flits = 2;
    config.routing = ARCH_NOC_VALIANT;

    g_autoptr(GArray) first = run_load(&config, 30);
    g_autoptr(GArray) second = run_load(&config, 30);

    assert_int_equal(first->len, second->len);
    for (guint i = 0; i < first->len; i++) {
        const ArchNocDelivery *a = &g_array_index(first, ArchNocDelivery, i);
        const ArchNocDelivery *b = &g_array_index(second, ArchNocDelivery, i);

        assert_int_equal(a->source, b->source);
        assert_int_equal(a->target, b->target);
        assert_int_equal(a->arrived, b->arrived);
        assert_int_equal(a->hops, b->hops);
    }
}

static void equal_ways_around_are_both_taken(void **state G_GNUC_UNUSED)
{
    ArchNocConfig config = config_of(ARCH_NOC_TORUS, 4, 1);
    uint64_t ways_taken[2] = {0};
    Bench bench;
    bench_open(&bench, &config);
    for (guint i = 0; i < 200; i++) {
        bench_send(&bench, (Send){.target = 2, .flits = 1});
    }

    bench_run(&bench);

    for (guint i = 0; i < arch_noc_link_count(bench.noc); i++) {
        ArchNocLink link = arch_noc_link(bench.noc, i);

        ways_taken[g_str_equal(link.direction, "east")] += link.flits;
    }
    assert_int_equal(ways_taken[0] + ways_taken[1], 2 * 200);
    assert_in_range(ways_taken[0], 140, 260);
    bench_close(&bench);
}

/* Everybody sends all the way around with buffers of one flit: without its dateline
 * each of these would stop. */
static void rings_under_load_do_not_deadlock(void **state G_GNUC_UNUSED)
{
    static const Load rows[] = {
        {ARCH_NOC_TORUS, 8, 1, ARCH_NOC_XY, 2, 1, 1},
        {ARCH_NOC_TORUS, 1, 8, ARCH_NOC_YX, 2, 1, 1},
        {ARCH_NOC_TORUS, 4, 4, ARCH_NOC_XY, 2, 1, 1},
        {ARCH_NOC_TORUS, 3, 3, ARCH_NOC_YX, 4, 1, 3},
        {ARCH_NOC_TORUS, 2, 2, ARCH_NOC_XY, 2, 1, 1},
        {ARCH_NOC_WORMHOLE0, 8, 1, ARCH_NOC_XY, 2, 1, 1},
        {ARCH_NOC_WORMHOLE0, 4, 4, ARCH_NOC_XY, 2, 1, 2},
        {ARCH_NOC_WORMHOLE0, 4, 4, ARCH_NOC_YX, 2, 2, 2},
        {ARCH_NOC_WORMHOLE1, 8, 1, ARCH_NOC_YX, 2, 1, 1},
        {ARCH_NOC_WORMHOLE1, 4, 4, ARCH_NOC_XY, 2, 1, 2},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        ArchNocConfig config = load_config(&rows[i]);

        g_autoptr(GArray) deliveries = run_load(&config, 150);

        assert_int_equal(deliveries->len, rows[i].width * rows[i].height * 150);
    }
}

static void valiant_under_load_does_not_deadlock(void **state G_GNUC_UNUSED)
{
    static const Load rows[] = {
        {ARCH_NOC_MESH, 6, 1, ARCH_NOC_VALIANT, 2, 1, 1},
        {ARCH_NOC_MESH, 4, 4, ARCH_NOC_VALIANT, 2, 1, 1},
        {ARCH_NOC_TORUS, 8, 1, ARCH_NOC_VALIANT, 4, 1, 1},
        {ARCH_NOC_TORUS, 1, 8, ARCH_NOC_VALIANT, 4, 1, 2},
        {ARCH_NOC_TORUS, 5, 1, ARCH_NOC_VALIANT, 4, 1, 1},
        {ARCH_NOC_TORUS, 4, 4, ARCH_NOC_VALIANT, 4, 1, 1},
        {ARCH_NOC_WORMHOLE0, 8, 1, ARCH_NOC_VALIANT, 4, 1, 1},
        {ARCH_NOC_WORMHOLE0, 4, 4, ARCH_NOC_VALIANT, 4, 1, 1},
        {ARCH_NOC_WORMHOLE1, 1, 8, ARCH_NOC_VALIANT, 4, 1, 1},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        ArchNocConfig config = load_config(&rows[i]);

        g_autoptr(GArray) deliveries = run_load(&config, 300);

        assert_int_equal(deliveries->len, rows[i].width * rows[i].height * 300);
    }
}

static ArchNocRoutes *ring_routes(guint length)
{
    ArchNocRoutes *routes = arch_noc_routes_new(ARCH_NOC_TORUS, length, 1);

    for (uint32_t node = 0; node < length; node++) {
        for (uint32_t target = 0; target < length; target++) {
            assert_true(
                node == target ||
                arch_noc_routes_set(routes, node, target, (node + 1) % length, NULL));
        }
    }
    return routes;
}

static void a_table_sends_packets_its_way(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocRoutes) routes = ring_routes(5);
    ArchNocConfig config = config_of(ARCH_NOC_TORUS, 5, 1);
    guint hops = 0;
    config.routing = ARCH_NOC_TABLE;
    config.routes = routes;
    config.vc_count = 1;

    SimTime latency =
        lone_latency(&config, (Send){.source = 1, .target = 0, .flits = 6}, &hops);

    assert_int_equal(hops, 4);
    assert_int_equal(latency, 4 + 3 * 4 + 5);
}

static void a_deadlock_names_the_network(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchNocRoutes) routes = ring_routes(4);
    g_autoptr(GError) error = NULL;
    ArchNocConfig config = config_of(ARCH_NOC_TORUS, 4, 1);
    Bench bench;
    config.routing = ARCH_NOC_TABLE;
    config.routes = routes;
    config.vc_count = 1;
    config.buffer_flits = 2;
    bench_open(&bench, &config);
    for (uint32_t node = 0; node < 4; node++) {
        bench_send(&bench,
                   (Send){.source = node, .target = (node + 3) % 4, .flits = 20});
    }

    assert_false(sim_engine_run(bench.engine, LIMIT, &error));

    assert_error(error, SIM_ERROR, SIM_ERROR_DEADLOCK);
    assert_non_null(strstr(error->message, "noc: 4 packets have not arrived"));
    assert_non_null(strstr(error->message, "noc[0,0].east vc 0: 2 flits, first for "));
    assert_int_equal(arch_noc_pending(bench.noc), 4);
    bench_close(&bench);
}

typedef struct {
    const char *what;
    ArchNocConfig config;
} Refusal;

static void refuses_what_cannot_be_built(void **state G_GNUC_UNUSED)
{
    static const ArchNocConfig good = {
        .topology = ARCH_NOC_TORUS,
        .width = 4,
        .height = 4,
        .vc_count = 4,
        .buffer_flits = 4,
        .hop_cycles = 1,
        .credit_cycles = 1,
    };
    Refusal rows[] = {
        {"no width", good},      {"too wide", good},
        {"no height", good},     {"no channels", good},
        {"one channel", good},   {"too many", good},
        {"odd", good},           {"valiant of 2", good},
        {"no buffer", good},     {"too much buffer", good},
        {"no hop cycles", good}, {"no credit", good},
        {"absurd hop", good},    {"absurd credit", good},
        {"absurd ends", good},   {"no table", good},
        {"empty table", good},   {"table of another grid", good},
        {"mesh's table", good},  {"too much memory", good},
    };
    g_autoptr(ArchNocRoutes) unset = arch_noc_routes_new(ARCH_NOC_TORUS, 4, 4);
    g_autoptr(ArchNocRoutes) ring = ring_routes(16);
    g_autoptr(ArchNocRoutes) meshed = arch_noc_routes_new(ARCH_NOC_MESH, 4, 4);
    g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
    rows[0].config.width = 0;
    rows[1].config.width = 257;
    rows[2].config.height = 0;
    rows[3].config.vc_count = 0;
    rows[4].config.vc_count = 1;
    rows[5].config.vc_count = 14;
    rows[6].config.vc_count = 3;
    rows[7].config.vc_count = 2;
    rows[7].config.routing = ARCH_NOC_VALIANT;
    rows[8].config.buffer_flits = 0;
    rows[9].config.buffer_flits = 4097;
    rows[10].config.hop_cycles = 0;
    rows[11].config.credit_cycles = 0;
    rows[12].config.hop_cycles = UINT64_C(1) << 40;
    rows[13].config.credit_cycles = UINT64_C(1) << 40;
    rows[14].config.endpoint_cycles = UINT64_C(1) << 40;
    for (guint i = 15; i < 19; i++) {
        rows[i].config.routing = ARCH_NOC_TABLE;
    }
    rows[16].config.routes = unset;
    rows[17].config.routes = ring;
    rows[18].config.routes = meshed;
    rows[19].config.width = rows[19].config.height = 256;
    rows[19].config.buffer_flits = 4096;

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(ArchNoc) noc =
            arch_noc_new(sim_engine_region(engine, 0), 0, &rows[i].config, &error);

        if (noc != NULL || !g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID)) {
            fail_msg("%s: not refused", rows[i].what);
        }
    }
}

static void says_what_a_table_lacks(void **state G_GNUC_UNUSED)
{
    g_autoptr(SimEngine) engine = sim_engine_new(sim_engine_config_default());
    g_autoptr(ArchNocRoutes) routes = arch_noc_routes_new(ARCH_NOC_TORUS, 3, 1);
    g_autoptr(GError) error = NULL;
    ArchNocConfig config = config_of(ARCH_NOC_TORUS, 3, 1);
    config.routing = ARCH_NOC_TABLE;
    config.routes = routes;
    assert_true(arch_noc_routes_set(routes, 1, 0, 2, NULL));

    assert_null(arch_noc_new(sim_engine_region(engine, 0), 0, &config, &error));

    assert_string_equal(error->message,
                        "routes: from 1,0 to 0,0 the way is missing at 2,0");
}

static void an_idle_network_costs_no_events(void **state G_GNUC_UNUSED)
{
    ArchNocConfig config = config_of(ARCH_NOC_TORUS, 16, 16);
    Bench bench;
    config.hop_cycles = 100;
    config.credit_cycles = 50;
    bench_open(&bench, &config);

    bench_run(&bench);
    uint64_t before = sim_engine_events(bench.engine);
    bench_send(&bench, (Send){.when = 10, .target = 5, .flits = 1});
    bench_run(&bench);
    uint64_t during = sim_engine_events(bench.engine);
    bench_run(&bench);

    /* A hop is an arrival, the cycle after in which nothing is left, and a credit. */
    assert_int_equal(before, 0);
    assert_true(during <= 4 * (5 + 2));
    assert_int_equal(sim_engine_events(bench.engine), during);
    bench_close(&bench);
}

static void a_packet_sent_on_arrival_leaves_at_once(gpointer data,
                                                    const ArchNocDelivery *delivery)
{
    ArchNoc *noc = *(ArchNoc **) data;

    if (delivery->target == 1) {
        arch_noc_send(noc, 1, 2, 1);
    }
}

static void a_callback_may_send(void **state G_GNUC_UNUSED)
{
    ArchNocConfig config = config_of(ARCH_NOC_MESH, 3, 1);
    Bench bench;
    bench_open(&bench, &config);
    arch_noc_on_arrival(bench.noc, a_packet_sent_on_arrival_leaves_at_once, &bench.noc);
    bench_send(&bench, (Send){.target = 1, .flits = 1});

    bench_run(&bench);

    /* Twice the latency, and a credit from the last buffer. */
    assert_int_equal(arch_noc_flit_hops(bench.noc), 2);
    assert_int_equal(sim_engine_now(bench.engine), 2 * (4 + 3));
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_arrives_once_by_its_route),
        cmocka_unit_test(the_same_seed_gives_the_same_run),
        cmocka_unit_test(equal_ways_around_are_both_taken),
        cmocka_unit_test(rings_under_load_do_not_deadlock),
        cmocka_unit_test(valiant_under_load_does_not_deadlock),
        cmocka_unit_test(a_table_sends_packets_its_way),
        cmocka_unit_test(a_deadlock_names_the_network),
        cmocka_unit_test(refuses_what_cannot_be_built),
        cmocka_unit_test(says_what_a_table_lacks),
        cmocka_unit_test(an_idle_network_costs_no_events),
        cmocka_unit_test(a_callback_may_send),
    };

    return cmocka_run_group_tests_name("arch.noc_network", tests, NULL, NULL);
}
