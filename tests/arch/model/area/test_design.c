/* Fronts and patches of designs, by hand and on random ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/model/area/design.h"
#include "sim/random.h"
#include "tests/arch/shipped.h"

static GArray *designs_new(void)
{
    GArray *designs = g_array_new(FALSE, TRUE, sizeof(ArchDesign));

    g_array_set_clear_func(designs, arch_design_clear);
    return designs;
}

/* One that ran on so many cores, all of which there are in every view. */
static ArchDesign design_of(uint64_t sram, double cores, double cells, double seconds)
{
    ArchDesign design = {.sram_bytes = sram,
                         .status = ARCH_DESIGN_RAN,
                         .ran = cores,
                         .cells = cells,
                         .seconds = seconds};

    for (guint view = 0; view < ARCH_AREA_VIEWS; view++) {
        design.is_in[view] = true;
        design.cores[view] = cores;
    }
    return design;
}

static void add(GArray *designs, ArchDesign design)
{
    g_array_append_val(designs, design);
}

static void fronts_have_what_no_other_beats(void **state)
{
    g_autoptr(GArray) designs = designs_new();

    (void) state;
    add(designs, design_of(1, 10, 1, 1)); /* 10 cells, 10 a second */
    add(designs, design_of(2, 5, 4, 4));  /* 20, 5 */
    add(designs, design_of(3, 5, 2, 2));  /* 10, 5: beaten by both */
    add(designs, design_of(4, 20, 1, 4)); /* 20, 5: as good as the second */
    add(designs, design_of(5, 0, 9, 1));  /* not in */
    arch_designs_compare(designs, false);

    for (guint view = 0; view < ARCH_AREA_VIEWS; view++) {
        const bool expected[] = {true, true, false, true, false};

        for (guint i = 0; i < designs->len; i++) {
            assert_int_equal(arch_design_at(designs, i)->is_front[view], expected[i]);
        }
        assert_int_equal(arch_designs_front_count(designs, (ArchAreaView) view), 3);
    }
}

static void patches_are_one_design(void **state)
{
    g_autoptr(GArray) designs = designs_new();
    ArchDesign refused = {.sram_bytes = 7, .status = ARCH_DESIGN_REFUSED};

    (void) state;
    add(designs, design_of(1, 10, 8, 1.0));
    add(designs, design_of(1, 40, 8, 1.1));
    add(designs, design_of(1, 90, 8, 1.02));
    add(designs, design_of(1, 90, 9, 1.0)); /* another problem */
    refused.why = g_strdup("no room");
    add(designs, refused);
    refused.why = g_strdup("no room");
    add(designs, refused);
    arch_designs_compare(designs, true);

    const bool mains[] = {false, false, true, true, true, false};

    for (guint i = 0; i < designs->len; i++) {
        assert_int_equal(arch_design_at(designs, i)->is_main, mains[i]);
    }
    assert_int_equal(arch_design_at(designs, 2)->patch_count, 3);
    assert_true(arch_design_at(designs, 2)->spread_percent > 9.99 &&
                arch_design_at(designs, 2)->spread_percent < 10.01);
    assert_int_equal(arch_designs_count(designs, ARCH_DESIGN_REFUSED), 2);

    arch_designs_compare(designs, false); /* where they are floor plans, they differ */
    assert_true(arch_design_at(designs, 0)->is_main);
    assert_int_equal(arch_design_at(designs, 0)->patch_count, 1);
    assert_true(arch_design_at(designs, 0)->spread_percent == 0);
}

/* The last one was taken out; its numbers still lie behind the others. */
static void the_widest_spread_is_one_that_ran(void **state)
{
    g_autoptr(GArray) designs = designs_new();
    ArchDesign design = design_of(1, 10, 1, 1);
    static const double spreads[] = {2, 3, 9};

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(spreads); i++) {
        design.spread_percent = spreads[i];
        add(designs, design);
    }
    g_array_set_size(designs, 2);
    assert_true(arch_designs_spread(designs) == 3);
    g_array_index(designs, ArchDesign, 1).status = ARCH_DESIGN_REFUSED;
    assert_true(arch_designs_spread(designs) == 2);
}

