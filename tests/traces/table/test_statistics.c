/* Quantiles and rank correlations, against numbers worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/table/statistics.h"

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-12)) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

static void quantiles_lie_between_values(void **state G_GNUC_UNUSED)
{
    static const double values[] = {40, 10, 30, 20, 50};

    assert_near(trace_quantile(values, 5, 0), 10);
    assert_near(trace_quantile(values, 5, 1), 50);
    assert_near(trace_quantile(values, 5, 0.5), 30);
    assert_near(trace_quantile(values, 5, 0.05), 12);
    assert_near(trace_quantile(values, 5, 0.95), 48);
    assert_near(trace_quantile(values, 4, 0.5), 25);
    assert_near(trace_quantile(values, 1, 0.05), 40);
}

static void what_is_not_known_does_not_count(void **state G_GNUC_UNUSED)
{
    static const double values[] = {NAN, 10, INFINITY, 20, NAN};

    assert_near(trace_quantile(values, 5, 0.5), 15);
    assert_true(isnan(trace_quantile(values, 1, 0.5)));
    assert_true(isnan(trace_quantile(values, 0, 0.5)));
}

static void ranks_go_together_or_against_each_other(void **state G_GNUC_UNUSED)
{
    static const double a[] = {1, 2, 3, 4};
    static const double cubed[] = {1, 8, 27, 64};
    static const double down[] = {9, 5, 4, -100};
    static const double mixed[] = {2, 1, 4, 3};

    assert_near(trace_rank_correlation(a, cubed, 4), 1);
    assert_near(trace_rank_correlation(a, down, 4), -1);
    /* 1 - 6 x 4 / (4 x 15) */
    assert_near(trace_rank_correlation(a, mixed, 4), 0.6);
}

/* Ranks 0.5, 0.5, 2.5, 2.5 against 0, 1, 2, 3: 4 / sqrt(4 x 5). */
static void equal_values_share_their_ranks(void **state G_GNUC_UNUSED)
{
    static const double a[] = {7, 7, 9, 9};
    static const double b[] = {1, 2, 3, 4};

    assert_near(trace_rank_correlation(a, b, 4), 4 / sqrt(20));
    assert_near(trace_rank_correlation(b, a, 4), 4 / sqrt(20));
}

static void a_correlation_needs_pairs_that_differ(void **state G_GNUC_UNUSED)
{
    static const double a[] = {1, 2, NAN, 4, 5};
    static const double b[] = {1, 3, 100, NAN, 9};
    static const double same[] = {3, 3, 3, 3, 3};

    assert_near(trace_rank_correlation(a, b, 5), 1); /* of three pairs */
    assert_true(isnan(trace_rank_correlation(a, b, 4)));
    assert_true(isnan(trace_rank_correlation(a, same, 5)));
    assert_true(isnan(trace_rank_correlation(same, b, 5)));
    assert_true(isnan(trace_rank_correlation(a, b, 0)));
}

static void an_interval_leaves_out_the_ends(void **state G_GNUC_UNUSED)
{
    double values[21];

    for (int i = 0; i < 21; i++) {
        values[i] = 20 - i;
    }
    const TraceInterval interval = trace_interval(values, 21);

    assert_true(interval.low == 1 && interval.median == 10 && interval.high == 19);
    assert_true(interval.least == 0 && interval.most == 20);
}

static void what_moves_most_comes_first(void **state G_GNUC_UNUSED)
{
    static const TraceInfluence some[] = {
        {0, 1, 2, NAN}, {1, 1, 2, -0.5}, {2, 1, 9, 0}, {3, 1, 2, 0.25}, {4, 1, 2, 0.5}};
    static const guint expected[] = {2, 1, 4, 3, 0};
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(TraceInfluence));

    g_array_append_vals(list, some, G_N_ELEMENTS(some));
    trace_influences_sort(list);
    for (guint i = 0; i < list->len; i++) {
        assert_int_equal(g_array_index(list, TraceInfluence, i).key, expected[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_lie_between_values),
        cmocka_unit_test(what_is_not_known_does_not_count),
        cmocka_unit_test(ranks_go_together_or_against_each_other),
        cmocka_unit_test(equal_values_share_their_ranks),
        cmocka_unit_test(a_correlation_needs_pairs_that_differ),
        cmocka_unit_test(an_interval_leaves_out_the_ends),
        cmocka_unit_test(what_moves_most_comes_first),
    };

    return cmocka_run_group_tests_name("traces.statistics", tests, NULL, NULL);
}
