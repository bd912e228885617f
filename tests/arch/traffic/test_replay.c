/* Replays: recorded and closed-loop issue times, barrier errors, lone commands. */
#include "arch/error.h"
#include "arch/traffic/replay.h"
#include "tests/arch/noc/chip.h"

enum {
    STAMP = 27 + 6,             /* from a stamp to the network */
    BARRIER = 40,               /* from the last data to the barrier's stamp */
    READ_22 = 20 + 22 * 9 + 14, /* a read over 22 hops but for its data */
};

static ArchReplayEvent event_of(ArchReplayKind kind, guint agent, SimTime time)
{
    return (ArchReplayEvent){.kind = kind,
                             .waits = ARCH_REPLAY_READS,
                             .agent = agent,
                             .from = {1, 1},
                             .to = {2, 2},
                             .corner = {2, 2},
                             .bytes = 1024,
                             .time = time};
}

static ArchReplayResult
replay(const ArchReplayEvent *events, gsize count, guint agents, bool is_closed_loop)
{
    g_autoptr(ArchParams) params = load_params();
    g_autoptr(GError) error = NULL;
    ArchReplayConfig config = {
        .events = events,
        .count = count,
        .agent_count = agents,
        .is_closed_loop = is_closed_loop,
        .options = {.has_contention = true, .has_l1_conflicts = true},
    };
    ArchReplayResult result = {0};

    if (!arch_replay_run(&config, params, &result, &error)) {
        fail_msg("%s", error->message);
    }
    return result;
}

static void one_read_and_its_barrier_by_hand(void **state G_GNUC_UNUSED)
{
    const ArchReplayEvent events[] = {
        event_of(ARCH_REPLAY_OTHER, 0, 0),
        event_of(ARCH_REPLAY_READ, 0, 100),
        event_of(ARCH_REPLAY_BARRIER_START, 0, 120),
        event_of(ARCH_REPLAY_BARRIER_END, 0, 400),
    };
    const SimTime end = 100 + STAMP + READ_22 + 32 + BARRIER;

    g_auto(ArchReplayResult) result = replay(events, G_N_ELEMENTS(events), 1, false);

    assert_int_equal(result.cycles, end);
    assert_int_equal(result.barriers->len, 1);
    assert_true(result.barrier_error_mean == ((double) end - 400) / 400);
}

/* The second read is recorded 10 cycles after a barrier that is predicted late or
 * early. */
static void two_barriers(SimTime first_end, ArchReplayEvent *events)
{
    events[0] = event_of(ARCH_REPLAY_READ, 0, 0);
    events[1] = event_of(ARCH_REPLAY_BARRIER_START, 0, 30);
    events[2] = event_of(ARCH_REPLAY_BARRIER_END, 0, first_end);
    events[3] = event_of(ARCH_REPLAY_READ, 0, first_end + 10);
    events[4] = event_of(ARCH_REPLAY_BARRIER_START, 0, first_end + 40);
    events[5] = event_of(ARCH_REPLAY_BARRIER_END, 0, first_end + 500);
}

static void stamped_reads_are_issued_as_recorded(void **state G_GNUC_UNUSED)
{
    const SimTime barrier = STAMP + READ_22 + 32 + BARRIER;
    ArchReplayEvent events[6];
    two_barriers(1000, events);

    g_auto(ArchReplayResult) result = replay(events, G_N_ELEMENTS(events), 1, false);

    assert_int_equal(result.cycles, 1010 + barrier);
    assert_int_equal(result.barriers->len, 2);
    assert_true(result.barrier_error_mean ==
                ((1000.0 - (double) barrier) / 1000 +
                 (1500.0 - 1010.0 - (double) barrier) / 1500) /
                    2);
}

static void closed_loop_reads_follow_the_predicted_barrier(void **state G_GNUC_UNUSED)
{
    const SimTime barrier = STAMP + READ_22 + 32 + BARRIER;
    ArchReplayEvent events[6];

    two_barriers(1000, events);
    g_auto(ArchReplayResult) early = replay(events, G_N_ELEMENTS(events), 1, true);
    two_barriers(200, events);
    g_auto(ArchReplayResult) late = replay(events, G_N_ELEMENTS(events), 1, true);

    assert_int_equal(early.cycles, barrier + 10 + barrier);
    assert_int_equal(late.cycles, barrier + 10 + barrier);
}