/* What has another program or other areas is no patch of the first, and not lost. */
static void designs_that_differ_otherwise_stay(void **state)
{
    g_autoptr(GArray) designs = designs_new();
    ArchDesign larger = design_of(1, 10, 8, 1.0);

    (void) state;
    add(designs, design_of(1, 90, 8, 1.0));
    add(designs, design_of(1, 90, 8, 0.5)); /* as many cores, in another way */
    larger.areas[ARCH_AREA_AS_FILED].core_mm2 = 2;
    add(designs, larger);
    larger.areas[ARCH_AREA_AS_FILED] = (ArchArea){.outside_mm2 = 3};
    add(designs, larger);
    arch_designs_compare(designs, true);

    for (guint i = 0; i < designs->len; i++) {
        assert_true(arch_design_at(designs, i)->is_main);
        assert_int_equal(arch_design_at(designs, i)->patch_count, 1);
        assert_int_equal(arch_design_at(designs, i)->is_front[ARCH_AREA_AS_FILED],
                         i == 1);
    }
}

static void floor_plans_fill_the_area(void **state)
{
    g_autoptr(GArray) designs = designs_new();
    static const guint counts[] = {10, 20, 30, 20, 5};
    static const bool fits[] = {true, true, false, true, true};
    static const bool stay[] = {false, true, false, true, true};

    (void) state;
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        ArchDesign design = design_of(i < 4 ? 1 : 2, counts[i], 1, 1);

        design.areas[ARCH_AREA_AS_FILED].core_count = counts[i];
        design.is_in[ARCH_AREA_AS_FILED] = fits[i];
        add(designs, design);
    }
    arch_designs_fill(designs, ARCH_AREA_AS_FILED);
    for (guint i = 0; i < designs->len; i++) {
        assert_int_equal(arch_design_at(designs, i)->is_in[ARCH_AREA_AS_FILED],
                         stay[i]);
    }
}

static bool is_beaten(const GArray *designs, guint index, bool by_front)
{
    const ArchDesign *self = arch_design_at(designs, index);
    const double cells = arch_design_cells(self, ARCH_AREA_AS_FILED);
    const double rate = arch_design_rate(self, ARCH_AREA_AS_FILED);

    for (guint i = 0; i < designs->len; i++) {
        const ArchDesign *other = arch_design_at(designs, i);
        const double c = arch_design_cells(other, ARCH_AREA_AS_FILED);
        const double r = arch_design_rate(other, ARCH_AREA_AS_FILED);

        if (c >= cells && r >= rate && (c > cells || r > rate) &&
            (!by_front || other->is_front[ARCH_AREA_AS_FILED])) {
            return true;
        }
    }
    return false;
}

/* Small whole numbers, so that there are ties. */
static void random_fronts_beat_all_others(void **state)
{
    uint64_t random = 12;

    (void) state;
    for (guint round = 0; round < 300; round++) {
        g_autoptr(GArray) designs = designs_new();

        for (guint i = 0; i < 1 + round % 17; i++) {
            const double cores = (double) (1 + sim_random_next(&random) % 6);
            const double cells = (double) (1 + sim_random_next(&random) % 4);

            add(designs, design_of(i, cores, cells,
                                   (double) (1 + sim_random_next(&random) % 5)));
        }
        arch_designs_compare(designs, true);
        for (guint i = 0; i < designs->len; i++) {
            const bool is_front =
                arch_design_at(designs, i)->is_front[ARCH_AREA_AS_FILED];

            if (is_front == is_beaten(designs, i, false) ||
                is_front == is_beaten(designs, i, true)) {
                fail_msg("round %u, design %u", round, i);
            }
        }
    }
}

/* Sums over all PEs: what the way across costs is in the time of all of them, and not
 * in what patches differ by. */
