/* Transfers: issue cost, barriers, medians, pairs, pages, fair shares, bad input. */
#include "arch/error.h"
#include "tests/arch/traffic/transfers.h"
#include "tests/sim/support.h"

/* Once a measurement: the last poll and the profiler's zone. */
enum {
    COMMAND_CYCLES = 6,
    POLL_CYCLES = 7,
    INJECT_CYCLES = 5,
    ZONE_CYCLES = 30,
    ONCE_CYCLES = POLL_CYCLES + ZONE_CYCLES,
    WAY_22 = 20 + 22 * 9, /* there and back, 22 hops */
    WAY_12 = 20 + 12 * 9,
};

static const ArchTile core = {1, 1};
static const ArchTile diagonal = {2, 2};
static const ArchTile below = {1, 2};

/* Cycles of one core that talks to one peer. */
static SimTime cycles_of(const ArchTransferConfig *config)
{
    g_auto(ArchTransferResult) result = {0};

    run(config, &result);
    assert_int_equal(result.cycles->len, config->agent_count);
    return g_array_index(result.cycles, SimTime, 0);
}

static SimTime
one_peer(ArchTransferOp op, ArchTile peer, uint64_t bytes, uint64_t count)
{
    ArchTransferAgent agent = {.core = core, .peers = &peer, .peer_count = 1};
    ArchTransferConfig config = config_of(op, bytes, count, &agent);

    return cycles_of(&config);
}

static void issue_costs_dominate_small_commands(void **state G_GNUC_UNUSED)
{
    assert_int_equal(one_peer(ARCH_TRANSFER_WRITE, diagonal, 32, 1),
                     22 + COMMAND_CYCLES + WAY_22 + ACK_CYCLES + 1 + ONCE_CYCLES);
    assert_int_equal(one_peer(ARCH_TRANSFER_WRITE, diagonal, 32, 256),
                     22 * 256 + COMMAND_CYCLES + WAY_22 + ACK_CYCLES + 1 + ONCE_CYCLES);
    assert_int_equal(one_peer(ARCH_TRANSFER_READ, diagonal, 32, 1),
                     25 + COMMAND_CYCLES + WAY_22 + RESPONSE_CYCLES + 1 + ONCE_CYCLES);
    assert_int_equal(one_peer(ARCH_TRANSFER_INLINE, diagonal, 4, 100),
                     22 * 100 + COMMAND_CYCLES + WAY_22 + ACK_CYCLES + ONCE_CYCLES);
}

static void options_choose_the_issue_cost(void **state G_GNUC_UNUSED)
{
    ArchTransferAgent agent = {.core = core, .peers = &diagonal, .peer_count = 1};
    ArchTransferConfig config = config_of(ARCH_TRANSFER_READ, 32, 64, &agent);
    const SimTime read = cycles_of(&config);

    config.is_old_api = true;
    assert_int_equal(read - cycles_of(&config), 64 * (25 - 19));
    config = config_of(ARCH_TRANSFER_WRITE, 32, 64, &agent);
    const SimTime write = cycles_of(&config);
    config.is_stateful = true;
    assert_int_equal(write - cycles_of(&config), 64 * (22 - 20));
    config = config_of(ARCH_TRANSFER_INLINE, 4, 64, &agent);
    config.is_posted = true;
    assert_int_equal(cycles_of(&config), 64 * 19 + COMMAND_CYCLES + INJECT_CYCLES +
                                             POLL_CYCLES + ZONE_CYCLES);
}

static void large_commands_run_at_the_rate_of_the_l1(void **state G_GNUC_UNUSED)
{
    const SimTime few = one_peer(ARCH_TRANSFER_WRITE, diagonal, 8192, 16);
    const SimTime many = one_peer(ARCH_TRANSFER_WRITE, diagonal, 8192, 116);

    /* 1 + 256 x 1.0225 = 262.76 cycles each. */
    assert_in_range(many - few, 26275, 26277);
}

static void commands_above_8_kib_are_split(void **state G_GNUC_UNUSED)
{
    assert_int_equal(one_peer(ARCH_TRANSFER_WRITE, diagonal, 65536, 4),
                     one_peer(ARCH_TRANSFER_WRITE, diagonal, 8192, 32));
    assert_int_equal(one_peer(ARCH_TRANSFER_READ, diagonal, 16384, 4),
                     one_peer(ARCH_TRANSFER_READ, diagonal, 8192, 8));
}

