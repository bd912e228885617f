/* All programs' models of one stencil, and two of them compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/stencil/comparison.h"
#include "tests/arch/shipped.h"

typedef struct {
    ArchParams *gpu;
    GpuStencilSetting setting;
    GpuImplementation programs[GPU_COMPARISON_PROGRAMS];
    GpuComparisonSetting compared;
} Fixture;

static guint place_of(const Fixture *self, const char *name)
{
    guint place = 0;

    while (!g_str_equal(self->programs[place].name, name)) {
        place++;
    }
    return place;
}

static void fixture_init(Fixture *self, const char *with)
{
    *self = (Fixture){.gpu = shipped_params("a100_80gb")};
    self->setting.gpu = self->gpu;
    for (guint i = 0; i < GPU_COMPARISON_PROGRAMS; i++) {
        self->programs[i] = *gpu_implementation_at(i);
    }
    self->compared =
        (GpuComparisonSetting){&self->setting, self->programs, place_of(self, "ebisu"),
                               place_of(self, with), 10240};
}

static void two_programs_are_compared_by_their_models(void **state G_GNUC_UNUSED)
{
    const GpuStencil stencil = {GPU_BOX, 2, 1, 3, GPU_DOUBLE};
    Fixture fixture;
    GpuComparison comparison;

    fixture_init(&fixture, "convstencil");
    assert_true(gpu_comparison_init(&comparison, &stencil, &fixture.compared, NULL));
    const GpuComparisonRow *baseline = gpu_comparison_baseline(&comparison);
    const GpuComparisonRow *with = gpu_comparison_with(&comparison);
    const GpuComparisonRow *cudnn = &comparison.rows[place_of(&fixture, "cudnn")];

    assert_string_equal(baseline->program->name, "ebisu");
    assert_true(comparison.speedup == with->model.updates / baseline->model.updates);
    assert_true(comparison.scenario >= 1 && comparison.scenario <= 4);
    assert_string_equal(gpu_stencil_bound(&baseline->model),
                        baseline->model.is_compute_bound ? "compute" : "memory");
    assert_int_equal(baseline->fusion, 3);
    assert_int_equal(cudnn->fusion, 1); /* which fuses nothing */
    comparison.speedup = 1.019;
    assert_string_equal(gpu_comparison_direction(&comparison), "equal");
    comparison.speedup = 0.9;
    assert_string_equal(gpu_comparison_direction(&comparison), "down");
    gpu_comparison_clear(&comparison);
    arch_params_free(fixture.gpu);
}

static void padding_is_told_of_programs_that_fill_matrices(void **state G_GNUC_UNUSED)
{
    const GpuStencil stencil = {GPU_BOX, 2, 1, 3, GPU_DOUBLE};
    Fixture fixture;
    GpuComparison comparison;

    fixture_init(&fixture, "convstencil");
    assert_true(gpu_comparison_init(&comparison, &stencil, &fixture.compared, NULL));
    assert_null(gpu_comparison_with(&comparison)->padding.shape);
    gpu_comparison_pad(&comparison, &fixture.setting, NULL);
    const GpuComparisonRow *with = gpu_comparison_with(&comparison);

    assert_string_equal(with->padding.shape->name, "m8n8k4");
    assert_true(with->padding.use.flops >= with->model.flops);
    assert_true(with->padding.updates <= with->model.updates);
    assert_null(gpu_comparison_baseline(&comparison)->padding.shape);
    gpu_comparison_clear(&comparison);
    arch_params_free(fixture.gpu);
}

static void a_program_without_a_model_says_why(void **state G_GNUC_UNUSED)
{
    const GpuStencil stencil = {GPU_BOX, 2, 1, 1, GPU_DOUBLE};
    Fixture fixture;
    GpuComparison comparison;
    g_autoptr(GError) error = NULL;

    /* Sparse tensor cores have no double precision. */
    fixture_init(&fixture, "spider");
    assert_false(gpu_comparison_init(&comparison, &stencil, &fixture.compared, &error));
    assert_non_null(error);
    fixture.compared.with = place_of(&fixture, "convstencil");
    assert_true(gpu_comparison_init(&comparison, &stencil, &fixture.compared, NULL));
    assert_string_equal(comparison.rows[place_of(&fixture, "spider")].why,
                        error->message);
    gpu_comparison_clear(&comparison);
    arch_params_free(fixture.gpu);
}

