/* Stencils as products of matrices: they give what the stencil gives, with as many
 * zeros as the paper says, and swapped columns make them 2:4 sparse. */
#include "arch/error.h"
#include "arch/model/stencil/apply.h"
#include "tests/arch/model/stencil/case.h"

typedef GpuTransform *(*TransformFunc)(const GpuGrid *weights);

/* What a case gives through matrices, with steps in one kernel. */
typedef enum {
    PLAIN,
    SWAPPED,
    COMPRESSED,
} Form;

static void assert_equals_stencil(const GpuCase *self,
                                  TransformFunc transform,
                                  Form form,
                                  guint steps)
{
    g_autoptr(GpuGrid) weights = gpu_case_weights(self);
    g_autoptr(GpuGrid) fused = gpu_weights_fuse(weights, steps, NULL);
    g_autoptr(GpuGrid) grid = gpu_case_grid(self);
    g_autoptr(GpuTransform) matrices = transform(fused);
    g_autoptr(GpuGrid) expected = gpu_grid_apply(grid, fused, NULL);
    g_autoptr(GPtrArray) sparse = NULL;
    g_autoptr(GpuGrid) product = NULL;

    if (form != PLAIN) {
        gpu_transform_swap(matrices);
    }
    if (form == COMPRESSED) {
        sparse = gpu_transform_compress(matrices, NULL);
        assert_non_null(sparse);
    }
    product = gpu_transform_apply(matrices, sparse, grid, NULL);
    if (expected == NULL) {
        assert_null(product);
    } else {
        gpu_case_assert_equal(self, product, expected);
    }
}

static void flattened_stencils_equal_the_stencil(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < gpu_case_count; i++) {
        assert_equals_stencil(&gpu_cases[i], gpu_transform_flatten, PLAIN, 1);
        assert_equals_stencil(&gpu_cases[i], gpu_transform_flatten, PLAIN, 2);
    }
}

static void decomposed_stencils_equal_the_stencil(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < gpu_case_count; i++) {
        assert_equals_stencil(&gpu_cases[i], gpu_transform_decompose, PLAIN, 1);
        assert_equals_stencil(&gpu_cases[i], gpu_transform_decompose, PLAIN, 3);
    }
}

static void swapped_stencils_equal_the_stencil(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < gpu_case_count; i++) {
        assert_equals_stencil(&gpu_cases[i], gpu_transform_decompose, SWAPPED, 1);
        assert_equals_stencil(&gpu_cases[i], gpu_transform_flatten, SWAPPED, 1);
    }
}

static void compressed_stencils_equal_the_stencil(void **state G_GNUC_UNUSED)
{
    for (gsize i = 0; i < gpu_case_count; i++) {
        assert_equals_stencil(&gpu_cases[i], gpu_transform_decompose, COMPRESSED, 1);
        assert_equals_stencil(&gpu_cases[i], gpu_transform_decompose, COMPRESSED, 2);
    }
}

static GpuTransform *transform_ones(TransformFunc transform,
                                    GpuStencilShape shape,
                                    guint dimension,
                                    guint radius)
{
    const GpuStencil stencil = {
        .shape = shape, .dimension = dimension, .radius = radius};
    g_autoptr(GpuGrid) weights = gpu_weights_new(&stencil, NULL);

    return transform(weights);
}

/* 2r+2 rows; the last of the first matrix and the first of the second are empty, which
 * leaves the paper's 3 x 9 for radius 1. */