static void agents_follow_their_own_barriers(void **state G_GNUC_UNUSED)
{
    ArchReplayEvent events[] = {
        event_of(ARCH_REPLAY_READ, 0, 0),
        event_of(ARCH_REPLAY_READ, 1, 0),
        event_of(ARCH_REPLAY_BARRIER_END, 0, 300),
        event_of(ARCH_REPLAY_BARRIER_END, 1, 5000),
        event_of(ARCH_REPLAY_READ, 0, 310),
        event_of(ARCH_REPLAY_BARRIER_END, 0, 600),
    };
    const SimTime barrier = STAMP + READ_22 + 32 + BARRIER;
    events[1].from = (ArchTile){7, 7};
    events[1].to = (ArchTile){8, 8};

    g_auto(ArchReplayResult) result = replay(events, G_N_ELEMENTS(events), 2, true);

    assert_int_equal(result.barriers->len, 3);
    assert_int_equal(result.cycles, barrier + 10 + barrier);
}

static void a_trace_without_commands_has_its_length(void **state G_GNUC_UNUSED)
{
    const ArchReplayEvent events[] = {
        event_of(ARCH_REPLAY_OTHER, 0, 0),
        event_of(ARCH_REPLAY_OTHER, 1, 777),
    };

    g_auto(ArchReplayResult) result = replay(events, G_N_ELEMENTS(events), 2, false);

    assert_int_equal(result.cycles, 777);
    assert_int_equal(result.barriers->len, 0);
    assert_true(result.barrier_error_mean == 0);
}

static SimTime predicted(const ArchReplayResult *result, guint index)
{
    return g_array_index(result->barriers, ArchReplayBarrier, index).predicted;
}

/* The first barrier is recorded long before its data can have come. */
static void a_late_barrier_does_not_delay_recorded_reads(void **state G_GNUC_UNUSED)
{
    const SimTime barrier = STAMP + READ_22 + 32 + BARRIER;
    ArchReplayEvent events[6];
    two_barriers(60, events);

    g_auto(ArchReplayResult) result = replay(events, G_N_ELEMENTS(events), 1, false);

    assert_int_equal(predicted(&result, 0), barrier);
    assert_int_equal(predicted(&result, 1), 70 + barrier);
    assert_int_equal(result.cycles, 70 + barrier);
}

/* A long read on its way when a barrier begins, another one issued while it lasts. */
static void a_barrier_sees_what_was_issued_before_it(void **state G_GNUC_UNUSED)
{
    ArchReplayEvent events[] = {
        event_of(ARCH_REPLAY_READ, 0, 0),
        event_of(ARCH_REPLAY_BARRIER_START, 0, 30),
        event_of(ARCH_REPLAY_BARRIER_END, 0, 50),
        event_of(ARCH_REPLAY_READ, 0, 60),
    };
    const SimTime alone = STAMP + READ_22 + l1_tail(256) + BARRIER;
    events[0].bytes = 8192;
    events[3].bytes = 8192;

    g_auto(ArchReplayResult) result = replay(events, G_N_ELEMENTS(events), 1, false);

    assert_int_equal(predicted(&result, 0), alone);
}

/* A short read and a long write, and a barrier of one kind. */
static SimTime barrier_after_both(guint waits, bool is_closed_loop)
{
    ArchReplayEvent events[] = {
        event_of(ARCH_REPLAY_READ, 0, 0),
        event_of(ARCH_REPLAY_ATOMIC, 0, 0),
        event_of(ARCH_REPLAY_WRITE, 0, 0),
        event_of(ARCH_REPLAY_BARRIER_START, 0, 30),
        event_of(ARCH_REPLAY_BARRIER_END, 0, 500),
    };
    events[0].to = (ArchTile){1, 2};
    events[1].to = (ArchTile){1, 3};
    events[2].to = (ArchTile){2, 1};
    events[2].bytes = 8192;
    events[4].waits = waits;

    g_auto(ArchReplayResult) result =
        replay(events, G_N_ELEMENTS(events), 1, is_closed_loop);

    return predicted(&result, 0);
}

static void barriers_wait_for_their_own_kind(void **state G_GNUC_UNUSED)
{
    for (guint i = 0; i < 2; i++) {
        const bool is_closed_loop = i == 1;

        /* They hold each other up: two flits at the source, 0.02 a flit in its
         * L1. */
        assert_in_range(barrier_after_both(ARCH_REPLAY_READS, is_closed_loop),
                        STAMP + 20 + 12 * 9 + 14 + 32 + BARRIER,
                        STAMP + 20 + 12 * 9 + 14 + 32 + BARRIER + 4);
        assert_in_range(barrier_after_both(ARCH_REPLAY_WRITES, is_closed_loop),
                        STAMP + 20 + 10 * 9 + 6 + l1_tail(256) + BARRIER,
                        STAMP + 20 + 10 * 9 + 6 + l1_tail(256) + BARRIER + 4);
        assert_in_range(barrier_after_both(ARCH_REPLAY_ATOMICS, is_closed_loop),
                        STAMP + 20 + 12 * 9 + 6 + BARRIER,
                        STAMP + 20 + 12 * 9 + 6 + BARRIER + 4);
        assert_in_range(barrier_after_both(ARCH_REPLAY_FLUSH, is_closed_loop),
                        STAMP + l1_tail(256) + 5 + BARRIER,
                        STAMP + l1_tail(256) + 5 + BARRIER + 4);
        assert_int_equal(barrier_after_both(0, is_closed_loop), 30);
    }
}

