/* Multicasts: who receives, by which links, what is reserved and acknowledged. */
#include <string.h>

#include "sim/error.h"
#include "sim/random.h"
#include "tests/arch/noc/chip.h"

enum {
    LOCAL = 2,   /* a router's port to its own tile */
    FLITS = 257, /* more than there can be acknowledgements */
    BYTES = 8192,
};

static ArchNocCommand
multicast(guint noc, ArchTile from, ArchTile to, ArchTile corner, bool is_loopback)
{
    return (ArchNocCommand){
        .op = ARCH_NOC_MULTICAST,
        .noc = noc,
        .from = from,
        .to = to,
        .corner = corner,
        .is_loopback = is_loopback,
        .bytes = BYTES,
    };
}

/* Steps from `from` to `to` in the direction of a network. */
static guint steps(guint noc, guint from, guint to, guint length)
{
    return noc == 0 ? (to + length - from) % length : (from + length - to) % length;
}

static bool is_receiver(const Chip *chip, const ArchNocCommand *command, ArchTile tile)
{
    const guint noc = command->noc;
    const bool is_sender = tile.x == command->from.x && tile.y == command->from.y;

    return steps(noc, command->to.x, tile.x, 10) <=
               steps(noc, command->to.x, command->corner.x, 10) &&
           steps(noc, command->to.y, tile.y, 12) <=
               steps(noc, command->to.y, command->corner.y, 12) &&
           arch_wormhole_noc_tile(chip->noc, tile) == ARCH_TILE_TENSIX &&
           (!is_sender || command->is_loopback);
}

static void fail_at(const ArchNocCommand *command, ArchTile tile, const char *what)
{
    fail_msg("noc %u, %u,%u to %u,%u..%u,%u, loopback %d: %u,%u %s", command->noc,
             command->from.x, command->from.y, command->to.x, command->to.y,
             command->corner.x, command->corner.y, command->is_loopback, tile.x, tile.y,
             what);
}

/* Every receiver gets every flit once, nobody else does, no link carries it twice, and
 * as many acknowledgements come as there are receivers. */
static void assert_tree(const ArchNocCommand *command)
{
    guint receivers = 0;
    guint links = 0;
    uint64_t own = 0;
    Chip chip;
    chip_open(&chip, true, true);
    chip_issue(&chip, 0, *command);

    chip_run(&chip);

    for (guint i = 0; i < 120; i++) {
        const ArchTile tile = {i % 10, i / 10};
        const bool is_sender = tile.x == command->from.x && tile.y == command->from.y;
        const guint copies = is_receiver(&chip, command, tile) ? 1 : 0;
        const uint64_t taken = chip_flits(&chip, command->noc, tile, LOCAL);
        const uint64_t x = chip_flits(&chip, command->noc, tile, NOC_X);
        const uint64_t y = chip_flits(&chip, command->noc, tile, NOC_Y);

        receivers += copies;
        links += (x >= FLITS ? 1U : 0U) + (y >= FLITS ? 1U : 0U);
        own = is_sender ? taken - copies * FLITS : own;
        if (!is_sender && taken != copies * FLITS) {
            fail_at(command, tile, "has not received as it should");
        }
        if (x >= 2 * FLITS || y >= 2 * FLITS) {
            fail_at(command, tile, "has sent it twice over a link");
        }
    }
    assert_int_equal(own, receivers);
    assert_true(links >= receivers - (command->is_loopback ? 1 : 0));
    chip_close(&chip);
}

static void every_tile_of_the_rectangle_receives_once(void **state G_GNUC_UNUSED)
{
    const ArchNocCommand rows[] = {
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){2, 2}, false),
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){2, 2}, true),
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){1, 1}, true),
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){9, 1}, true),
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 2}, (ArchTile){9, 2}, false),
        multicast(0, (ArchTile){1, 1}, (ArchTile){3, 3}, (ArchTile){7, 8}, false),
        multicast(1, (ArchTile){9, 9}, (ArchTile){9, 9}, (ArchTile){6, 7}, false),
        multicast(1, (ArchTile){1, 1}, (ArchTile){9, 11}, (ArchTile){6, 7}, true),
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_tree(&rows[i]);
    }
}