static void half_of_a_flattened_box_is_zero(void **state G_GNUC_UNUSED)
{
    for (guint dimension = 1; dimension <= 3; dimension++) {
        for (guint radius = 1; radius <= 7; radius++) {
            g_autoptr(GpuTransform) self =
                transform_ones(gpu_transform_flatten, GPU_BOX, dimension, radius);

            assert_true(gpu_transform_sparsity(self) == 0.5);
            assert_int_equal(gpu_transform_matrix_count(self), 2);
            for (guint i = 0; i < 2; i++) {
                const GpuMatrix *matrix = gpu_transform_matrix(self, i);

                assert_int_equal(matrix->row_count, 2 * radius + 2);
                assert_int_equal(gpu_matrix_used_rows(matrix), 2 * radius + 1);
            }
        }
    }
    g_autoptr(GpuTransform) paper =
        transform_ones(gpu_transform_flatten, GPU_BOX, 2, 1);

    assert_int_equal(gpu_matrix_used_rows(gpu_transform_matrix(paper, 0)), 3);
    assert_int_equal(gpu_transform_matrix(paper, 0)->column_count, 9);
}

static void decomposed_boxes_have_the_inferred_sparsity(void **state G_GNUC_UNUSED)
{
    for (guint dimension = 1; dimension <= 3; dimension++) {
        for (guint radius = 1; radius <= 9; radius++) {
            g_autoptr(GpuTransform) self =
                transform_ones(gpu_transform_decompose, GPU_BOX, dimension, radius);
            const GpuMatrix *matrix = gpu_transform_matrix(self, 0);

            assert_int_equal(matrix->row_count, 2 * radius + 2);
            assert_int_equal(matrix->column_count, 4 * radius + 4);
            assert_int_equal(gpu_matrix_nonzeros(matrix),
                             matrix->row_count * (2 * radius + 1));
            assert_true(gpu_transform_sparsity(self) ==
                        (2.0 * radius + 1) / (4.0 * radius + 4));
        }
    }
}

/* S that the model counts is S of the matrices: boxes and stars, one to four
 * dimensions, fused or not, and stars that are fused as boxes. */
static void assert_sparsity(const GpuStencil *stencil)
{
    const GpuStencil box = {.shape = GPU_BOX,
                            .dimension = stencil->dimension,
                            .radius = stencil->radius * stencil->fusion};
    g_autoptr(GpuGrid) one = gpu_weights_new(stencil, NULL);
    g_autoptr(GpuGrid) fused = gpu_weights_fuse(one, stencil->fusion, NULL);
    g_autoptr(GpuGrid) whole = gpu_weights_new(&box, NULL);
    const GpuGrid *const grids[] = {fused, whole};

    for (guint is_boxed = 0; is_boxed < 2; is_boxed++) {
        g_autoptr(GpuTransform) flat = gpu_transform_flatten(grids[is_boxed]);
        g_autoptr(GpuTransform) lines = gpu_transform_decompose(grids[is_boxed]);

        assert_true(gpu_stencil_sparsity(stencil, GPU_SCHEME_FLATTEN, is_boxed == 1) ==
                    gpu_transform_sparsity(flat));
        assert_true(
            gpu_stencil_sparsity(stencil, GPU_SCHEME_DECOMPOSE, is_boxed == 1) ==
            gpu_transform_sparsity(lines));
    }
}

static void the_model_has_the_sparsity_of_the_matrices(void **state G_GNUC_UNUSED)
{
    for (guint dimension = 1; dimension <= 4; dimension++) {
        for (guint radius = 1; radius <= (dimension < 4 ? 3 : 1); radius++) {
            for (guint steps = 1; radius * steps <= (dimension < 3 ? 9 : 3); steps++) {
                GpuStencil stencil = {GPU_BOX, dimension, radius, steps, GPU_FLOAT};

                assert_sparsity(&stencil);
                stencil.shape = GPU_STAR;
                assert_sparsity(&stencil);
            }
        }
    }
}

/* 29 weights in 15 lines of 32 columns. */
static void a_wide_star_has_little_useful_work(void **state G_GNUC_UNUSED)
{
    const GpuStencil star = {GPU_STAR, 2, 7, 1, GPU_FLOAT};

    assert_sparsity(&star);
    assert_true(gpu_stencil_sparsity(&star, GPU_SCHEME_DECOMPOSE, false) == 29.0 / 480);
    assert_true(gpu_stencil_sparsity(&star, GPU_SCHEME_FLATTEN, false) == 29.0 / 450);
}

