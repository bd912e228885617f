/* Random chains against Table D.1. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "arch/error.h"
#include "arch/model/chain/survey.h"
#include "sim/random.h"
#include "tests/arch/near.h"

/* Table D.1, averages for 2..20 matrices, in percent. */
static const double table[2][19] = {
    {0, 6.58, 7.67, 8.31, 8.81, 8.97, 9.57, 9.49, 9.55, 9.86, 9.90, 9.87, 9.80, 10.14,
     10.26, 10.15, 10.29, 10.20, 10.53},
    {0, 10.30, 10.76, 12.16, 12.68, 12.68, 13.21, 13.45, 13.59, 13.73, 13.95, 13.78,
     13.88, 14.09, 14.23, 14.17, 13.81, 14.32, 14.14},
};

static const ChainSurveySetting all = {
    .chain_count = 1000,
    .from = 2,
    .to = 20,
    .seed = 1,
    .words_count = 2,
    .words = {65536, 98304},
};

static void averages_are_those_of_table_d1(void **state)
{
    g_autoptr(GArray) rows = chain_survey_run(&all, NULL);

    (void) state;
    assert_int_equal(rows->len, 3 * 2 * 19);
    for (guint i = 0; i < 2; i++) {
        for (guint length = 2; length <= 20; length++) {
            g_autofree char *what = g_strdup_printf("%u matrices", length);
            const ChainSurveyRow *row =
                chain_survey_row(rows, CHAIN_AS_PRINTED, all.words[i], length);

            assert_near(what, row->average, table[i][length - 2], 1);
            assert_true(row->minimum >= 0 && row->minimum <= row->average);
            assert_true(row->maximum >= row->average && row->maximum < 60);
        }
    }
    /* The last line of the table, and the same with the right beta. */
    assert_near("64K", chain_survey_average(rows, CHAIN_AS_PRINTED, 65536), 9.44, 0.5);
    assert_near("96K", chain_survey_average(rows, CHAIN_AS_PRINTED, 98304), 13.27, 0.5);
    assert_near("64K", chain_survey_average(rows, CHAIN_CORRECTED, 65536), 7.30, 0.25);
    assert_near("96K", chain_survey_average(rows, CHAIN_CORRECTED, 98304), 11.87, 0.25);
    assert_int_equal(chain_survey_row(rows, CHAIN_WHOLE, 98304, 20)->wide, 0);
    /* Matrices of few tiles have whole ones, of which fusing saves less. */
    assert_near("64K", chain_survey_average(rows, CHAIN_WHOLE, 65536), 6.47, 0.25);
    assert_near("96K", chain_survey_average(rows, CHAIN_WHOLE, 98304), 9.16, 0.25);
    assert_true(chain_survey_row(rows, CHAIN_CORRECTED, 98304, 20)->wide > 0);
}

static void every_size_is_as_likely_as_another(void **state)
{
    const guint length = 20;
    const guint chain_count = 1000;
    const guint choices = 89; /* 320, 328 .. 1024 */
    const double expected = (double) chain_count * (length + 1) / choices;
    g_autofree guint *counts = g_new0(guint, choices);
    uint64_t random = sim_random_stream(1, 0);

    (void) state;
    for (guint i = 0; i < chain_count; i++) {
        Chain chain;

        chain_survey_draw(&chain, length, &random);
        assert_int_equal(chain.matrix_count, length);
        for (guint k = 0; k <= length; k++) {
            assert_in_range(chain.sizes[k], 320, 1024);
            assert_int_equal(chain.sizes[k] % 8, 0);
            counts[(chain.sizes[k] - 320) / 8]++;
        }
    }
    for (guint i = 0; i < choices; i++) {
        /* Five standard deviations. */
        assert_near("draws of a size", counts[i], expected, 5 * sqrt(expected));
    }
}

static void the_same_seed_draws_the_same_chains(void **state)
{
    ChainSurveySetting few = all;

    (void) state;
    few.chain_count = 20;
    g_autoptr(GArray) first = chain_survey_run(&few, NULL);
    g_autoptr(GArray) again = chain_survey_run(&few, NULL);

    few.from = 7;
    few.to = 7;
    g_autoptr(GArray) seven = chain_survey_run(&few, NULL);

    few.seed = 2;
    g_autoptr(GArray) other = chain_survey_run(&few, NULL);
    const double average = chain_survey_row(first, CHAIN_CORRECTED, 65536, 7)->average;

    assert_true(chain_survey_row(again, CHAIN_CORRECTED, 65536, 7)->average == average);
    assert_true(chain_survey_row(seven, CHAIN_CORRECTED, 65536, 7)->average == average);
    assert_true(chain_survey_row(other, CHAIN_CORRECTED, 65536, 7)->average != average);
    assert_null(chain_survey_row(seven, CHAIN_CORRECTED, 65536, 8));
}

static void nothing_is_averaged_where_nothing_is_drawn(void **state)
{
    ChainSurveySetting two = all;

    (void) state;
    two.to = 2;
    g_autoptr(GArray) rows = chain_survey_run(&two, NULL);

    assert_true(isnan(chain_survey_average(rows, CHAIN_CORRECTED, 65536)));
}

static void too_much_fast_memory_for_the_sizes_is_refused(void **state)
{
    g_autoptr(GError) error = NULL;
    ChainSurveySetting large = all;

    (void) state;
    large.words[1] = 102400;
    assert_null(chain_survey_run(&large, &error));
    assert_true(g_error_matches(error, ARCH_ERROR, ARCH_ERROR_UNMODELLED));
    assert_string_equal(error->message,
                        "random chains: the formula does not hold: size 320, the least "
                        "that is drawn, is not above sqrt(102400) = 320");
    large.words[1] = 102399;
    large.chain_count = 1;
    g_autoptr(GArray) rows = chain_survey_run(&large, NULL);

    assert_non_null(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_are_those_of_table_d1),
        cmocka_unit_test(every_size_is_as_likely_as_another),
        cmocka_unit_test(the_same_seed_draws_the_same_chains),
        cmocka_unit_test(nothing_is_averaged_where_nothing_is_drawn),
        cmocka_unit_test(too_much_fast_memory_for_the_sizes_is_refused),
    };

    return cmocka_run_group_tests_name("arch.chain_survey", tests, NULL, NULL);
}