static void the_rectangle_may_lie_around_the_sender(void **state G_GNUC_UNUSED)
{
    const ArchNocCommand rows[] = {
        multicast(0, (ArchTile){4, 4}, (ArchTile){2, 2}, (ArchTile){7, 7}, false),
        multicast(0, (ArchTile){4, 4}, (ArchTile){2, 2}, (ArchTile){7, 7}, true),
        multicast(0, (ArchTile){4, 4}, (ArchTile){2, 4}, (ArchTile){7, 4}, false),
        multicast(0, (ArchTile){4, 4}, (ArchTile){4, 2}, (ArchTile){4, 7}, false),
        multicast(0, (ArchTile){4, 4}, (ArchTile){1, 1}, (ArchTile){9, 11}, true),
        multicast(1, (ArchTile){4, 4}, (ArchTile){7, 7}, (ArchTile){2, 2}, false),
        multicast(1, (ArchTile){9, 9}, (ArchTile){9, 11}, (ArchTile){1, 1}, true),
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_tree(&rows[i]);
    }
}

static ArchTile random_tensix(uint64_t *random)
{
    static const guint columns[] = {1, 2, 3, 4, 6, 7, 8, 9};
    static const guint rows[] = {1, 2, 3, 4, 5, 7, 8, 9};

    return (ArchTile){columns[sim_random_below(random, 8)],
                      rows[sim_random_below(random, 8)]};
}

static void any_rectangle_from_anywhere_is_a_tree(void **state G_GNUC_UNUSED)
{
    uint64_t random = 3;

    for (guint i = 0; i < 60; i++) {
        ArchTile from = random_tensix(&random);
        ArchTile to = random_tensix(&random);
        ArchTile corner = random_tensix(&random);
        ArchNocCommand command = multicast(i % 2, from, to, corner, i % 3 == 0);
        const bool is_alone = to.x == from.x && to.y == from.y && corner.x == from.x &&
                              corner.y == from.y;

        command.is_loopback |= is_alone;
        assert_tree(&command);
    }
}

static void columns_without_tensix_tiles_are_skipped(void **state G_GNUC_UNUSED)
{
    ArchNocCommand command =
        multicast(0, (ArchTile){3, 1}, (ArchTile){3, 1}, (ArchTile){7, 3}, true);
    Chip chip;
    chip_open(&chip, true, true);
    chip_issue(&chip, 0, command);

    chip_run(&chip);

    assert_true(chip_flits(&chip, 0, (ArchTile){4, 1}, NOC_Y) >= FLITS);
    assert_true(chip_flits(&chip, 0, (ArchTile){5, 1}, NOC_Y) < FLITS);
    assert_true(chip_flits(&chip, 0, (ArchTile){5, 1}, NOC_X) >= FLITS);
    assert_true(chip_flits(&chip, 0, (ArchTile){7, 1}, NOC_X) < FLITS);
    assert_int_equal(chip_flits(&chip, 0, (ArchTile){5, 1}, LOCAL), 0);
    chip_close(&chip);
}

enum {
    INJECT = 5,
};

/* How long a command takes whose path a linked one has left reserved. */
static SimTime kept_cycles(ArchNocCommand command)
{
    ArchNocCommand linked = command;
    linked.is_linked = true;
    Chip chip;
    chip_open(&chip, true, true);
    (void) chip_issue(&chip, 0, linked);
    Job *job = chip_issue(&chip, 10000, command);
    chip_run(&chip);

    SimTime cycles = job->end - 10000;
    chip_close(&chip);
    return cycles;
}

/* 10 flits of data at 1.03 cycles each: the last 10 cycles after the header. */
static void the_end_is_the_last_acknowledgement(void **state G_GNUC_UNUSED)
{
    ArchNocCommand command =
        multicast(0, (ArchTile){1, 1}, (ArchTile){2, 1}, (ArchTile){2, 1}, false);
    const SimTime way = ENDS_CYCLES + HOP_CYCLES * 10 + ACK_CYCLES;

    command.bytes = 320;
    assert_int_equal(lone_cycles(command), INJECT + 16 * 1 + way + 10);
    assert_int_equal(kept_cycles(command), way + 10);
    /* Along a row the ring back is as long from everywhere. */
    command.corner.x = 4;
    assert_in_range(kept_cycles(command), way + 10, way + 10 + 2);
}

static SimTime reserved_cycles(ArchNocCommand command)
{
    return lone_cycles(command) - kept_cycles(command);
}

