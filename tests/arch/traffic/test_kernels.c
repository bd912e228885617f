/* Kernels at the same time, signals between them, start lines, commands that wait for
 * others. */
#include "tests/arch/traffic/transfers.h"
#include "tests/sim/support.h"

enum {
    COMMAND_CYCLES = 6,
    POLL_CYCLES = 7,
    ZONE_CYCLES = 30,
    WAY_12 = 20 + 12 * 9, /* there and back, 12 hops */
    WAY_10 = 20 + 10 * 9,
    ATOMIC_CYCLES = 22,
    READ_CYCLES = 25,
    OLD_READ_CYCLES = 19,
    WRITE_CYCLES = 22,
};

static const ArchTile core = {1, 1};
static const ArchTile below = {1, 2};
static const ArchTile beside = {2, 1};

static SimTime cycles_of(const ArchTransferConfig *config)
{
    g_auto(ArchTransferResult) result = {0};

    run(config, &result);
    return g_array_index(result.cycles, SimTime, 0);
}

static void a_read_follows_a_write_that_has_left(void **state G_GNUC_UNUSED)
{
    const ArchTile peers[] = {below, beside};
    ArchTransferAgent agent = {.core = core, .peers = peers, .peer_count = 2};
    ArchTransferConfig config =
        config_of(ARCH_TRANSFER_READ_AFTER_WRITE, 32, 1, &agent);

    /* The write leaves with its second flit, 5 cycles after it was handed over; its
     * acknowledgement comes before the read's data. */
    assert_int_equal(cycles_of(&config), WRITE_CYCLES + COMMAND_CYCLES + 5 + 1 +
                                             POLL_CYCLES + READ_CYCLES +
                                             COMMAND_CYCLES + WAY_10 + RESPONSE_CYCLES +
                                             1 + POLL_CYCLES + ZONE_CYCLES);
}

static void a_write_follows_a_read_that_has_come(void **state G_GNUC_UNUSED)
{
    const ArchTile peers[] = {beside, below};
    ArchTransferAgent agent = {.core = core, .peers = peers, .peer_count = 2};
    ArchTransferConfig config =
        config_of(ARCH_TRANSFER_WRITE_AFTER_READ, 32, 1, &agent);

    assert_int_equal(cycles_of(&config),
                     READ_CYCLES + COMMAND_CYCLES + WAY_10 + RESPONSE_CYCLES + 1 +
                         POLL_CYCLES + WRITE_CYCLES + COMMAND_CYCLES + WAY_12 +
                         ACK_CYCLES + 1 + POLL_CYCLES + ZONE_CYCLES);
}

static void two_kernels_are_timed_apart(void **state G_GNUC_UNUSED)
{
    ArchTransferAgent agent = {.core = core, .peers = &below, .peer_count = 1};
    ArchTransferConfig reads = config_of(ARCH_TRANSFER_READ, 32, 8, &agent);
    ArchTransferConfig writes = config_of(ARCH_TRANSFER_WRITE, 32, 8, &agent);
    g_auto(ArchTransferResult) result = {0};
    reads.noc = 1;
    const SimTime read = cycles_of(&reads);
    const SimTime write = cycles_of(&writes);

    writes.beside = &reads;
    run(&writes, &result);

    /* Each as if it were alone, and at the same time. */
    assert_int_equal(g_array_index(result.cycles, SimTime, 0), write);
    assert_int_equal(g_array_index(result.beside, SimTime, 0), read);
    assert_true(arch_transfer_median_beside(&result) == (double) read);
    assert_int_equal(result.total, MAX(read, write));
}

/* A core multicasts to itself and its neighbour, which ask for it. */
static SimTime shake_hands(uint64_t count, uint64_t bytes)
{
    static const ArchTransferAgent sender = {
        .core = {1, 1}, .peers = &core, .peer_count = 1};
    static const ArchTransferAgent receivers[] = {
        {.core = {1, 1}, .peers = &core, .peer_count = 1},
        {.core = {2, 1}, .peers = &core, .peer_count = 1},
    };
    ArchTransferConfig sends =
        config_of(ARCH_TRANSFER_MULTICAST_LINKED, bytes, count, &sender);
    ArchTransferConfig receives =
        config_of(ARCH_TRANSFER_RECEIVE, bytes, count, receivers);
    sends.corner = beside;
    sends.is_loopback = true;
    sends.await_count = 2;
    receives.agent_count = 2;
    receives.beside = &sends;

    return cycles_of(&receives);
}