static void barriers_wait_on_their_own_network(void **state G_GNUC_UNUSED)
{
    ArchReplayEvent events[] = {
        event_of(ARCH_REPLAY_READ, 0, 0),
        event_of(ARCH_REPLAY_BARRIER_START, 0, 30),
        event_of(ARCH_REPLAY_BARRIER_END, 0, 500),
    };
    events[0].noc = 1;

    g_auto(ArchReplayResult) result = replay(events, G_N_ELEMENTS(events), 1, false);

    assert_int_equal(predicted(&result, 0), 30);
}

/* Only the closed loop knows when a barrier ends whose end is not recorded. */
static void what_follows_an_unrecorded_end_comes_after_it(void **state G_GNUC_UNUSED)
{
    const SimTime poll = 7;
    const SimTime alone = STAMP + READ_22 + 32;
    const ArchReplayEvent events[] = {
        event_of(ARCH_REPLAY_READ, 0, 0),
        event_of(ARCH_REPLAY_BARRIER, 0, 30),
        event_of(ARCH_REPLAY_READ, 0, 50),
        event_of(ARCH_REPLAY_BARRIER_START, 0, 60),
        event_of(ARCH_REPLAY_BARRIER_END, 0, 500),
    };

    g_auto(ArchReplayResult) recorded = replay(events, G_N_ELEMENTS(events), 1, false);
    g_auto(ArchReplayResult) closed = replay(events, G_N_ELEMENTS(events), 1, true);

    assert_int_equal(predicted(&recorded, 0), 50 + alone + BARRIER);
    assert_int_equal(predicted(&closed, 0), alone + poll + alone + BARRIER);
}

/* To the four tiles of a square that does not have the sender in it. */
static void multicasts_reach_their_rectangle(void **state G_GNUC_UNUSED)
{
    ArchReplayEvent events[] = {
        event_of(ARCH_REPLAY_MULTICAST, 0, 0),
        event_of(ARCH_REPLAY_BARRIER_START, 0, 30),
        event_of(ARCH_REPLAY_BARRIER_END, 0, 500),
    };
    uint64_t flits = 0;
    events[0].corner = (ArchTile){3, 3};
    events[2].waits = ARCH_REPLAY_WRITES;

    g_auto(ArchReplayResult) result = replay(events, G_N_ELEMENTS(events), 1, false);

    for (guint i = 0; i < result.links[0]->len; i++) {
        const ArchWormholeLink *link =
            &g_array_index(result.links[0], ArchWormholeLink, i);

        flits += link->from.y == 2 && link->to.y == 3 ? link->flits / 33 : 0;
    }
    assert_int_equal(flits, 2);
    assert_true(predicted(&result, 0) > STAMP + 20 + 22 * 9 + 32 + BARRIER);
}

static SimTime lone_end(const ArchNocCommand *command, bool has_contention)
{
    Chip chip;
    chip_open(&chip, has_contention, true);
    Job *job = chip_issue(&chip, 50, *command);
    chip_run(&chip);

    SimTime cycles = job->end - 50;
    chip_close(&chip);
    return cycles;
}

static void a_lone_command_meets_no_contention(void **state G_GNUC_UNUSED)
{
    static const ArchNocOp ops[] = {ARCH_NOC_READ, ARCH_NOC_WRITE, ARCH_NOC_ATOMIC,
                                    ARCH_NOC_WRITE_POSTED, ARCH_NOC_ATOMIC_POSTED};
    static const ArchTile tiles[] = {{2, 2}, {1, 2}, {9, 9}};
    static const uint64_t flits[] = {0, 1, 15, 16, 17, 45, 64, 256};

    for (guint i = 0; i < 2 * 5 * 3 * 8; i++) {
        ArchNocCommand command = {.noc = i % 2,
                                  .vc = 1,
                                  .op = ops[i / 2 % 5],
                                  .from = {1, 1},
                                  .to = tiles[i / 10 % 3],
                                  .bytes = 32 * flits[i / 30]};

        SimTime with = lone_end(&command, true);
        SimTime without = lone_end(&command, false);

        if (with != without) {
            fail_msg("noc %u, op %d, to %u,%u, %" G_GUINT64_FORMAT
                     " B: %" G_GUINT64_FORMAT " cycles, said to be %" G_GUINT64_FORMAT,
                     command.noc, command.op, command.to.x, command.to.y, command.bytes,
                     with, without);
        }
    }
}

