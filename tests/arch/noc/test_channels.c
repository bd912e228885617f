/* Wormhole's channels: those of responses, where rings are cut, those into tiles. */
#include "tests/arch/noc/chip.h"

/* chip_open() of a chip with another number. */
static void open_with(Chip *chip, const char *assignment)
{
    chip_open(chip, true, true);
    arch_wormhole_noc_free(chip->noc);
    assert_true(arch_params_override(chip->params, assignment, NULL));
    chip->noc = arch_wormhole_noc_new(
        sim_engine_region(chip->engine, 0), sim_key(UINT32_MAX, 0), chip->params,
        (ArchWormholeNocOptions){.has_contention = true, .has_l1_conflicts = true},
        NULL);
    assert_non_null(chip->noc);
}

static ArchNocCommand read_of(guint vc, uint64_t bytes)
{
    return (ArchNocCommand){
        .op = ARCH_NOC_READ, .vc = vc, .from = {1, 1}, .to = {2, 2}, .bytes = bytes};
}

static void one_response_channel_has_one_response_at_a_time(void **state G_GNUC_UNUSED)
{
    const SimTime alone = lone_cycles(read_of(1, 8192));
    Chip chip;
    open_with(&chip, "noc.response_vc_count=1");
    const Job *first = chip_issue(&chip, 0, read_of(1, 8192));
    const Job *second = chip_issue(&chip, 0, read_of(2, 8192));

    chip_run(&chip);

    /* With two, flits take turns and both end with the second. */
    assert_int_equal(first->end, alone);
    assert_in_range(second->end, alone + 255, alone + 265);
    chip_close(&chip);
}

/* The cycles between the ends of two reads of one channel that come together. */
static SimTime cycles_between(const char *assignment, uint64_t bytes, guint second_vc)
{
    Chip chip;
    open_with(&chip, assignment);
    const Job *first = chip_issue(&chip, 0, read_of(1, bytes));
    const Job *second = chip_issue(&chip, 0, read_of(second_vc, bytes));

    chip_run(&chip);

    const SimTime cycles = second->end - first->end;
    chip_close(&chip);
    return cycles;
}

static void reads_of_a_channel_start_an_interval_apart(void **state G_GNUC_UNUSED)
{
    assert_int_equal(cycles_between("niu.read_interval_cycles=11", 4, 1), 11);
    assert_int_equal(cycles_between("niu.read_interval_cycles=30", 4, 1), 30);
    /* Large ones take longer anyway, and other channels do not wait. */
    assert_int_equal(cycles_between("niu.read_interval_cycles=30", 2048, 1),
                     cycles_between("niu.read_interval_cycles=0", 2048, 1));
    assert_true(cycles_between("niu.read_interval_cycles=30", 4, 2) < 11);
}

/* Ends of the first of so many reads, of an atomic behind them on another channel, and
 * of a posted write behind that. */
static void run_behind_reads(guint reads, SimTime *ends)
{
    ArchNocCommand command = read_of(2, 32);
    Chip chip;
    open_with(&chip, "niu.outstanding_commands=5");
    const Job *first = chip_issue(&chip, 0, read_of(1, 32));
    for (guint i = 1; i < reads; i++) {
        chip_issue(&chip, 0, read_of(1, 32));
    }
    command.op = ARCH_NOC_ATOMIC;
    const Job *atomic = chip_issue(&chip, 0, command);
    command.vc = 3;
    command.op = ARCH_NOC_WRITE_POSTED;
    const Job *posted = chip_issue(&chip, 0, command);

    chip_run(&chip);

    ends[0] = first->end;
    ends[1] = atomic->end;
    ends[2] = posted->end;
    chip_close(&chip);
}

static void
a_command_waits_while_too_many_wait_for_responses(void **state G_GNUC_UNUSED)
{
    const SimTime alone = ENDS_CYCLES + HOP_CYCLES * 22 + ACK_CYCLES;
    SimTime ends[3] = {0};

    run_behind_reads(4, ends);
    assert_in_range(ends[1], alone, alone + 2);
    assert_in_range(ends[2], 5, 12);
    /* The next goes when the first response is there, and takes along the posted one,
     * which needs no response but comes after it. */
    run_behind_reads(5, ends);
    assert_int_equal(ends[1], ends[0] + alone);
    assert_in_range(ends[2], ends[0] + 5, ends[0] + 12);
}

/* Ends of a long response, and of the second of two short ones that come while it is
 * under way. */
static void race(const char *assignment, SimTime *long_end, SimTime *short_end)
{
    enum {
        LATER = 60, /* the first short one is over */
    };
    Chip chip;
    open_with(&chip, assignment);
    const Job *all = chip_issue(&chip, 0, read_of(1, 8192));
    chip_issue(&chip, 0, read_of(2, 32));
    const Job *last = chip_issue(&chip, LATER, read_of(2, 32));

    chip_run(&chip);

    *long_end = all->end;
    *short_end = last->end;
    chip_close(&chip);
}

