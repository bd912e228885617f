/* Weights of stencils: their points, the stencil point by point, steps in one kernel.
 */
#include "arch/error.h"
#include "arch/model/stencil/apply.h"
#include "tests/arch/model/stencil/case.h"

/* Those whose weight is not 0. */
static gsize points_of(const GpuGrid *self)
{
    gsize points = 0;

    for (gsize point = 0; point < self->count; point++) {
        points += self->values[point] != 0 ? 1 : 0;
    }
    return points;
}

static gsize count_points(GpuStencilShape shape, guint dimension, guint radius)
{
    const GpuStencil stencil = {
        .shape = shape, .dimension = dimension, .radius = radius};
    g_autoptr(GpuGrid) weights = gpu_weights_new(&stencil, NULL);

    assert_non_null(weights);
    assert_int_equal(gpu_weights_radius(weights), radius);
    return points_of(weights);
}

static void shapes_have_their_points(void **state G_GNUC_UNUSED)
{
    assert_int_equal(count_points(GPU_BOX, 1, 4), 9);
    assert_int_equal(count_points(GPU_BOX, 2, 1), 9);
    assert_int_equal(count_points(GPU_BOX, 2, 7), 225);
    assert_int_equal(count_points(GPU_BOX, 3, 2), 125);
    assert_int_equal(count_points(GPU_BOX, 4, 1), 81);
    assert_int_equal(count_points(GPU_STAR, 1, 4), 9);
    assert_int_equal(count_points(GPU_STAR, 2, 1), 5);
    assert_int_equal(count_points(GPU_STAR, 3, 4), 25);
    assert_int_equal(count_points(GPU_STAR, 4, 2), 17);
}

/* By hand: hundreds, tens and ones are neighbours. */
static void the_stencil_is_a_sum_of_neighbours(void **state G_GNUC_UNUSED)
{
    static const double line[] = {1, 10, 100};
    static const double points[] = {1, 2, 3, 4, 5};
    static const double sums[] = {321, 432, 543};
    g_autoptr(GpuGrid) weights = gpu_grid_new(1, (const guint[]){3});
    g_autoptr(GpuGrid) grid = gpu_grid_new(1, (const guint[]){5});
    g_autoptr(GpuGrid) inner = NULL;

    memcpy(weights->values, line, sizeof line);
    memcpy(grid->values, points, sizeof points);

    inner = gpu_grid_apply(grid, weights, NULL);

    assert_int_equal(inner->count, 3);
    assert_memory_equal(inner->values, sums, sizeof sums);
}

/* Number `axis` of a point's coordinates. */
static guint coordinate(const GpuGrid *grid, gsize point, guint axis)
{
    for (guint i = grid->dimension - 1; i > axis; i--) {
        point /= grid->sides[i];
    }
    return (guint) (point % grid->sides[axis]);
}

static double update_naively(const GpuGrid *grid, const GpuGrid *weights, gsize inner)
{
    guint sides[GPU_STENCIL_DIMENSIONS];
    double sum = 0;

    for (guint axis = 0; axis < grid->dimension; axis++) {
        sides[axis] = grid->sides[axis] - weights->sides[axis] + 1;
    }
    g_autoptr(GpuGrid) frame = gpu_grid_new(grid->dimension, sides);

    for (gsize weight = 0; weight < weights->count; weight++) {
        gsize at = 0;

        for (guint axis = 0; axis < grid->dimension; axis++) {
            at = at * grid->sides[axis] + coordinate(frame, inner, axis) +
                 coordinate(weights, weight, axis);
        }
        sum += weights->values[weight] * grid->values[at];
    }
    return sum;
}

static void lines_give_what_coordinates_give(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < gpu_case_count; i++) {
        g_autoptr(GpuGrid) weights = gpu_case_weights(&gpu_cases[i]);
        g_autoptr(GpuGrid) grid = gpu_case_grid(&gpu_cases[i]);
        g_autoptr(GpuGrid) inner = gpu_grid_apply(grid, weights, NULL);
        g_autoptr(GpuGrid) naive = gpu_grid_new_inner(grid, weights, NULL);

        for (gsize point = 0; point < naive->count; point++) {
            naive->values[point] = update_naively(grid, weights, point);
        }
        gpu_case_assert_equal(&gpu_cases[i], inner, naive);
    }
}

static GpuGrid *apply_often(const GpuGrid *grid, const GpuGrid *weights, guint steps)
{
    g_autoptr(GpuGrid) now = gpu_grid_new(grid->dimension, grid->sides);

    memcpy(now->values, grid->values, grid->count * sizeof *grid->values);
    for (guint step = 0; step < steps; step++) {
        GpuGrid *next = gpu_grid_apply(now, weights, NULL);

        assert_non_null(next);
        gpu_grid_free(now);
        now = next;
    }
    return g_steal_pointer(&now);
}