static void a_barrier_follows_every_atomic(void **state G_GNUC_UNUSED)
{
    const SimTime each = 22 + COMMAND_CYCLES + WAY_12 + ACK_CYCLES + POLL_CYCLES;

    assert_int_equal(one_peer(ARCH_TRANSFER_ATOMIC, below, 4, 1), each + ZONE_CYCLES);
    assert_int_equal(one_peer(ARCH_TRANSFER_ATOMIC, below, 4, 10),
                     10 * each + ZONE_CYCLES);
}

static void a_state_is_set_for_every_other_peer(void **state G_GNUC_UNUSED)
{
    const ArchTile two[] = {diagonal, diagonal};
    ArchTransferAgent agent = {.core = core, .peers = two, .peer_count = 2};
    ArchTransferConfig config = config_of(ARCH_TRANSFER_WRITE, 32, 5, &agent);

    const SimTime plain = cycles_of(&config);
    assert_int_equal(plain, one_peer(ARCH_TRANSFER_WRITE, diagonal, 32, 10));
    config.is_stateful = true;
    assert_int_equal(cycles_of(&config), plain - 10 * (22 - 20) + 22);
}

static void pairs_write_and_read_at_once(void **state G_GNUC_UNUSED)
{
    const SimTime write = one_peer(ARCH_TRANSFER_WRITE, diagonal, 8192, 64);

    const SimTime both = one_peer(ARCH_TRANSFER_BIDIRECTIONAL, diagonal, 8192, 64);

    /* Twice the bytes, in little more time: the two ways share no link. */
    assert_true(both >= write);
    assert_true(both < write + write / 10);
    assert_int_equal(one_peer(ARCH_TRANSFER_BIDIRECTIONAL, diagonal, 32, 1),
                     22 + 25 + COMMAND_CYCLES + WAY_22 + RESPONSE_CYCLES + 1 +
                         ONCE_CYCLES);
}

static void pages_spread_over_the_channels(void **state G_GNUC_UNUSED)
{
    static const ArchTile banks[] = {{0, 11}, {0, 1}, {0, 5}, {0, 7}, {5, 1}, {5, 11},
                                     {5, 2},  {5, 9}, {5, 8}, {5, 3}, {5, 5}, {5, 7}};
    ArchTransferAgent agent = {
        .core = core, .peers = banks, .peer_count = G_N_ELEMENTS(banks)};
    ArchTransferConfig config = config_of(ARCH_TRANSFER_PAGE_READ, 1024, 240, &agent);
    config.is_by_turns = true;

    const SimTime one_bank = one_peer(ARCH_TRANSFER_READ, banks[0], 1024, 240);
    const SimTime pages = cycles_of(&config);

    /* One channel needs 32 x 1.435 cycles and more a page, twelve no more than the 39.3
     * that issuing takes. */
    assert_true(one_bank > 240 * 45);
    assert_in_range(pages, 240 * 39.3, 240 * 39.3 + 450);
}

static void a_kernel_may_have_an_issue_cost_of_its_own(void **state G_GNUC_UNUSED)
{
    ArchTransferAgent agent = {.core = core, .peers = &diagonal, .peer_count = 1};
    ArchTransferConfig config = config_of(ARCH_TRANSFER_WRITE, 32, 100, &agent);
    const SimTime usual = cycles_of(&config);

    config.issue_cycles = (SimRatio){375, 10};
    assert_int_equal(cycles_of(&config) - usual, 3750 - 2200);
    /* Turning to the peer, once; fractions are kept. */
    config.peer_cycles = (SimRatio){43500, 1000};
    assert_int_equal(cycles_of(&config) - usual, 3750 - 2200 + 43);
    config.issue_cycles = (SimRatio){37330, 1000};
    assert_int_equal(cycles_of(&config) - usual, 3733 - 2200 + 43);
    config = config_of(ARCH_TRANSFER_BIDIRECTIONAL, 32, 10, &agent);
    config.issue_cycles = (SimRatio){30, 1};
    assert_int_equal(cycles_of(&config), 20 * 30 + COMMAND_CYCLES + WAY_22 +
                                             RESPONSE_CYCLES + 1 + ONCE_CYCLES);
}

