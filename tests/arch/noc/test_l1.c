/* Sharing an L1: a cost for each pair of accesses, and none when switched off. */
#include "arch/noc/l1_share.h"
#include "tests/arch/noc/chip.h"

typedef struct {
    guint noc;
    bool is_write;
} Access;

typedef struct {
    Access before;
    Access now;
    uint32_t extra; /* ten thousandths of a cycle */
} Pair;

static const Pair pairs[] = {
    {{0, false}, {1, false}, 3000}, {{1, false}, {0, false}, 3000},
    {{0, true}, {1, true}, 7000},   {{1, true}, {0, true}, 7000},
    {{0, true}, {1, false}, 3000},  {{1, true}, {0, false}, 3000},
    {{0, false}, {1, true}, 3000},  {{1, false}, {0, true}, 3000},
    {{0, false}, {0, true}, 200},   {{1, true}, {1, false}, 200},
    {{0, false}, {0, false}, 0},    {{1, true}, {1, true}, 0},
};

static uint32_t cost_after(const Pair *pair, SimTime gap, bool has_conflicts)
{
    g_autoptr(ArchParams) params = load_params();
    NocL1Costs costs = noc_l1_costs_read(params, has_conflicts);
    NocL1Share share = {0};

    (void) noc_l1_share_access(&share, &costs, pair->before.noc, pair->before.is_write,
                               50);
    return noc_l1_share_access(&share, &costs, pair->now.noc, pair->now.is_write,
                               50 + gap);
}

static void each_pair_has_its_cost(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++) {
        for (SimTime gap = 0; gap <= 1; gap++) {
            if (cost_after(&pairs[i], gap, true) != 10225 + pairs[i].extra) {
                fail_msg("pair %" G_GSIZE_FORMAT ", %" G_GUINT64_FORMAT " cycles: %u",
                         i, gap, cost_after(&pairs[i], gap, true));
            }
        }
    }
}

static void two_cycles_later_there_is_no_conflict(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++) {
        assert_int_equal(cost_after(&pairs[i], 2, true), 10225);
    }
}

static void switched_off_a_flit_costs_the_same_always(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++) {
        assert_int_equal(cost_after(&pairs[i], 0, false), 10225);
        assert_int_equal(cost_after(&pairs[i], 1, false), 10225);
    }
}

static void conflicts_with_several_add_up(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = load_params();
    NocL1Costs costs = noc_l1_costs_read(params, true);
    NocL1Share share = {0};

    (void) noc_l1_share_access(&share, &costs, 0, false, 9);
    (void) noc_l1_share_access(&share, &costs, 0, true, 9);
    (void) noc_l1_share_access(&share, &costs, 1, false, 9);

    assert_int_equal(noc_l1_share_access(&share, &costs, 1, true, 10),
                     10225 + 7000 + 3000 + 200);
}

static void the_first_cycle_has_no_past(void **state G_GNUC_UNUSED)
{
    g_autoptr(ArchParams) params = load_params();
    NocL1Costs costs = noc_l1_costs_read(params, true);
    NocL1Share share = {0};

    assert_int_equal(noc_l1_share_access(&share, &costs, 0, false, 0), 10225);
    assert_int_equal(noc_l1_share_access(&share, &costs, 1, false, 0), 13225);
}

/* Two reads of 8 KiB from one tile, one on each network, to different readers. */
static void read_on_both(bool has_conflicts, SimTime *ends)
{
    Chip chip;
    chip_open(&chip, true, has_conflicts);
    Job *jobs[2];
    for (guint noc = 0; noc < 2; noc++) {
        jobs[noc] = chip_issue(&chip, noc == 0 ? 90 : 0,
                               (ArchNocCommand){.op = ARCH_NOC_READ,
                                                .noc = noc,
                                                .vc = 1,
                                                .from = {noc == 0 ? 1 : 3, 1},
                                                .to = {2, 2},
                                                .bytes = 8192});
    }

    chip_run(&chip);

    ends[0] = jobs[0]->end;
    ends[1] = jobs[1]->end;
    chip_close(&chip);
}

