/* References of dot products of columns: what is rounded, and when. */
#include "tests/workloads/buffer_chunk.h"
#include "workloads/reference/column_dot.h"

static void products_are_not_rounded_before_the_sum(void **state G_GNUC_UNUSED)
{
    /* (1 + e) (1 - e) = 1 - e e, which single precision would round to 1. */
    static const double a[] = {1, 1 + 0x1p-20};
    static const double b[] = {-1, 1 - 0x1p-20};
    static const double half_a[] = {1, 1 + 0x1p-10};
    static const double half_b[] = {-1, 1 - 0x1p-10};

    assert_true(reference_column_dot_single(a, b, 2) == -0x1p-40F);
    assert_true(reference_column_dot_half(half_a, half_b, 2) == -0x1p-20);
}

static void sums_are_rounded_one_after_another(void **state G_GNUC_UNUSED)
{
    static const double ones[] = {1, 1, 1};
    static const double small[] = {1, 0x1p-24, 0x1p-24};
    static const double half_small[] = {1, 0x1p-11, 0x1p-11};

    assert_true(reference_column_dot_single(ones, small, 3) == 1);
    assert_true(reference_column_dot_half(ones, half_small, 3) == 1);
    /* Single precision has them both. */
    assert_true(reference_column_dot_single(ones, half_small, 3) == 1 + 0x1p-10F);
}

static void scripts_get_a_number_of_each_column(void **state G_GNUC_UNUSED)
{
    buffer_chunk_assert_prints(
        "local a, b = buffer(8), buffer(8)\n"
        "for i = 0, 3 do a:set('fp16', i, i + 1) b:set('fp16', i, 10) end\n"
        "local sums = a:column_dots('fp16', b, 2, 'fp32')\n"
        "print(#sums, sums:get('fp32', 0), sums:get('fp32', 1))\n"
        "print(a:column_dots('fp16', b, 4, 'fp16'):get('fp32', 0))\n"
        "print(#buffer(8, true):column_dots('fp32', buffer(8, true), 1, 'fp32'))",
        "8\t30.0\t70.0\n100.0\n8\n");
}

static void columns_that_cannot_be_are_refused(void **state G_GNUC_UNUSED)
{
    static const BufferChunkRefusal cases[] = {
        {"buffer(8):column_dots('bf16', buffer(8), 1, 'fp32')", "fp32 or fp16"},
        {"buffer(8):column_dots('fp32', buffer(8), 1, 'fp16')", "fp16 for numbers of"},
        {"buffer(8):column_dots('fp32', buffer(4), 1, 'fp32')", "differ in length"},
        {"buffer(8):column_dots('fp32', buffer(8), 3, 'fp32')", "no multiple"},
        {"buffer(8):column_dots('fp32', buffer(8), 0, 'fp32')", "no multiple"},
    };

    buffer_chunk_assert_refused("", cases, G_N_ELEMENTS(cases), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_not_rounded_before_the_sum),
        cmocka_unit_test(sums_are_rounded_one_after_another),
        cmocka_unit_test(scripts_get_a_number_of_each_column),
        cmocka_unit_test(columns_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
