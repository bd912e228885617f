/* Studies of tiles: one tile, all tiles, surfaces, campaigns, and what was measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/tiling/campaign.h"
#include "arch/model/tiling/errors.h"
#include "arch/model/tiling/study.h"
#include "arch/model/tiling/surface.h"
#include "tests/arch/near.h"
#include "tests/arch/shipped.h"

static const GpuTile example = {{16, 64}, 34, 2};

/* Gradient 2D of the thesis, on a GTX 980. */
static GpuTileSpace space_of(void)
{
    g_autoptr(ArchParams) gpu = shipped_params("gtx980");
    GpuTileSpace space = {.problem = {2, {8192, 8192}, 8192, 6.09e-8},
                          .box = gpu_tile_box_usual(2)};

    assert_true(gpu_tiling_machine(gpu, &space.machine, NULL));
    return space;
}

/* Member by member: what lies between them may be anything. */
static void assert_is_example(const GpuTile *tile)
{
    assert_memory_equal(tile->space, example.space, sizeof example.space);
    assert_true(tile->steps == example.steps);
    assert_true(tile->resident == example.resident);
}

static void a_tile_is_asked_with_every_k_in_both_forms(void **state G_GNUC_UNUSED)
{
    const GpuTileSpace space = space_of();
    g_auto(GpuTilingStudy) study = {0};

    assert_true(gpu_tiling_study_init(&study, &space, &example, 0.1, NULL));
    assert_false(study.has_search);
    assert_near("T_alg", gpu_tiling_study_time(&study)->seconds, 16.503, 0.0005);
    assert_true(study.times[GPU_TILING_AS_PRINTED].seconds ==
                gpu_tiling_seconds(&space, &example, GPU_TILING_AS_PRINTED));
    assert_int_equal(
        study.residents->len,
        gpu_tile_most_resident(&example, space.problem.dimension, &space.machine));
    assert_true(g_array_index(study.residents, GpuTileChoice, 1).seconds ==
                gpu_tiling_study_time(&study)->seconds);
    /* 8192 = 240 * 34 + 32: the last steps take a wavefront more. */
    assert_int_equal(study.exact_wavefronts, 2 * 241 + 1);
    assert_true(study.scheduled_rounds >= study.times[0].wavefronts);
}

/* Factors and times together make the ideal time that of the model. */
static void
losses_lead_from_the_ideal_time_to_that_of_the_model(void **state G_GNUC_UNUSED)
{
    const GpuTileSpace space = space_of();
    g_auto(GpuTilingStudy) study = {0};

    assert_true(gpu_tiling_study_init(&study, &space, &example, 0.1, NULL));
    const GpuTilingLosses *losses = &study.losses;
    const GpuTilingTime *time = gpu_tiling_study_time(&study);

    assert_near("T_alg",
                time->ideal_seconds * losses->steps * losses->tiles * losses->strips *
                        losses->passes +
                    losses->barrier_seconds + losses->move_seconds +
                    losses->launch_seconds,
                time->seconds, 1e-3 * time->seconds);
}

static void a_search_finds_the_best_of_both_forms_and_rules(void **state G_GNUC_UNUSED)
{
    const GpuTileSpace space = space_of();
    g_auto(GpuTilingStudy) study = {0};

    assert_true(gpu_tiling_study_init(&study, &space, NULL, 0.1, NULL));
    assert_true(study.has_search);
    assert_is_example(&study.tile);
    assert_true(study.other_seconds > study.search.best.seconds);
    assert_true(study.other.seconds < study.other_seconds);
    for (guint rule = 0; rule < GPU_TILE_RULES; rule++) {
        assert_true(study.has_rule[rule]);
        assert_true(study.rules[rule].seconds >= study.search.best.seconds);
    }
}

static void a_surface_has_the_best_k_of_each_tile(void **state G_GNUC_UNUSED)
{
    const GpuTileSpace space = space_of();
    g_auto(GpuTilingSurface) surface = {0};
    g_auto(GpuTilingSurface) none = {0};
    g_autoptr(GError) error = NULL;

    assert_true(gpu_tiling_surface_init(&surface, &space, 16, NULL));
    assert_int_equal(surface.steps->len, space.box.steps / 2);
    assert_int_equal(surface.cells->len, surface.steps->len * surface.widths->len);
    assert_is_example(&gpu_tiling_surface_cell(&surface, surface.best)->tile);
    assert_true(gpu_tiling_surface_cell(&surface, surface.worst)->seconds > 17);
    assert_false(gpu_tiling_surface_init(&none, &space, 100000, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
}

static void a_campaign_has_the_sizes_and_steps_of_the_thesis(void **state G_GNUC_UNUSED)
{
    const GpuTileSpace space = space_of();
    const GpuTilingStencil *stencil = gpu_tiling_stencil_find("gradient2d");
    g_autoptr(GArray) experiments =
        g_array_new(FALSE, FALSE, sizeof(GpuTilingExperiment));

    assert_true(
        gpu_tiling_campaign_add(experiments, "gtx980", stencil, &space, 0.1, NULL));
    assert_int_equal(experiments->len, 10);
    assert_int_equal(gpu_tiling_campaign_count(experiments, 2), 10);
    assert_int_equal(gpu_tiling_campaign_count(experiments, 3), 0);
    const GpuTilingGroup group = gpu_tiling_campaign_group(experiments, 2);

    assert_int_equal(group.count, 8);
    assert_ptr_equal(group.first, &g_array_index(experiments, GpuTilingExperiment, 2));
    for (guint pick = 1; pick < GPU_PICKS; pick++) {
        assert_true(group.rates[pick] <= group.rates[GPU_PICK_BEST]);
        assert_true(group.rates[pick] > 0);
    }
    assert_string_equal(gpu_pick_name(GPU_PICK_RULES), "densest");
    assert_string_equal(gpu_pick_title(GPU_PICK_OTHER, GPU_TILING_AS_PRINTED),
                        "least T_alg corrected");
}

static void experiments_are_summed_up(void **state G_GNUC_UNUSED)
{
    static const GpuTilingSample samples[] = {
        {5, 10, 1, false}, {3, 12, 1, false}, {9, 9, 0, false}, {4, 11.5, 1, false}};
    g_autofree GpuTilingSummary *all =
        gpu_tiling_summaries(samples, G_N_ELEMENTS(samples), 2);

    assert_int_equal(all[0].samples, 1);
    assert_int_equal(all[1].samples, 3);
    assert_ptr_equal(all[1].best, &samples[0]);
    assert_ptr_equal(all[1].chosen, &samples[1]);
    assert_true(gpu_tiling_sample_is_near(&samples[3], all, 0.15));
    assert_false(gpu_tiling_sample_is_near(&samples[1], all, 0.15));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_is_asked_with_every_k_in_both_forms),
        cmocka_unit_test(losses_lead_from_the_ideal_time_to_that_of_the_model),
        cmocka_unit_test(a_search_finds_the_best_of_both_forms_and_rules),
        cmocka_unit_test(a_surface_has_the_best_k_of_each_tile),
        cmocka_unit_test(a_campaign_has_the_sizes_and_steps_of_the_thesis),
        cmocka_unit_test(experiments_are_summed_up),
    };

    return cmocka_run_group_tests_name("arch.tiling_study", tests, NULL, NULL);
}
