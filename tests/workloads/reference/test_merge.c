/* References of sums over PEs: their order, and how far they may be off. */
#include "tests/workloads/buffer_chunk.h"
#include "workloads/reference/merge.h"

/* Lost beside 1 when it is added alone, not when it is there twice. */
static const float tiny = 0x1p-24F;

static void sums_are_rounded_in_the_order_of_the_merges(void **state G_GNUC_UNUSED)
{
    static const ReferenceMerge one_by_one[] = {{0, 1}, {0, 2}};
    static const ReferenceMerge small_first[] = {{1, 2}, {0, 1}};
    float a[3] = {1, tiny, tiny};
    float b[3] = {1, tiny, tiny};
    double exact[3] = {1, (double) tiny, (double) tiny};

    reference_merge_single(&(ReferenceMerges){one_by_one, 2, 1}, a);
    reference_merge_single(&(ReferenceMerges){small_first, 2, 1}, b);
    reference_merge_double(&(ReferenceMerges){one_by_one, 2, 1}, exact);

    assert_true(a[0] == 1);
    assert_true(b[0] == 1 + 2 * tiny);
    assert_true(exact[0] == 1 + 2 * (double) tiny);
}

static void every_word_has_its_own_sum(void **state G_GNUC_UNUSED)
{
    static const ReferenceMerge merges[] = {{1, 0}, {1, 2}};
    float numbers[6] = {1, 2, 10, 20, 100, 200};

    reference_merge_single(&(ReferenceMerges){merges, 2, 2}, numbers);

    assert_true(numbers[2] == 111);
    assert_true(numbers[3] == 222);
    assert_true(numbers[0] == 1);
}

static void depth_counts_additions_one_after_another(void **state G_GNUC_UNUSED)
{
    static const ReferenceMerge chain[] = {{2, 3}, {1, 2}, {0, 1}};
    static const ReferenceMerge tree[] = {{0, 1}, {2, 3}, {0, 2}};
    static const ReferenceMerge star[] = {{0, 1}, {0, 2}, {0, 3}};

    assert_int_equal(reference_merge_depth(&(ReferenceMerges){chain, 3, 1}, 4), 3);
    assert_int_equal(reference_merge_depth(&(ReferenceMerges){tree, 3, 1}, 4), 2);
    assert_int_equal(reference_merge_depth(&(ReferenceMerges){star, 3, 1}, 4), 3);
    assert_int_equal(reference_merge_depth(&(ReferenceMerges){NULL, 0, 1}, 4), 0);
}

static void scripts_get_the_sum_of_the_last_merge(void **state G_GNUC_UNUSED)
{
    static const char numbers[] = "local b = buffer(12)\n"
                                  "b:set('fp32', 0, 1) b:set('fp32', 1, -2)\n"
                                  "b:set('fp32', 2, 4)\n";
    g_autofree char *summed = g_strconcat(
        numbers,
        "local sum, bound = b:merged { merges = { { 2, 0 }, { 1, 2 } }, words = 1 }\n"
        "print(#sum, sum:get('fp32', 0), bound == 2 * 2.0 ^ -24 * 7)\n"
        "print(b:merged({ merges = {}, words = 3, arithmetic = 'double' }):get('fp32', "
        "2))",
        NULL);

    buffer_chunk_assert_prints(summed, "4\t3.0\ttrue\n4.0\n");
    buffer_chunk_assert_prints(
        "print(#buffer(8, true):merged { merges = {}, words = 1 })", "4\n");
}

static void merges_that_cannot_be_are_refused(void **state G_GNUC_UNUSED)
{
    static const BufferChunkRefusal cases[] = {
        {"buffer(8):merged { merges = { { 0, 2 } }, words = 1 }", "PEs 0 to 1"},
        {"buffer(8):merged { merges = { { -1, 0 } }, words = 1 }", "PEs 0 to 1"},
        {"buffer(8):merged { merges = { 7 }, words = 1 }", "pairs of PEs"},
        {"buffer(8):merged { merges = { {0, 1}, {0, 1} }, words = 1 }", "more merges"},
        {"buffer(8):merged { merges = {}, words = 3 }", "whole number of words"},
        {"buffer(8):merged { merges = {}, words = 0 }", "whole number of words"},
        {"buffer(0):merged { merges = {}, words = 1 }", "whole number of words"},
    };

    buffer_chunk_assert_refused("", cases, G_N_ELEMENTS(cases), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_rounded_in_the_order_of_the_merges),
        cmocka_unit_test(every_word_has_its_own_sum),
        cmocka_unit_test(depth_counts_additions_one_after_another),
        cmocka_unit_test(scripts_get_the_sum_of_the_last_merge),
        cmocka_unit_test(merges_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
