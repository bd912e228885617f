/* 2:4 sparse matrices: values and places, there and back, products, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arch/error.h"
#include "arch/model/stencil/apply.h"
#include "arch/model/stencil/sparse.h"

static GpuMatrix *matrix_of(guint row_count, guint column_count, const double *values)
{
    GpuMatrix *self = gpu_matrix_new(row_count, column_count);

    memcpy(self->values, values, sizeof *values * row_count * column_count);
    return self;
}

/* Two in order; one, beside which a zero is kept; none. Two bits a value, the first in
 * the lowest. */
static void values_and_places_are_packed(void **state G_GNUC_UNUSED)
{
    static const double values[] = {0, 5, 0, 7, 0, 0, 0, 9, 0, 0, 0, 0};
    static const double kept[] = {5, 7, 0, 9, 0, 0};
    g_autoptr(GpuMatrix) matrix = matrix_of(1, 12, values);
    g_autoptr(GpuSparse) self = gpu_sparse_compress(matrix, NULL);

    assert_non_null(self);
    assert_int_equal(self->kept->column_count, 6);
    assert_memory_equal(self->kept->values, kept, sizeof kept);
    assert_int_equal(self->row_words, 1);
    /* 1, 3; 0, 3; 0, 1. */
    assert_int_equal(self->metadata[0], 1 | 3 << 2 | 3 << 6 | 1 << 10);
}

/* A random matrix with at most two values in each group, wider than a word of
 * metadata. */
static GpuMatrix *random_sparse(uint32_t seed)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    GpuMatrix *self = gpu_matrix_new(5, 72);

    for (guint row = 0; row < self->row_count; row++) {
        for (guint first = 0; first < self->column_count; first += GPU_SPARSE_GROUP) {
            for (guint i = 0; i < GPU_SPARSE_KEPT; i++) {
                const guint place = (guint) g_rand_int_range(random, 0, 4);

                *gpu_matrix_at(self, row, first + place) =
                    g_rand_int_range(random, -3, 4);
            }
        }
    }
    return self;
}

static void compressed_matrices_come_back(void **state G_GNUC_UNUSED)
{
    for (uint32_t seed = 1; seed <= 50; seed++) {
        g_autoptr(GpuMatrix) matrix = random_sparse(seed);
        g_autoptr(GpuSparse) self = gpu_sparse_compress(matrix, NULL);
        g_autoptr(GpuMatrix) again = gpu_sparse_decompress(self);

        assert_int_equal(self->row_words, 3);
        assert_memory_equal(again->values, matrix->values, sizeof(double) * 5 * 72);
    }
}

/* As hardware wants it: in each group two places, the first one less. */
static void places_ascend_in_every_group(void **state G_GNUC_UNUSED)
{
    g_autoptr(GpuMatrix) matrix = random_sparse(7);
    g_autoptr(GpuSparse) self = gpu_sparse_compress(matrix, NULL);

    for (guint row = 0; row < 5; row++) {
        for (guint kept = 0; kept < 36; kept += 2) {
            const guint one = gpu_sparse_column(self, row, kept);
            const guint other = gpu_sparse_column(self, row, kept + 1);

            assert_true(one < other);
            assert_int_equal(one / GPU_SPARSE_GROUP, kept / 2);
            assert_int_equal(other / GPU_SPARSE_GROUP, kept / 2);
        }
    }
}

static void products_need_half_of_the_matrix(void **state G_GNUC_UNUSED)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    g_autoptr(GpuMatrix) matrix = random_sparse(3);
    g_autoptr(GpuSparse) self = gpu_sparse_compress(matrix, NULL);
    g_autoptr(GpuMatrix) right = gpu_matrix_new(72, 4);
    g_autoptr(GpuMatrix) whole = gpu_matrix_new(5, 4);
    g_autoptr(GpuMatrix) half = gpu_matrix_new(5, 4);

    for (guint i = 0; i < 72 * 4; i++) {
        right->values[i] = g_rand_int_range(random, -9, 10);
    }
    gpu_matrix_multiply_add(whole, matrix, right);
    gpu_sparse_multiply_add(half, self, right);
    gpu_sparse_multiply_add(half, self, right);

    for (guint i = 0; i < 5 * 4; i++) {
        assert_true(half->values[i] == 2 * whole->values[i]);
    }
}

/* [1 2; 3 4] x [5; 6], onto 100. */
static void products_are_added(void **state G_GNUC_UNUSED)
{
    static const double left_values[] = {1, 2, 3, 4};
    static const double right_values[] = {5, 6};
    g_autoptr(GpuMatrix) left = matrix_of(2, 2, left_values);
    g_autoptr(GpuMatrix) right = matrix_of(2, 1, right_values);
    g_autoptr(GpuMatrix) sum = gpu_matrix_new(2, 1);

    sum->values[0] = 100;
    gpu_matrix_multiply_add(sum, left, right);

    assert_true(sum->values[0] == 117);
    assert_true(sum->values[1] == 39);
}

static void structure_is_seen_group_by_group(void **state G_GNUC_UNUSED)
{
    static const double values[] = {0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0};
    g_autoptr(GpuMatrix) matrix = matrix_of(2, 8, values);

    assert_true(gpu_matrix_is_structured(matrix, 2, 4));
    assert_false(gpu_matrix_is_structured(matrix, 1, 2));
    assert_false(gpu_matrix_is_structured(matrix, 1, 4));
    assert_int_equal(gpu_matrix_nonzeros(matrix), 7);
    assert_int_equal(gpu_matrix_used_rows(matrix), 2);
}

static void three_of_four_are_refused(void **state G_GNUC_UNUSED)
{
    static const double early[] = {1, 2, 3, 0};
    static const double late[] = {0, 2, 3, 4};
    g_autoptr(GpuMatrix) first = matrix_of(1, 4, early);
    g_autoptr(GpuMatrix) last = matrix_of(1, 4, late);
    g_autoptr(GpuMatrix) narrow = matrix_of(1, 3, early);
    g_autoptr(GError) error = NULL;

    assert_null(gpu_sparse_compress(first, NULL));
    assert_null(gpu_sparse_compress(last, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_INVALID));
    g_clear_error(&error);
    assert_null(gpu_sparse_compress(narrow, &error));
    assert_string_equal(error->message,
                        "a matrix of 3 columns, 2:4 sparse ones have a multiple of 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_places_are_packed),
        cmocka_unit_test(compressed_matrices_come_back),
        cmocka_unit_test(places_ascend_in_every_group),
        cmocka_unit_test(products_need_half_of_the_matrix),
        cmocka_unit_test(products_are_added),
        cmocka_unit_test(structure_is_seen_group_by_group),
        cmocka_unit_test(three_of_four_are_refused),
    };

    return cmocka_run_group_tests_name("arch.gpu_sparse", tests, NULL, NULL);
}