static void channels_by_turns_share_the_network(void **state G_GNUC_UNUSED)
{
    ArchTransferAgent agent = {.core = core, .peers = &diagonal, .peer_count = 1};
    ArchTransferConfig config = config_of(ARCH_TRANSFER_WRITE, 32, 64, &agent);
    const SimTime one = cycles_of(&config);

    /* Small commands do not meet. */
    config.vc_count = 4;
    assert_int_equal(cycles_of(&config), one);
    /* On NoC 1 one channel is slower than the L1, which two of them reach. */
    config.bytes = 8192;
    config.noc = 1;
    config.vc_count = 1;
    const SimTime alone = cycles_of(&config);
    config.vc_count = 2;
    assert_in_range(cycles_of(&config), alone * 90 / 100, alone * 94 / 100);
}

static void the_median_is_in_the_middle(void **state G_GNUC_UNUSED)
{
    static const SimTime times[] = {70, 10, 40, 1000};
    ArchTransferResult result = {
        .cycles = g_array_new(FALSE, FALSE, sizeof(SimTime)),
    };

    g_array_append_vals(result.cycles, times, 3);
    assert_true(arch_transfer_median(&result) == 40);
    g_array_append_vals(result.cycles, &times[3], 1);
    assert_true(arch_transfer_median(&result) == 55);
    assert_int_equal(g_array_index(result.cycles, SimTime, 0), 70);
    arch_transfer_result_clear(&result);
}

static void skewed_starts_count_from_their_own_start(void **state G_GNUC_UNUSED)
{
    const ArchTile far = {7, 7};
    const ArchTransferAgent agents[] = {
        {.core = core, .peers = &diagonal, .peer_count = 1},
        {.core = {6, 5}, .peers = &far, .peer_count = 1},
    };
    ArchTransferConfig config = config_of(ARCH_TRANSFER_WRITE, 32, 10, agents);
    g_auto(ArchTransferResult) result = {0};
    config.agent_count = 2;
    config.start_skew_cycles = 5000;

    run(&config, &result);

    SimTime second = g_array_index(result.cycles, SimTime, 1);
    assert_int_equal(g_array_index(result.cycles, SimTime, 0),
                     one_peer(ARCH_TRANSFER_WRITE, diagonal, 32, 10));
    assert_true(second < 5000);
    assert_int_equal(result.total, 5000 + second);
}

/* Three cores write over the link below 3,3: from the west, from above, from there. */
static void share_link(guint count, SimTime skew, ArchTransferResult *result)
{
    static const ArchTile target = {3, 4};
    static const ArchTransferAgent agents[] = {
        {.core = {3, 3}, .peers = &target, .peer_count = 1},
        {.core = {2, 3}, .peers = &target, .peer_count = 1},
        {.core = {3, 2}, .peers = &target, .peer_count = 1},
    };
    ArchTransferConfig config = config_of(ARCH_TRANSFER_WRITE, 8192, 20, agents);
    config.agent_count = count;
    config.start_skew_cycles = skew;
    config.options.has_l1_conflicts = false;

    run(&config, result);
}

static void equal_transfers_over_one_link_end_together(void **state G_GNUC_UNUSED)
{
    enum {
        PACKET = 263,
        LATENCY = 22 + COMMAND_CYCLES + WAY_12 + 10 * 9 + ACK_CYCLES + ONCE_CYCLES,
    };

    for (guint count = 1; count <= 3; count++) {
        g_auto(ArchTransferResult) result = {0};

        share_link(count, 0, &result);

        const SimTime bytes_over_rate = (SimTime) (count * 20 * 262.76);
        assert_in_range(result.total, bytes_over_rate,
                        bytes_over_rate + LATENCY + PACKET);
        for (guint i = 0; i < count; i++) {
            assert_true(g_array_index(result.cycles, SimTime, i) + count * PACKET >=
                        result.total);
        }
    }
}