/* The lines of a star: the one along the last dimension, and single points. */
static void stars_have_few_lines(void **state G_GNUC_UNUSED)
{
    g_autoptr(GpuTransform) flat =
        transform_ones(gpu_transform_flatten, GPU_STAR, 2, 1);
    g_autoptr(GpuTransform) lines =
        transform_ones(gpu_transform_decompose, GPU_STAR, 3, 2);

    /* 4 rows x 5 weights in two matrices of 4 x 9. */
    assert_true(gpu_transform_sparsity(flat) == 20.0 / 72);
    assert_int_equal(gpu_transform_matrix_count(lines), 1 + 4 * 2);
    assert_true(gpu_transform_sparsity(lines) == 13.0 / (9 * 12));
}

static void swapping_makes_pairs_of_which_one_is_zero(void **state G_GNUC_UNUSED)
{
    for (guint radius = 1; radius <= 40; radius++) {
        g_autoptr(GpuTransform) self =
            transform_ones(gpu_transform_decompose, GPU_BOX, 1, radius);

        assert_false(gpu_matrix_is_structured(gpu_transform_matrix(self, 0), 1, 2));
        assert_false(gpu_matrix_is_structured(gpu_transform_matrix(self, 0), 2, 4));
        gpu_transform_swap(self);
        assert_true(gpu_matrix_is_structured(gpu_transform_matrix(self, 0), 1, 2));
        assert_true(gpu_matrix_is_structured(gpu_transform_matrix(self, 0), 2, 4));
    }
}

static void swapping_twice_swaps_back(void **state G_GNUC_UNUSED)
{
    g_autoptr(GpuGrid) weights = gpu_case_weights(&gpu_cases[8]);
    g_autoptr(GpuTransform) self = gpu_transform_decompose(weights);
    g_autoptr(GpuTransform) before = gpu_transform_decompose(weights);
    const GpuMatrix *matrix = gpu_transform_matrix(self, 0);

    gpu_transform_swap(self);
    gpu_transform_swap(self);

    assert_memory_equal(matrix->values, gpu_transform_matrix(before, 0)->values,
                        sizeof(double) * matrix->row_count * matrix->column_count);
}

static void what_is_not_sparse_is_not_compressed(void **state G_GNUC_UNUSED)
{
    g_autoptr(GpuTransform) band =
        transform_ones(gpu_transform_decompose, GPU_BOX, 2, 1);
    g_autoptr(GpuTransform) flat = transform_ones(gpu_transform_flatten, GPU_BOX, 2, 1);
    g_autoptr(GError) error = NULL;

    assert_null(gpu_transform_compress(band, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    assert_string_equal(error->message,
                        "matrix 0: row 0 has more than 2 values in columns 0..3, a 2:4 "
                        "sparse matrix has at most 2 of 4");
    g_clear_error(&error);
    assert_null(gpu_transform_compress(flat, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flattened_stencils_equal_the_stencil),
        cmocka_unit_test(decomposed_stencils_equal_the_stencil),
        cmocka_unit_test(swapped_stencils_equal_the_stencil),
        cmocka_unit_test(compressed_stencils_equal_the_stencil),
        cmocka_unit_test(half_of_a_flattened_box_is_zero),
        cmocka_unit_test(decomposed_boxes_have_the_inferred_sparsity),
        cmocka_unit_test(the_model_has_the_sparsity_of_the_matrices),
        cmocka_unit_test(a_wide_star_has_little_useful_work),
        cmocka_unit_test(stars_have_few_lines),
        cmocka_unit_test(swapping_makes_pairs_of_which_one_is_zero),
        cmocka_unit_test(swapping_twice_swaps_back),
        cmocka_unit_test(what_is_not_sparse_is_not_compressed),
    };

    return cmocka_run_group_tests_name("arch.gpu_transform", tests, NULL, NULL);
}