static void a_reservation_costs_its_hops_and_the_turn(void **state G_GNUC_UNUSED)
{
    ArchNocCommand command =
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){3, 5}, false);

    assert_int_equal(reserved_cycles(command), INJECT + 16 * (2 + 4) + 20);
    command.corner = (ArchTile){1, 5};
    assert_int_equal(reserved_cycles(command), INJECT + 16 * 4);
    command.corner = (ArchTile){9, 1};
    assert_int_equal(reserved_cycles(command), INJECT + 16 * 8);
    /* Around the sender: what is behind it is the farthest. */
    command.to = (ArchTile){9, 1};
    command.corner = (ArchTile){2, 1};
    assert_int_equal(reserved_cycles(command), INJECT + 16 * 8);
}

static void a_kept_path_is_of_no_use_for_another(void **state G_GNUC_UNUSED)
{
    ArchNocCommand command =
        multicast(0, (ArchTile){1, 1}, (ArchTile){2, 1}, (ArchTile){4, 1}, false);
    ArchNocCommand other = command;
    other.corner.x = 3;
    const SimTime alone = lone_cycles(other);
    Chip chip;
    chip_open(&chip, true, true);
    command.is_linked = true;
    (void) chip_issue(&chip, 0, command);
    Job *job = chip_issue(&chip, 10000, other);
    Job *neighbour = chip_issue(
        &chip, 20000,
        multicast(0, (ArchTile){3, 1}, (ArchTile){4, 1}, (ArchTile){4, 1}, false));

    chip_run(&chip);

    assert_int_equal(job->end - 10000, alone);
    assert_int_equal(neighbour->end - 20000, lone_cycles(neighbour->command));
    chip_close(&chip);
}

static void multicasts_of_a_node_follow_each_other(void **state G_GNUC_UNUSED)
{
    ArchNocCommand command =
        multicast(0, (ArchTile){1, 1}, (ArchTile){2, 1}, (ArchTile){2, 1}, false);
    Chip chip;
    chip_open(&chip, true, true);
    Job *first = chip_issue(&chip, 0, command);
    command.is_linked = true;
    Job *second = chip_issue(&chip, 0, command);
    command.is_linked = false;
    Job *third = chip_issue(&chip, 0, command);

    chip_run(&chip);

    /* 1 + 256 x 1.03 cycles each; an unlinked one reserves when the last has left. */
    assert_in_range(second->end - first->end, INJECT + 16 + 262, INJECT + 16 + 266);
    assert_in_range(third->end - second->end, 263, 266);
    chip_close(&chip);
}

static void multicasts_of_different_rows_do_not_meet(void **state G_GNUC_UNUSED)
{
    ArchNocCommand command =
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){9, 1}, true);
    const SimTime alone = lone_cycles(command);
    Job *jobs[5];
    Chip chip;
    chip_open(&chip, true, true);
    for (guint i = 0; i < G_N_ELEMENTS(jobs); i++) {
        command.from.y = command.to.y = command.corner.y = i + 1;
        jobs[i] = chip_issue(&chip, 0, command);
    }

    chip_run(&chip);

    for (guint i = 0; i < G_N_ELEMENTS(jobs); i++) {
        assert_int_equal(jobs[i]->end, alone);
    }
    assert_int_equal(g_hash_table_size(chip.noc->transactions), 0);
    chip_close(&chip);
}

enum {
    SMALL = 320, /* bytes: 10 flits of data, the last 10 cycles after the header */
    HANDOVER = 30,
    BACK = 8, /* of a hop's 16 */
    /* The last flit of a small one leaves the router of 4,1. */
    PASSED = INJECT + HOP_CYCLES * 3 + 10,
};

/* A small one over the links east of 1,1, 2,1 and 3,1. */
static ArchNocCommand eastward(void)
{
    ArchNocCommand command =
        multicast(0, (ArchTile){1, 1}, (ArchTile){2, 1}, (ArchTile){4, 1}, false);

    command.bytes = SMALL;
    return command;
}

/* When `second` ends that is issued a cycle after `first`. */
static SimTime end_of_second(ArchNocCommand first, ArchNocCommand second)
{
    Chip chip;
    chip_open(&chip, true, true);
    (void) chip_issue(&chip, 0, first);
    Job *job = chip_issue(&chip, 1, second);

    chip_run(&chip);

    SimTime end = job->end;
    chip_close(&chip);
    return end;
}