static void a_stagger_adds_no_more_than_a_packet(void **state G_GNUC_UNUSED)
{
    static const SimTime skews[] = {1, 50, 131, 262, 263, 1000, 2500, 5000};
    g_auto(ArchTransferResult) together = {0};
    share_link(3, 0, &together);

    for (gsize i = 0; i < G_N_ELEMENTS(skews); i++) {
        g_auto(ArchTransferResult) result = {0};

        share_link(3, skews[i], &result);

        if (result.total > together.total + 263) {
            fail_msg("skew %" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT
                     " cycles, together %" G_GUINT64_FORMAT,
                     skews[i], result.total, together.total);
        }
    }
}

typedef struct {
    const char *what;
    ArchTransferOp op;
    ArchTile core;
    ArchTile peer;
    ArchTile corner;
    uint64_t count;
    guint noc;
    guint vc;
} Refusal;

static void refuses_what_the_chip_has_not(void **state G_GNUC_UNUSED)
{
    static const Refusal rows[] = {
        {"core off the grid", ARCH_TRANSFER_WRITE, {10, 1}, {2, 2}, {0, 0}, 1, 0, 0},
        {"core on DRAM", ARCH_TRANSFER_WRITE, {0, 11}, {2, 2}, {0, 0}, 1, 0, 0},
        {"peer off the grid", ARCH_TRANSFER_READ, {1, 1}, {1, 12}, {0, 0}, 1, 0, 0},
        {"peer that routes", ARCH_TRANSFER_READ, {1, 1}, {0, 2}, {0, 0}, 1, 0, 0},
        {"multicast to DRAM", ARCH_TRANSFER_MULTICAST, {1, 1}, {1, 1}, {5, 1}, 1, 0, 0},
        {"corner off grid", ARCH_TRANSFER_MULTICAST, {1, 1}, {1, 1}, {1, 99}, 1, 0, 0},
        {"to itself only", ARCH_TRANSFER_MULTICAST, {1, 1}, {1, 1}, {1, 1}, 1, 0, 0},
        {"no commands", ARCH_TRANSFER_WRITE, {1, 1}, {2, 2}, {0, 0}, 0, 0, 0},
        {"no such network", ARCH_TRANSFER_WRITE, {1, 1}, {2, 2}, {0, 0}, 1, 2, 0},
        {"no such channel", ARCH_TRANSFER_WRITE, {1, 1}, {2, 2}, {0, 0}, 1, 0, 4},
    };
    g_autoptr(ArchParams) params = load_params();

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        ArchTransferAgent agent = {
            .core = rows[i].core, .peers = &rows[i].peer, .peer_count = 1};
        ArchTransferConfig config = config_of(rows[i].op, 32, rows[i].count, &agent);
        g_auto(ArchTransferResult) result = {0};
        g_autoptr(GError) error = NULL;
        config.corner = rows[i].corner;
        config.noc = rows[i].noc;
        config.vc = rows[i].vc;

        if (arch_transfer_run(&config, params, &result, &error) ||
            !g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID)) {
            fail_msg("%s: not refused", rows[i].what);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(issue_costs_dominate_small_commands),
        cmocka_unit_test(options_choose_the_issue_cost),
        cmocka_unit_test(large_commands_run_at_the_rate_of_the_l1),
        cmocka_unit_test(commands_above_8_kib_are_split),
        cmocka_unit_test(a_barrier_follows_every_atomic),
        cmocka_unit_test(a_state_is_set_for_every_other_peer),
        cmocka_unit_test(pairs_write_and_read_at_once),
        cmocka_unit_test(pages_spread_over_the_channels),
        cmocka_unit_test(a_kernel_may_have_an_issue_cost_of_its_own),
        cmocka_unit_test(channels_by_turns_share_the_network),
        cmocka_unit_test(the_median_is_in_the_middle),
        cmocka_unit_test(skewed_starts_count_from_their_own_start),
        cmocka_unit_test(equal_transfers_over_one_link_end_together),
        cmocka_unit_test(a_stagger_adds_no_more_than_a_packet),
        cmocka_unit_test(refuses_what_the_chip_has_not),
    };

    return cmocka_run_group_tests_name("arch.noc_transfer", tests, NULL, NULL);
}