static void
a_sweep_finds_where_a_program_becomes_compute_bound(void **state G_GNUC_UNUSED)
{
    const GpuStencil stencil = {GPU_BOX, 2, 1, 1, GPU_DOUBLE};
    Fixture fixture;

    fixture_init(&fixture, "convstencil");
    const guint ebisu = place_of(&fixture, "ebisu");
    g_autoptr(GArray) sweep =
        gpu_comparisons(&stencil, &fixture.compared, GPU_SWEEP_FUSION, 2, 9, NULL);
    const GpuComparison *first = &g_array_index(sweep, GpuComparison, 0);
    const guint found = gpu_comparisons_transition(sweep, GPU_SWEEP_FUSION, ebisu);

    assert_int_equal(sweep->len, 8);
    assert_int_equal(gpu_comparison_swept(first, GPU_SWEEP_FUSION), 2);
    assert_int_equal(gpu_comparison_swept(first, GPU_SWEEP_RADIUS), 1);
    assert_int_equal(found, first->rows[ebisu].transition_fusion);
    assert_string_equal(gpu_comparison_verdict(first), "no gain: both wait for memory");
    arch_params_free(fixture.gpu);
}

/* Zeros of a star's matrices count, so that whole instructions, which pad them, are
 * never faster than the model. */
static void
whole_instructions_are_never_faster_than_the_model(void **state G_GNUC_UNUSED)
{
    GpuStencil stencil = {.dimension = 2, .type = GPU_FLOAT};
    Fixture fixture;

    fixture_init(&fixture, "spider");
    for (guint i = 0; i < 2 * 7 * 3; i++) {
        GpuComparison comparison;

        stencil.shape = i % 2 == 0 ? GPU_BOX : GPU_STAR;
        stencil.radius = 1 + i / 2 % 7;
        stencil.fusion = 1 + i / 14;
        assert_true(
            gpu_comparison_init(&comparison, &stencil, &fixture.compared, NULL));
        gpu_comparison_pad(&comparison, &fixture.setting, NULL);
        for (guint k = 0; k < GPU_COMPARISON_PROGRAMS; k++) {
            const GpuComparisonRow *row = &comparison.rows[k];

            if (row->padding.shape != NULL) {
                assert_true(row->padding.use.flops >= row->model.flops * (1 - 1e-12));
                assert_true(row->padding.updates <= row->model.updates * (1 + 1e-12));
            }
        }
        gpu_comparison_clear(&comparison);
    }
    arch_params_free(fixture.gpu);
}

/* 37 matrices of 38 x 76 for 505 weights a row. */
static void a_wide_fused_star_loses_on_tensor_cores(void **state G_GNUC_UNUSED)
{
    const GpuStencil stencil = {GPU_STAR, 2, 6, 3, GPU_FLOAT};
    Fixture fixture;
    GpuComparison comparison;

    fixture_init(&fixture, "spider");
    assert_true(gpu_comparison_init(&comparison, &stencil, &fixture.compared, NULL));
    assert_true(gpu_comparison_with(&comparison)->model.sparsity == 505.0 / (37 * 76));
    assert_int_equal(comparison.scenario, 4);
    assert_false(comparison.is_sweet);
    assert_string_equal(gpu_comparison_direction(&comparison), "down");
    gpu_comparison_clear(&comparison);
    arch_params_free(fixture.gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_programs_are_compared_by_their_models),
        cmocka_unit_test(padding_is_told_of_programs_that_fill_matrices),
        cmocka_unit_test(a_program_without_a_model_says_why),
        cmocka_unit_test(a_sweep_finds_where_a_program_becomes_compute_bound),
        cmocka_unit_test(whole_instructions_are_never_faster_than_the_model),
        cmocka_unit_test(a_wide_fused_star_loses_on_tensor_cores),
    };

    return cmocka_run_group_tests_name("arch.stencil_comparison", tests, NULL, NULL);
}