static void readers_on_both_networks_slow_each_other(void **state G_GNUC_UNUSED)
{
    SimTime with[2] = {0};
    SimTime without[2] = {0};

    read_on_both(true, with);
    read_on_both(false, without);

    /* 256 x 0.3 = 77 cycles on noc 0; noc 1 spends 25 of them in its credit loop. */
    /* Both requests arrive at once: noc 1 has 10 hops more to go there. */
    assert_int_equal(without[0], 90 + ENDS_CYCLES + 22 * HOP_CYCLES + RESPONSE_CYCLES +
                                     l1_tail(256));
    assert_in_range(with[0] - without[0], 60, 78);
    assert_in_range(with[1] - without[1], 35, 78);
}

/* A bank of a tile is busy for 1000 cycles. */
static void keep_bank_busy(SimRegion *region, gpointer data)
{
    enum {
        OTHER_PORT = 0,
        BUSY_CYCLES = 1000,
    };
    const ArchL1Access access = {.port = OTHER_PORT, .bytes = 16};

    for (guint i = 0; i < BUSY_CYCLES; i++) {
        (void) arch_l1_banks_access(data, &access, sim_region_now(region));
    }
}

/* When a multicast to two tiles ends while a bank of the second is busy from `begin`
 * on. */
static SimTime end_beside_bank(SimTime begin)
{
    Chip chip;
    chip_open(&chip, true, true);
    sim_region_at(sim_engine_region(chip.engine, 0), begin, 0, keep_bank_busy,
                  arch_wormhole_noc_l1(chip.noc, (ArchTile){3, 1}));
    Job *job = chip_issue(&chip, 0,
                          (ArchNocCommand){.op = ARCH_NOC_MULTICAST,
                                           .from = {1, 1},
                                           .to = {2, 1},
                                           .corner = {3, 1},
                                           .bytes = 8192});

    chip_run(&chip);

    const SimTime end = job->end;
    chip_close(&chip);
    return end;
}

/* 256 flits of data come from about cycle 50 on, one a cycle. */
static void receivers_of_a_multicast_write_until_its_end(void **state G_GNUC_UNUSED)
{
    assert_in_range(end_beside_bank(5000), 400, 500);
    assert_true(end_beside_bank(50) > 1050 + 200);
    assert_true(end_beside_bank(250) > 1250);
}

/* From tiles as far away from 2,2 as each other, to two of its words. */
static void a_tile_changes_one_word_after_another(void **state G_GNUC_UNUSED)
{
    enum {
        EACH = 11,
        COUNT = 3,
    };
    const SimTime alone = lone_cycles((ArchNocCommand){
        .op = ARCH_NOC_ATOMIC, .from = {1, 2}, .to = {2, 2}, .bytes = 4});
    Job *jobs[COUNT];
    Chip chip;
    chip_open(&chip, true, true);
    for (guint i = 0; i < COUNT; i++) {
        jobs[i] = chip_issue(&chip, i,
                             (ArchNocCommand){.op = ARCH_NOC_ATOMIC,
                                              .from = {1, 2},
                                              .to = {2, 2},
                                              .to_address = 64 * (i % 2),
                                              .bytes = 4});
    }

    chip_run(&chip);

    for (guint i = 0; i < COUNT; i++) {
        assert_int_equal(jobs[i]->end, alone + EACH * i);
    }
    chip_close(&chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_changes_one_word_after_another),
        cmocka_unit_test(each_pair_has_its_cost),
        cmocka_unit_test(two_cycles_later_there_is_no_conflict),
        cmocka_unit_test(switched_off_a_flit_costs_the_same_always),
        cmocka_unit_test(conflicts_with_several_add_up),
        cmocka_unit_test(the_first_cycle_has_no_past),
        cmocka_unit_test(readers_on_both_networks_slow_each_other),
        cmocka_unit_test(receivers_of_a_multicast_write_until_its_end),
    };

    return cmocka_run_group_tests_name("arch.noc_l1", tests, NULL, NULL);
}
