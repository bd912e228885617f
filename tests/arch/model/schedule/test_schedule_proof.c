/* Schedules gone through point by point, and looked at closely. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arch/error.h"
#include "arch/model/schedule/cutout.h"
#include "arch/model/schedule/proof.h"

static const GpuScheduleSetting hybrid = {.shape = GPU_SCHEDULE_HYBRID};

static void a_large_problem_is_made_smaller(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {
        .dimension = 2, .space = {8192, 8192}, .steps = 8192};
    const GpuTile tile = {.space = {4, 32}, .steps = 6};
    const GpuTile largest = {.space = {2048, 2048}, .steps = 1024};
    GpuScheduleProof check;

    assert_true(gpu_schedule_prove(&problem, &tile, &hybrid, &check, NULL));
    assert_true(check.is_part);
    assert_int_equal(check.problem.space[0], 2 * 14 + 1);
    assert_int_equal(check.problem.space[1], 2 * 32 + 6);
    assert_int_equal(check.problem.steps, 2 * 6 + 1);
    assert_true(gpu_schedule_proof_is_passed(&check));
    assert_false(gpu_schedule_prove(&problem, &largest, &hybrid, &check, NULL));
}

static void printed_pitches_do_not_pass(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {.dimension = 2, .space = {30, 20}, .steps = 10};
    const GpuTile tile = {.space = {3, 8}, .steps = 4};
    const GpuScheduleSetting printed = {.shape = GPU_SCHEDULE_HYBRID,
                                        .form = GPU_TILING_AS_PRINTED};
    GpuScheduleProof proof;

    assert_true(gpu_schedule_prove(&problem, &tile, &printed, &proof, NULL));
    assert_int_equal(proof.report.missing, 1200);
    assert_false(proof.is_same);
    assert_false(gpu_schedule_proof_is_passed(&proof));
}

static void count(GpuValueKind kind, int64_t step, int64_t place, gpointer data)
{
    guint *counts = data;

    (void) step;
    assert_true(place >= 0);
    counts[kind]++;
}

/* A hexagon of t_S = 3 and t_T = 6: 3 + 5 + 7 points, twice. */
static void a_tile_in_the_middle_is_looked_at(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {.dimension = 1, .space = {90}, .steps = 60};
    const GpuTile tile = {.space = {3}, .steps = 6};
    g_auto(GpuScheduleCutout) cutout = {0};
    guint counts[GPU_VALUE_WRITTEN + 1] = {0};

    assert_true(gpu_schedule_cutout_init(&cutout, &problem, &tile, &hybrid, NULL));
    assert_int_equal(cutout.part.space[0], 3 * (2 * 3 + 6));
    assert_int_equal(cutout.part.steps, 2 * 6 + 3 + 1);
    const GpuScheduleClose close = gpu_schedule_close(cutout.schedule);
    g_autofree char *text = gpu_schedule_cutout_text(&cutout);

    assert_true(close.places.begin > 0);
    assert_int_equal(close.places.end - close.places.begin, 7);
    assert_int_equal(close.steps.end - close.steps.first, 6);
    gpu_schedule_close_values(cutout.schedule, &close, count, counts);
    assert_int_equal(counts[GPU_VALUE_OWN], 2 * (3 + 5 + 7));
    assert_int_equal(counts[GPU_VALUE_READ], 3 + 2 * 6);
    assert_int_equal(counts[GPU_VALUE_WRITTEN], 3 + 2 * 6 - 2);
    assert_string_equal(text, "tiles: 3 places, steps: 6; problem: 90 places, steps: "
                              "60; only its first tiles are shown");
}

static void tiles_too_large_to_draw_are_refused(void **state G_GNUC_UNUSED)
{
    const GpuTilingProblem problem = {.dimension = 1, .space = {100000}, .steps = 9};
    const GpuTile wide = {.space = {2000}, .steps = 6};
    g_auto(GpuScheduleCutout) cutout = {0};
    g_autoptr(GError) error = NULL;

    assert_false(gpu_schedule_cutout_init(&cutout, &problem, &wide, &hybrid, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_problem_is_made_smaller),
        cmocka_unit_test(printed_pitches_do_not_pass),
        cmocka_unit_test(a_tile_in_the_middle_is_looked_at),
        cmocka_unit_test(tiles_too_large_to_draw_are_refused),
    };

    return cmocka_run_group_tests_name("arch.schedule_proof", tests, NULL, NULL);
}
