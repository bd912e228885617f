/* A command of a tile: its place in line, and when it leaves, lands and ends. */
#include "tests/arch/noc/chip.h"

static void posted_commands_are_done_when_they_have_left(void **state G_GNUC_UNUSED)
{
    ArchNocCommand command = {
        .op = ARCH_NOC_WRITE_POSTED, .from = {1, 1}, .to = {2, 2}, .bytes = 8192};

    /* 5 cycles to the router. */
    assert_int_equal(lone_cycles(command), 5 + l1_tail(256));
    command.bytes = 32;
    assert_int_equal(lone_cycles(command), 5 + 1);
    command.op = ARCH_NOC_ATOMIC_POSTED;
    assert_int_equal(lone_cycles(command), 5);
}

static void count_free_place(SimRegion *region G_GNUC_UNUSED, gpointer data)
{
    Job *job = data;

    job->end_count += arch_wormhole_noc_reserve(job->chip->noc, &job->command, NULL);
}

static void the_third_write_waits_for_a_place(void **state G_GNUC_UNUSED)
{
    ArchNocCommand write = {
        .op = ARCH_NOC_WRITE, .from = {1, 1}, .to = {2, 2}, .bytes = 8192};
    ArchNocCommand other = write;
    Chip chip;
    chip_open(&chip, true, true);
    SimRegion *region = sim_engine_region(chip.engine, 0);
    Job early = {.chip = &chip, .command = write};
    Job late = {.chip = &chip, .command = write};
    other.vc = 2;

    assert_true(arch_wormhole_noc_reserve(chip.noc, &write, NULL));
    assert_true(arch_wormhole_noc_reserve(chip.noc, &write, NULL));
    assert_false(arch_wormhole_noc_reserve(chip.noc, &write, NULL));
    assert_true(arch_wormhole_noc_reserve(chip.noc, &other, NULL));
    chip_issue(&chip, 0, write);
    chip_issue(&chip, 0, write);
    sim_region_at(region, l1_tail(256), 0, count_free_place, &early);
    sim_region_at(region, l1_tail(256) + 1, 0, count_free_place, &late);
    chip_run(&chip);

    assert_int_equal(early.end_count, 0);
    assert_int_equal(late.end_count, 1);
    chip_close(&chip);
}

/* When a command left, was done and landed, each once. */
typedef struct {
    Chip *chip;
    ArchNocCommand command;
    GString *trail;
} Trip;

static void trip_step(const Trip *self, const char *what)
{
    g_string_append_printf(self->trail, " %s@%" G_GUINT64_FORMAT, what,
                           sim_region_now(sim_engine_region(self->chip->engine, 0)));
}

static void trip_left(gpointer data)
{
    trip_step(data, "left");
}

static void trip_done(gpointer data)
{
    trip_step(data, "done");
}

static void trip_landed(gpointer data, ArchTile at)
{
    const Trip *self = data;

    trip_step(self, "landed");
    g_string_append_printf(self->trail, "(%u,%u)", at.x, at.y);
}

static void trip_issue(SimRegion *region G_GNUC_UNUSED, gpointer data)
{
    const Trip *self = data;

    arch_wormhole_noc_issue(self->chip->noc, &self->command);
}

static void assert_trip(ArchNocOp op, const char *expected)
{
    Chip chip;
    Trip trip = {.chip = &chip,
                 .command = {.op = op,
                             .from = {1, 1},
                             .to = {1, 2},
                             .bytes = 32,
                             .left = trip_left,
                             .done = trip_done,
                             .landed = trip_landed,
                             .data = &trip},
                 .trail = g_string_new(NULL)};
    chip_open(&chip, true, true);
    assert_true(arch_wormhole_noc_reserve(chip.noc, &trip.command, NULL));
    sim_region_at(sim_engine_region(chip.engine, 0), 100, 1, trip_issue, &trip);

    chip_run(&chip);

    assert_string_equal(trip.trail->str, expected);
    g_string_free(trip.trail, TRUE);
    chip_close(&chip);
}

static void commands_tell_when_they_leave_land_and_end(void **state G_GNUC_UNUSED)
{
    /* It has left when it is in the router, after 1 for the header and 5. There 5 + 9 +
     * 5 after the header; 6 for the ack; back 11 hops, 109. */
    assert_trip(ARCH_NOC_WRITE, " left@106 landed@120(1,2) done@235");
    assert_trip(ARCH_NOC_WRITE_POSTED, " left@106 done@106 landed@120(1,2)");
    assert_trip(ARCH_NOC_ATOMIC, " left@105 landed@119(1,2) done@234");
    assert_trip(ARCH_NOC_ATOMIC_POSTED, " left@105 done@105 landed@119(1,2)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posted_commands_are_done_when_they_have_left),
        cmocka_unit_test(the_third_write_waits_for_a_place),
        cmocka_unit_test(commands_tell_when_they_leave_land_and_end),
    };

    return cmocka_run_group_tests_name("arch.noc_commands", tests, NULL, NULL);
}
