/* Multicasts' time: what is reserved, acknowledged, shared and waited for. */
#include <string.h>

#include "sim/error.h"
#include "tests/arch/noc/multicast.h"

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

/* The sender's own tile belongs to the one tree, not to the other. */
static void a_path_to_the_sender_too_is_another(void **state G_GNUC_UNUSED)
{
    ArchNocCommand linked =
        multicast(0, (ArchTile){1, 1}, (ArchTile){1, 1}, (ArchTile){4, 1}, true);
    ArchNocCommand others = linked;
    others.is_loopback = false;
    Chip chip;
    chip_open(&chip, true, true);
    for (guint i = 0; i < 2; i++) {
        linked.is_linked = i == 0;
        (void) chip_issue(&chip, 0, linked);
    }
    (void) chip_issue(&chip, 0, others);
    const Job *next = chip_issue(&chip, 20000, linked);

    chip_run(&chip);

    assert_int_equal(next->end - 20000, lone_cycles(linked));
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

/* The rest of a linked sequence's last command, which is not linked, reserves again but
 * before others. */
static void the_rest_of_a_sequence_goes_first(void **state G_GNUC_UNUSED)
{
    ArchNocCommand linked = eastward();
    const SimTime alone = lone_cycles(beside());
    linked.is_linked = true;
    Chip chip;
    chip_open(&chip, true, true);
    (void) chip_issue(&chip, 0, linked);
    Job *last = chip_issue(&chip, 0, eastward());
    Job *rest = chip_issue(&chip, 0, eastward());
    Job *other = chip_issue(&chip, 1, beside());

    chip_run(&chip);

    assert_int_equal(rest->end - last->end, reserved_cycles(eastward()) + 10);
    assert_true(other->end >= rest->end);
    assert_true(other->end < rest->end + alone + HANDOVER);
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
        (void) chip_issue(&chip, 300, eastward());

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_the_last_acknowledgement),
        cmocka_unit_test(a_reservation_costs_its_hops_and_the_turn),
        cmocka_unit_test(a_kept_path_is_of_no_use_for_another),
        cmocka_unit_test(a_path_to_the_sender_too_is_another),
        cmocka_unit_test(multicasts_of_a_node_follow_each_other),
        cmocka_unit_test(multicasts_of_different_rows_do_not_meet),
        cmocka_unit_test(two_senders_share_a_link),
        cmocka_unit_test(a_third_sender_waits),
        cmocka_unit_test(channels_of_the_dateline_are_not_shared),
        cmocka_unit_test(a_linked_sequence_keeps_its_links),
        cmocka_unit_test(the_rest_of_a_sequence_goes_first),
        cmocka_unit_test(nobody_overtakes_who_waits),
        cmocka_unit_test(a_path_kept_for_ever_is_told),
    };

    return cmocka_run_group_tests_name("arch.noc_multicast_time", tests, NULL, NULL);
}
