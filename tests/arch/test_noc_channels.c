/* Channels of Wormhole's responses: how many, chosen when, and where rings are cut. */
#include "tests/arch/noc_chip.h"

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

        for (guint noc = 0; noc < NIU_NOCS; noc++) {
            const NocGrid *grid = chip.noc->nocs[noc].grid;
            const uint32_t last = noc == 0 ? grid->width - 1 : 0;

            assert_int_equal(noc_grid_crosses_dateline(grid, last, NOC_X),
                             rows[i].is_at_wrap);
        }
        chip_close(&chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_response_channel_has_one_response_at_a_time),
        cmocka_unit_test(a_response_takes_the_channel_that_is_free_or_its_own),
        cmocka_unit_test(rings_are_cut_where_the_chip_says),
    };

    return cmocka_run_group_tests_name("arch.noc_channels", tests, NULL, NULL);
}