static void a_response_takes_the_channel_that_is_free_or_its_own(void **state)
{
    SimTime long_end = 0;
    SimTime short_end = 0;

    (void) state;
    race("noc.response_vc_choice=per_hop", &long_end, &short_end);
    assert_true(short_end + 100 < long_end);
    /* In turn: the third response has the first one's, which is taken. */
    race("noc.response_vc_choice=fixed", &long_end, &short_end);
    assert_true(short_end > long_end);
}

static void rings_are_cut_where_the_chip_says(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *assignment;
        bool is_at_wrap;
    } rows[] = {{"noc.dateline=origin", false}, {"noc.dateline=wrap", true}};

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        Chip chip;
        open_with(&chip, rows[i].assignment);

        for (guint noc = 0; noc < NOC_NIU_NOCS; noc++) {
            const NocGrid *grid = chip.noc->nocs[noc].grid;
            const uint32_t last = noc == 0 ? grid->width - 1 : 0;

            assert_int_equal(noc_grid_crosses_dateline(grid, last, NOC_X),
                             rows[i].is_at_wrap);
        }
        chip_close(&chip);
    }
}

static ArchNocCommand multicast(ArchTile from, ArchTile to, ArchTile corner)
{
    return (ArchNocCommand){
        .op = ARCH_NOC_MULTICAST,
        .from = from,
        .to = to,
        .corner = corner,
        .bytes = 8192,
    };
}

/* Their trees have no link in common, only tiles, and both come into 2,3 before the
 * dateline and into 2,1 beyond it: along its row the one, down the column the other.
 * The first has 2,3 before the second comes there, the second has 2,1: neither is ever
 * over if each keeps the tile that it has and waits for the other's. */
static void multicasts_that_meet_only_at_tiles_arrive(void **state G_GNUC_UNUSED)
{
    enum {
        LATER = 110, /* its reservation is 96 cycles shorter */
    };
    const ArchNocCommand first =
        multicast((ArchTile){1, 3}, (ArchTile){2, 3}, (ArchTile){2, 1});
    const ArchNocCommand second =
        multicast((ArchTile){9, 1}, (ArchTile){2, 1}, (ArchTile){2, 3});
    Chip chip;
    chip_open(&chip, true, true);
    const Job *one = chip_issue(&chip, 0, first);
    const Job *other = chip_issue(&chip, LATER, second);

    chip_run(&chip);

    /* They have a place each in the channels into tiles, whose ports they share. */
    assert_in_range(one->end, lone_cycles(first) + 1, lone_cycles(first) + 2 * 257);
    assert_in_range(other->end, LATER + lone_cycles(second) + 1,
                    LATER + lone_cycles(second) + 2 * 257);
    chip_close(&chip);
}

/* When a multicast down a column into 2,1 ends that is issued a cycle after the first
 * of a linked run along the row, whose last one follows at 2000. */
static SimTime end_beside_run(ArchTile from)
{
    ArchNocCommand run = multicast(from, (ArchTile){2, 1}, (ArchTile){3, 1});
    Chip chip;
    chip_open(&chip, true, true);
    run.is_linked = true;
    (void) chip_issue(&chip, 0, run);
    const Job *job = chip_issue(
        &chip, 1, multicast((ArchTile){2, 9}, (ArchTile){2, 1}, (ArchTile){2, 1}));
    run.is_linked = false;
    (void) chip_issue(&chip, 2000, run);

    chip_run(&chip);

    SimTime end = job->end;
    chip_close(&chip);
    return end;
}

static void a_linked_run_keeps_its_channels_into_tiles(void **state G_GNUC_UNUSED)
{
    /* What comes down the column has crossed the dateline, as has what comes around the
     * row, but not what comes from 1,1. */
    assert_true(end_beside_run((ArchTile){9, 1}) > 2000 + 257);
    assert_true(end_beside_run((ArchTile){1, 1}) < 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_response_channel_has_one_response_at_a_time),
        cmocka_unit_test(a_response_takes_the_channel_that_is_free_or_its_own),
        cmocka_unit_test(reads_of_a_channel_start_an_interval_apart),
        cmocka_unit_test(a_command_waits_while_too_many_wait_for_responses),
        cmocka_unit_test(rings_are_cut_where_the_chip_says),
        cmocka_unit_test(multicasts_that_meet_only_at_tiles_arrive),
        cmocka_unit_test(a_linked_run_keeps_its_channels_into_tiles),
    };

    return cmocka_run_group_tests_name("arch.noc_channels", tests, NULL, NULL);
}