/* From 3,1 by the link to 4,1 that eastward() uses, too. */
static ArchNocCommand beside(void)
{
    ArchNocCommand command =
        multicast(0, (ArchTile){3, 1}, (ArchTile){4, 1}, (ArchTile){4, 1}, false);

    command.bytes = SMALL;
    return command;
}

static void two_senders_share_a_link(void **state G_GNUC_UNUSED)
{
    ArchNocCommand apart =
        multicast(0, (ArchTile){4, 1}, (ArchTile){6, 1}, (ArchTile){7, 1}, false);

    assert_in_range(end_of_second(eastward(), beside()), 1 + lone_cycles(beside()),
                    1 + lone_cycles(beside()) + 12);
    /* At once: only acknowledgements meet. */
    assert_in_range(end_of_second(eastward(), apart), 1 + lone_cycles(apart),
                    1 + lone_cycles(apart) + 2);
}

/* Its wave stands at the link until one of the others has passed it. */
static void a_third_sender_waits(void **state G_GNUC_UNUSED)
{
    ArchNocCommand second =
        multicast(0, (ArchTile){2, 1}, (ArchTile){3, 1}, (ArchTile){4, 1}, false);
    second.bytes = SMALL;
    const SimTime alone = lone_cycles(beside());
    Chip chip;
    chip_open(&chip, true, true);
    (void) chip_issue(&chip, 0, eastward());
    (void) chip_issue(&chip, 0, second);
    Job *third = chip_issue(&chip, 1, beside());

    chip_run(&chip);

    /* It stands in line behind the first. What follows its wave takes alone - INJECT -
     * 16; some flits meet. */
    const SimTime room = INJECT + 16 * 3 + PASSED;
    const SimTime rest = alone - INJECT - 16;

    assert_in_range(third->end, room + HANDOVER + BACK + rest,
                    room + HANDOVER + BACK + rest + 12);
    chip_close(&chip);
}

/* What comes from beyond the dateline has a channel of its own on the same link. */
static void channels_of_the_dateline_are_not_shared(void **state G_GNUC_UNUSED)
{
    ArchNocCommand around =
        multicast(0, (ArchTile){9, 1}, (ArchTile){2, 1}, (ArchTile){2, 1}, false);

    around.bytes = SMALL;
    assert_int_equal(end_of_second(eastward(), around), 1 + lone_cycles(around));
    around.to.x = around.corner.x = 4;
    assert_int_equal(end_of_second(eastward(), around), 1 + lone_cycles(around));
}

static void a_linked_sequence_keeps_its_links(void **state G_GNUC_UNUSED)
{
    ArchNocCommand linked = eastward();
    const SimTime alone = lone_cycles(beside());
    linked.is_linked = true;
    Chip chip;
    chip_open(&chip, true, true);
    (void) chip_issue(&chip, 0, linked);
    Job *job = chip_issue(&chip, 1, beside());
    (void) chip_issue(&chip, 500, linked);
    (void) chip_issue(&chip, 1000, eastward());

    chip_run(&chip);

    assert_int_equal(job->end, 1000 + PASSED + HANDOVER + BACK + alone - INJECT - 16);
    chip_close(&chip);
}

/* The senders' own next ones do not get ahead of who waits for the links. */
static void nobody_overtakes_who_waits(void **state G_GNUC_UNUSED)
{
    ArchNocCommand linked = eastward();
    linked.is_linked = true;
    SimTime ends[2] = {0};

    for (guint more = 0; more < 2; more++) {
        Chip chip;
        chip_open(&chip, true, true);
        (void) chip_issue(&chip, 0, linked);
        (void) chip_issue(&chip, 0, eastward());
        Job *job = chip_issue(&chip, 1, beside());
        for (guint i = 2; i < 2 + 18 * more; i++) {
            (void) chip_issue(&chip, i, linked);
        }
        (void) chip_issue(&chip, 30, eastward());

        chip_run(&chip);

        ends[more] = job->end;
        chip_close(&chip);
    }
    /* Flits meet, no more. */
    assert_in_range(ends[1], ends[0] - 12, ends[0] + 12);
}

