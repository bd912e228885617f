/* Fronts and patches of designs, by hand and on random ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "sim/random.h"
#include "tools/gridloom/model/spatial/design.h"

static GArray *designs_new(void)
{
    GArray *designs = g_array_new(FALSE, TRUE, sizeof(SpatialDesign));

    g_array_set_clear_func(designs, spatial_design_clear);
    return designs;
}

/* One that ran on so many cores, all of which there are in every view. */
static SpatialDesign
design_of(uint64_t sram, double cores, double cells, double seconds)
{
    SpatialDesign design = {.sram_bytes = sram,
                            .status = SPATIAL_RAN,
                            .ran = cores,
                            .cells = cells,
                            .seconds = seconds};

    for (guint view = 0; view < SPATIAL_VIEWS; view++) {
        design.is_in[view] = true;
        design.cores[view] = cores;
    }
    return design;
}

static void add(GArray *designs, SpatialDesign design)
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
    spatial_designs_compare(designs, false);

    for (guint view = 0; view < SPATIAL_VIEWS; view++) {
        const bool expected[] = {true, true, false, true, false};

        for (guint i = 0; i < designs->len; i++) {
            assert_int_equal(spatial_design_at(designs, i)->is_front[view],
                             expected[i]);
        }
        assert_int_equal(spatial_designs_front_count(designs, (ArchAreaView) view), 3);
    }
}

static void patches_are_one_design(void **state)
{
    g_autoptr(GArray) designs = designs_new();
    SpatialDesign refused = {.sram_bytes = 7, .status = SPATIAL_REFUSED};

    (void) state;
    add(designs, design_of(1, 10, 8, 1.0));
    add(designs, design_of(1, 40, 8, 1.1));
    add(designs, design_of(1, 90, 8, 1.02));
    add(designs, design_of(1, 90, 9, 1.0)); /* another problem */
    refused.why = g_strdup("no room");
    add(designs, refused);
    refused.why = g_strdup("no room");
    add(designs, refused);
    spatial_designs_compare(designs, true);

    const bool mains[] = {false, false, true, true, true, false};

    for (guint i = 0; i < designs->len; i++) {
        assert_int_equal(spatial_design_at(designs, i)->is_main, mains[i]);
    }
    assert_int_equal(spatial_design_at(designs, 2)->patch_count, 3);
    assert_true(spatial_design_at(designs, 2)->spread_percent > 9.99 &&
                spatial_design_at(designs, 2)->spread_percent < 10.01);
    assert_int_equal(spatial_designs_count(designs, SPATIAL_REFUSED), 2);

    spatial_designs_compare(designs,
                            false); /* where they are floor plans, they differ */
    assert_true(spatial_design_at(designs, 0)->is_main);
    assert_int_equal(spatial_design_at(designs, 0)->patch_count, 1);
    assert_true(spatial_design_at(designs, 0)->spread_percent == 0);
}

/* What has another program or other areas is no patch of the first, and not lost. */
static void designs_that_differ_otherwise_stay(void **state)
{
    g_autoptr(GArray) designs = designs_new();
    SpatialDesign larger = design_of(1, 10, 8, 1.0);

    (void) state;
    add(designs, design_of(1, 90, 8, 1.0));
    add(designs, design_of(1, 90, 8, 0.5)); /* as many cores, in another way */
    larger.areas[ARCH_AREA_AS_FILED].core_mm2 = 2;
    add(designs, larger);
    larger.areas[ARCH_AREA_AS_FILED] = (ArchArea){.outside_mm2 = 3};
    add(designs, larger);
    spatial_designs_compare(designs, true);

    for (guint i = 0; i < designs->len; i++) {
        assert_true(spatial_design_at(designs, i)->is_main);
        assert_int_equal(spatial_design_at(designs, i)->patch_count, 1);
        assert_int_equal(spatial_design_at(designs, i)->is_front[ARCH_AREA_AS_FILED],
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
        SpatialDesign design = design_of(i < 4 ? 1 : 2, counts[i], 1, 1);

        design.areas[ARCH_AREA_AS_FILED].core_count = counts[i];
        design.is_in[ARCH_AREA_AS_FILED] = fits[i];
        add(designs, design);
    }
    spatial_designs_fill(designs, ARCH_AREA_AS_FILED);
    for (guint i = 0; i < designs->len; i++) {
        assert_int_equal(spatial_design_at(designs, i)->is_in[ARCH_AREA_AS_FILED],
                         stay[i]);
    }
}

static bool is_beaten(const GArray *designs, guint index, bool by_front)
{
    const SpatialDesign *self = spatial_design_at(designs, index);
    const double cells = spatial_design_cells(self, ARCH_AREA_AS_FILED);
    const double rate = spatial_design_rate(self, ARCH_AREA_AS_FILED);

    for (guint i = 0; i < designs->len; i++) {
        const SpatialDesign *other = spatial_design_at(designs, i);
        const double c = spatial_design_cells(other, ARCH_AREA_AS_FILED);
        const double r = spatial_design_rate(other, ARCH_AREA_AS_FILED);

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
        spatial_designs_compare(designs, true);
        for (guint i = 0; i < designs->len; i++) {
            const bool is_front =
                spatial_design_at(designs, i)->is_front[ARCH_AREA_AS_FILED];

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
        SpatialDesign patch = design_of(1, i == 0 ? 4 : 9, 6, i == 0 ? 4 : 6);

        patch.across = i == 0 ? 4 : 6;
        patch.across_seconds = 1;
        patch.all_across[ARCH_AREA_AS_FILED] = 10;
        patch.all_across[ARCH_AREA_LARGE_SRAM] = 2;
        add(designs, patch);
    }
    spatial_designs_compare(designs, true);

    const SpatialDesign *one = spatial_design_at(designs, 1);

    assert_true(one->is_main);
    assert_true(one->spread_percent == 0);
    assert_true(spatial_design_seconds(one, ARCH_AREA_AS_FILED) == 10);
    assert_true(spatial_design_rate(one, ARCH_AREA_AS_FILED) == 5.4);
    /* All cores are fewer than the patch: no less than what ran. */
    assert_true(spatial_design_seconds(one, ARCH_AREA_LARGE_SRAM) == 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fronts_have_what_no_other_beats),
        cmocka_unit_test(patches_are_one_design),
        cmocka_unit_test(designs_that_differ_otherwise_stay),
        cmocka_unit_test(floor_plans_fill_the_area),
        cmocka_unit_test(random_fronts_beat_all_others),
        cmocka_unit_test(the_way_across_takes_time),
    };

    return cmocka_run_group_tests_name("tools.spatial_design", tests, NULL, NULL);
}