static void receivers_ask_for_every_multicast(void **state G_GNUC_UNUSED)
{
    const SimTime one = shake_hands(1, 64);
    const SimTime ten = shake_hands(10, 64);
    const SimTime large = shake_hands(10, 3200);
    const SimTime larger = shake_hands(10, 6400);

    /* At least a request over 9 hops, a multicast of data and one of its flag. */
    assert_true(one > 10 + 9 * 9 + 3 * ATOMIC_CYCLES);
    /* No request overlaps with the multicast before it. */
    assert_true(ten - one > (SimTime) 9 * (10 + 9 * 9 + 3 * ATOMIC_CYCLES));
    assert_in_range((larger - large) / 10, 100, 104);
    /* They ask once, however many packets come. */
    assert_in_range((shake_hands(10, 65536) - shake_hands(10, 32768)) / 10, 4 * 257,
                    4 * 290);
}

static void pages_are_written_when_they_were_read(void **state G_GNUC_UNUSED)
{
    const ArchTile banks[] = {{0, 1}, {0, 5}};
    ArchTransferAgent agent = {.core = core, .peers = banks, .peer_count = 2};
    ArchTransferConfig reads = config_of(ARCH_TRANSFER_PAGE_READ, 2048, 4, &agent);
    ArchTransferConfig writes = config_of(ARCH_TRANSFER_PAGE_WRITE, 2048, 4, &agent);
    g_auto(ArchTransferResult) result = {0};
    reads.is_by_turns = writes.is_by_turns = true;
    const SimTime together = cycles_of(&reads);

    reads.is_chained = writes.is_chained = true;
    writes.noc = 1;
    reads.beside = &writes;
    run(&reads, &result);

    const SimTime read = g_array_index(result.cycles, SimTime, 0);
    /* A barrier for each, none of them at the same time. */
    assert_true(read > 2 * together);
    assert_true(g_array_index(result.beside, SimTime, 0) > read + 200);
}

static void cores_start_when_all_have_come(void **state G_GNUC_UNUSED)
{
    static const ArchTransferAgent agents[] = {
        {.core = {1, 1}, .peers = &beside, .peer_count = 1},
        {.core = {1, 2}, .peers = &beside, .peer_count = 1},
    };
    ArchTransferConfig config = config_of(ARCH_TRANSFER_WRITE, 32, 1, agents);
    g_auto(ArchTransferResult) at_once = {0};
    g_auto(ArchTransferResult) waiting = {0};
    config.agent_count = 2;
    config.start_skew_cycles = 5000;

    run(&config, &at_once);
    config.start = ARCH_TRANSFER_BARRIER;
    run(&config, &waiting);

    /* Each is timed from when it has seen that all are there, not from its arrival: a
     * read of the counter later at most, which takes the one below 12 hops. */
    const SimTime read =
        OLD_READ_CYCLES + COMMAND_CYCLES + WAY_12 + RESPONSE_CYCLES + 1 + POLL_CYCLES;
    assert_true(at_once.total > 5000);
    for (guint i = 0; i < 2; i++) {
        assert_int_equal(g_array_index(waiting.cycles, SimTime, i),
                         g_array_index(at_once.cycles, SimTime, i));
    }
    assert_in_range(waiting.total, g_array_index(waiting.cycles, SimTime, 1),
                    g_array_index(waiting.cycles, SimTime, 1) + 2 * read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_follows_a_write_that_has_left),
        cmocka_unit_test(a_write_follows_a_read_that_has_come),
        cmocka_unit_test(two_kernels_are_timed_apart),
        cmocka_unit_test(receivers_ask_for_every_multicast),
        cmocka_unit_test(pages_are_written_when_they_were_read),
        cmocka_unit_test(cores_start_when_all_have_come),
    };

    return cmocka_run_group_tests_name("arch.noc_kernels", tests, NULL, NULL);
}