static void the_way_across_takes_time(void **state)
{
    g_autoptr(GArray) designs = designs_new();

    (void) state;
    for (guint i = 0; i < 2; i++) {
        ArchDesign patch = design_of(1, i == 0 ? 4 : 9, 6, i == 0 ? 4 : 6);

        patch.across = i == 0 ? 4 : 6;
        patch.across_seconds = 1;
        patch.all_across[ARCH_AREA_AS_FILED] = 10;
        patch.all_across[ARCH_AREA_LARGE_SRAM] = 2;
        add(designs, patch);
    }
    arch_designs_compare(designs, true);

    const ArchDesign *one = arch_design_at(designs, 1);

    assert_true(one->is_main);
    assert_true(one->spread_percent == 0);
    assert_true(arch_design_seconds(one, ARCH_AREA_AS_FILED) == 10);
    assert_true(arch_design_rate(one, ARCH_AREA_AS_FILED) == 5.4);
    /* All cores are fewer than the patch: no less than what ran. */
    assert_true(arch_design_seconds(one, ARCH_AREA_LARGE_SRAM) == 6);
}

static void a_chip_fills_its_own_area(void **state)
{
    g_autoptr(ArchParams) wafer = shipped_params("wse2");
    ArchDesignBudget budget;
    ArchDesign design;

    (void) state;
    assert_true(arch_design_budget_init(&budget, wafer, 0, NULL));
    assert_true(budget.is_patch);
    assert_true(budget.usable > 0.8 && budget.usable < 1);
    assert_true(arch_design_init(&design, &budget, wafer, NULL));
    assert_true(design.is_shipped);
    for (guint view = 0; view < ARCH_AREA_VIEWS; view++) {
        assert_true(design.is_in[view]);
        assert_true(design.cores[view] == budget.columns * budget.rows);
        assert_true(design.all_across[view] == budget.columns + budget.rows);
    }
}

static void only_what_fits_is_to_run(void **state)
{
    g_autoptr(ArchParams) chip = shipped_params("wormhole_n300");
    g_autoptr(GArray) designs = designs_new();
    ArchDesignBudget budget;
    ArchDesign design;

    (void) state;
    assert_true(arch_design_budget_init(&budget, chip, 0, NULL));
    assert_false(budget.is_patch);
    assert_true(arch_design_init(&design, &budget, chip, NULL));
    add(designs, design);
    assert_true(arch_design_init(&design, &budget, chip, NULL));
    design.areas[0].core_count--; /* with fewer cores, it leaves room */
    design.areas[1].core_count--;
    design.areas[2].core_count--;
    add(designs, design);
    assert_true(arch_designs_choose(designs, &budget));
    assert_int_equal(arch_design_at(designs, 0)->status, ARCH_DESIGN_TO_RUN);
    assert_int_equal(arch_design_at(designs, 1)->status, ARCH_DESIGN_LEAVES_ROOM);
    assert_true(arch_designs_smallest(designs, &budget) == design.areas[0].mm2);

    assert_true(arch_design_budget_init(&budget, chip, 1, NULL));
    assert_true(arch_design_init(&design, &budget, chip, NULL));
    g_array_set_size(designs, 0);
    add(designs, design);
    assert_false(arch_designs_choose(designs, &budget));
    assert_int_equal(arch_design_at(designs, 0)->status, ARCH_DESIGN_TOO_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fronts_have_what_no_other_beats),
        cmocka_unit_test(patches_are_one_design),
        cmocka_unit_test(the_widest_spread_is_one_that_ran),
        cmocka_unit_test(designs_that_differ_otherwise_stay),
        cmocka_unit_test(floor_plans_fill_the_area),
        cmocka_unit_test(random_fronts_beat_all_others),
        cmocka_unit_test(the_way_across_takes_time),
        cmocka_unit_test(a_chip_fills_its_own_area),
        cmocka_unit_test(only_what_fits_is_to_run),
    };

    return cmocka_run_group_tests_name("tools.spatial_design", tests, NULL, NULL);
}