static void a_lone_dram_command_meets_no_contention(void **state G_GNUC_UNUSED)
{
    static const ArchNocOp ops[] = {ARCH_NOC_READ, ARCH_NOC_WRITE};
    static const uint64_t bytes[] = {0, 32, 64, 736, 1024, 2048, 8192};

    for (guint i = 0; i < 2 * 2 * 7; i++) {
        ArchNocCommand command = {.noc = i % 2,
                                  .vc = 1,
                                  .op = ops[i / 2 % 2],
                                  .from = {1, 1},
                                  .to = {0, 11},
                                  .bytes = bytes[i / 4]};
        SimTime with = lone_end(&command, true);
        SimTime without = lone_end(&command, false);

        if (with != without) {
            fail_msg("noc %u, op %d, %" G_GUINT64_FORMAT " B: %" G_GUINT64_FORMAT
                     " cycles, said to be %" G_GUINT64_FORMAT,
                     command.noc, command.op, command.bytes, with, without);
        }
    }
}

static void links_have_the_flits_of_the_trace(void **state G_GNUC_UNUSED)
{
    const ArchReplayEvent events[] = {event_of(ARCH_REPLAY_READ, 0, 0)};
    uint64_t sums[2] = {0};

    g_auto(ArchReplayResult) result = replay(events, 1, 1, false);

    for (guint noc = 0; noc < 2; noc++) {
        for (guint i = 0; i < result.links[noc]->len; i++) {
            sums[noc] += g_array_index(result.links[noc], ArchWormholeLink, i).flits;
        }
    }
    assert_int_equal(sums[0], 2 + 20 * 33);
    assert_int_equal(sums[1], 0);
}

static void refuses_what_is_not_on_the_chip(void **state G_GNUC_UNUSED)
{
    ArchReplayEvent rows[] = {
        event_of(ARCH_REPLAY_READ, 0, 0),      event_of(ARCH_REPLAY_READ, 0, 0),
        event_of(ARCH_REPLAY_READ, 1, 0),      event_of(ARCH_REPLAY_READ, 0, 0),
        event_of(ARCH_REPLAY_MULTICAST, 0, 0), event_of(ARCH_REPLAY_MULTICAST, 0, 0)};
    g_autoptr(ArchParams) params = load_params();
    rows[0].from.x = 10;
    rows[1].to.y = 12;
    rows[3].noc = 2;
    rows[4].corner.x = 10;
    rows[5].to = rows[5].from;
    rows[5].corner = rows[5].from;

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        ArchReplayConfig config = {.events = &rows[i], .count = 1, .agent_count = 1};
        g_auto(ArchReplayResult) result = {0};
        g_autoptr(GError) error = NULL;

        if (arch_replay_run(&config, params, &result, &error) ||
            !g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID)) {
            fail_msg("row %" G_GSIZE_FORMAT ": not refused", i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_read_and_its_barrier_by_hand),
        cmocka_unit_test(stamped_reads_are_issued_as_recorded),
        cmocka_unit_test(closed_loop_reads_follow_the_predicted_barrier),
        cmocka_unit_test(a_late_barrier_does_not_delay_recorded_reads),
        cmocka_unit_test(a_barrier_sees_what_was_issued_before_it),
        cmocka_unit_test(barriers_wait_for_their_own_kind),
        cmocka_unit_test(barriers_wait_on_their_own_network),
        cmocka_unit_test(what_follows_an_unrecorded_end_comes_after_it),
        cmocka_unit_test(multicasts_reach_their_rectangle),
        cmocka_unit_test(agents_follow_their_own_barriers),
        cmocka_unit_test(a_trace_without_commands_has_its_length),
        cmocka_unit_test(a_lone_command_meets_no_contention),
        cmocka_unit_test(a_lone_dram_command_meets_no_contention),
        cmocka_unit_test(links_have_the_flits_of_the_trace),
        cmocka_unit_test(refuses_what_is_not_on_the_chip),
    };

    return cmocka_run_group_tests_name("arch.noc_replay", tests, NULL, NULL);
}