static void fused_steps_equal_single_ones(void **state G_GNUC_UNUSED)
{
    guint compared = 0;

    for (gsize i = 0; i < gpu_case_count; i++) {
        g_autoptr(GpuGrid) weights = gpu_case_weights(&gpu_cases[i]);
        g_autoptr(GpuGrid) grid = gpu_case_grid(&gpu_cases[i]);
        const guint radius = gpu_cases[i].stencil.radius;

        for (guint steps = 1; steps <= 4; steps++) {
            g_autoptr(GpuGrid) fused = gpu_weights_fuse(weights, steps, NULL);
            g_autoptr(GpuGrid) at_once = gpu_grid_apply(grid, fused, NULL);

            assert_int_equal(gpu_weights_radius(fused), steps * radius);
            if (at_once != NULL) {
                g_autoptr(GpuGrid) singly = apply_often(grid, weights, steps);

                gpu_case_assert_equal(&gpu_cases[i], at_once, singly);
                compared += steps > 1 ? 1 : 0;
            }
        }
    }
    assert_true(compared >= 20);
}

static gsize
count_fused(GpuStencilShape shape, guint dimension, guint radius, guint steps)
{
    const GpuStencil stencil = {
        .shape = shape, .dimension = dimension, .radius = radius};
    g_autoptr(GpuGrid) weights = gpu_weights_new(&stencil, NULL);
    g_autoptr(GpuGrid) fused = gpu_weights_fuse(weights, steps, NULL);

    return points_of(fused);
}

/* The paper's 49 and 225; a star of radius 1 becomes the points within t steps. */
static void fused_kernels_have_the_papers_points(void **state G_GNUC_UNUSED)
{
    assert_int_equal(count_fused(GPU_BOX, 2, 1, 3), 49);
    assert_int_equal(count_fused(GPU_BOX, 2, 1, 7), 225);
    assert_int_equal(count_fused(GPU_BOX, 3, 1, 3), 343);
    assert_int_equal(count_fused(GPU_STAR, 1, 2, 3), 13);
    for (guint steps = 1; steps <= 8; steps++) {
        assert_int_equal(count_fused(GPU_STAR, 2, 1, steps),
                         2 * steps * steps + 2 * steps + 1);
    }
    assert_int_equal(count_fused(GPU_STAR, 3, 1, 2), 25);
}

/* The model counts them by a formula. */
static void the_model_counts_the_same_points(void **state G_GNUC_UNUSED)
{
    for (guint shape = GPU_BOX; shape <= GPU_STAR; shape++) {
        for (guint dimension = 1; dimension <= 3; dimension++) {
            for (guint radius = 1; radius <= 3; radius++) {
                for (guint steps = 1; steps <= 4; steps++) {
                    const GpuStencil stencil = {.shape = (GpuStencilShape) shape,
                                                .dimension = dimension,
                                                .radius = radius,
                                                .fusion = steps};
                    const gsize counted =
                        count_fused((GpuStencilShape) shape, dimension, radius, steps);

                    assert_true(gpu_stencil_fused_points(&stencil, false) ==
                                (double) counted);
                }
            }
        }
    }
}

static void what_does_not_fit_is_refused(void **state G_GNUC_UNUSED)
{
    const GpuStencil small = {.shape = GPU_BOX, .dimension = 2, .radius = 2};
    const GpuStencil large = {.shape = GPU_BOX, .dimension = 8, .radius = 1024};
    g_autoptr(GpuGrid) weights = gpu_weights_new(&small, NULL);
    g_autoptr(GpuGrid) line = gpu_grid_new(1, (const guint[]){100});
    g_autoptr(GpuGrid) narrow = gpu_grid_new(2, (const guint[]){4, 100});
    g_autoptr(GError) error = NULL;

    assert_null(gpu_weights_new(&large, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    g_clear_error(&error);
    assert_null(gpu_weights_fuse(weights, 1000, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    g_clear_error(&error);
    assert_null(gpu_grid_apply(line, weights, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    g_clear_error(&error);
    assert_null(gpu_grid_apply(narrow, weights, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_their_points),
        cmocka_unit_test(the_stencil_is_a_sum_of_neighbours),
        cmocka_unit_test(lines_give_what_coordinates_give),
        cmocka_unit_test(fused_steps_equal_single_ones),
        cmocka_unit_test(fused_kernels_have_the_papers_points),
        cmocka_unit_test(the_model_counts_the_same_points),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests_name("arch.gpu_weights", tests, NULL, NULL);
}