static void a_path_kept_for_ever_is_told(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    ArchNocCommand linked = eastward();
    linked.is_linked = true;
    Chip chip;
    chip_open(&chip, true, true);
    (void) chip_issue(&chip, 0, linked);
    (void) chip_issue(
        &chip, 1,
        multicast(0, (ArchTile){3, 1}, (ArchTile){4, 1}, (ArchTile){4, 3}, false));

    assert_false(sim_engine_run(chip.engine, CHIP_LIMIT, &error));

    assert_true(g_error_matches(error, SIM_ERROR, SIM_ERROR_DEADLOCK));
    assert_non_null(strstr(error->message, "noc0[1,1]: keeps its path"));
    chip_close(&chip);
}

/* What every tile should have received: flits by network and tile. */
typedef struct {
    uint64_t flits[2][120];
} Ledger;

static void
note_multicast(Ledger *self, const Chip *chip, const ArchNocCommand *command)
{
    for (guint i = 0; i < 120; i++) {
        if (is_receiver(chip, command, (ArchTile){i % 10, i / 10})) {
            self->flits[command->noc][i] += 1 + (command->bytes + 31) / 32;
            self->flits[command->noc][command->from.x + 10 * command->from.y]++;
        }
    }
}

/* One sender's multicasts to one rectangle, all but the last of them linked or none. */
static void issue_run(Chip *chip, Ledger *ledger, uint64_t *random)
{
    const ArchTile from = random_tensix(random);
    const ArchTile to = random_tensix(random);
    const ArchTile corner = random_tensix(random);
    const bool is_linked = sim_random_below(random, 2) == 0;
    const guint count = 1 + (guint) sim_random_below(random, 4);
    const SimTime start = sim_random_below(random, 1500);
    /* Drawn one after another: the order among arguments is the compiler's. */
    const guint noc = (guint) sim_random_below(random, 2);
    const bool is_loopback = sim_random_below(random, 2) == 0;
    ArchNocCommand command = multicast(noc, from, to, corner, is_loopback);

    /* Somebody receives it. */
    command.is_loopback |= to.x == corner.x && to.y == corner.y;
    for (guint i = 0; i < count; i++) {
        command.bytes = 1 + sim_random_below(random, i % 2 == 0 ? BYTES : 256);
        command.is_linked = is_linked && i + 1 < count;
        note_multicast(ledger, chip, &command);
        (void) chip_issue(chip, start, command);
    }
}

static void any_set_of_multicasts_arrives(void **state G_GNUC_UNUSED)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed;
        Ledger ledger = {0};
        Chip chip;
        chip_open(&chip, true, true);
        for (guint i = 0; i < 2 + seed; i++) {
            issue_run(&chip, &ledger, &random);
        }

        chip_run(&chip);

        for (guint i = 0; i < 240; i++) {
            const ArchTile tile = {i % 10, i / 10 % 12};
            const uint64_t taken = chip_flits(&chip, i / 120, tile, LOCAL);

            if (taken != ledger.flits[i / 120][i % 120]) {
                fail_msg("seed %" G_GUINT64_FORMAT
                         ": noc %u %u,%u received %" G_GUINT64_FORMAT
                         " flits, not %" G_GUINT64_FORMAT,
                         seed, i / 120, tile.x, tile.y, taken,
                         ledger.flits[i / 120][i % 120]);
            }
        }
        assert_int_equal(g_hash_table_size(chip.noc->transactions), 0);
        chip_close(&chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tile_of_the_rectangle_receives_once),
        cmocka_unit_test(the_rectangle_may_lie_around_the_sender),
        cmocka_unit_test(any_rectangle_from_anywhere_is_a_tree),
        cmocka_unit_test(columns_without_tensix_tiles_are_skipped),
        cmocka_unit_test(the_end_is_the_last_acknowledgement),
        cmocka_unit_test(a_reservation_costs_its_hops_and_the_turn),
        cmocka_unit_test(a_kept_path_is_of_no_use_for_another),
        cmocka_unit_test(multicasts_of_a_node_follow_each_other),
        cmocka_unit_test(multicasts_of_different_rows_do_not_meet),
        cmocka_unit_test(two_senders_share_a_link),
        cmocka_unit_test(a_third_sender_waits),
        cmocka_unit_test(channels_of_the_dateline_are_not_shared),
        cmocka_unit_test(a_linked_sequence_keeps_its_links),
        cmocka_unit_test(nobody_overtakes_who_waits),
        cmocka_unit_test(a_path_kept_for_ever_is_told),
        cmocka_unit_test(any_set_of_multicasts_arrives),
    };

    return cmocka_run_group_tests_name("arch.noc_multicast", tests, NULL, NULL);
}
