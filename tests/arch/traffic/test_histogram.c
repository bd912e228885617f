/* Tests of the histogram from which percentiles are read. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arch/traffic/histogram.h"

static int setup(void **state)
{
    NocHistogram *histogram = g_new0(NocHistogram, 1);

    noc_histogram_init(histogram);
    *state = histogram;
    return 0;
}

static int teardown(void **state)
{
    noc_histogram_clear(*state);
    g_free(*state);
    return 0;
}

static void an_empty_one_has_no_mean(void **state)
{
    NocHistogram *histogram = *state;

    assert_true(isnan(noc_histogram_mean(histogram)));
    assert_int_equal(noc_histogram_percentile(histogram, 50), 0);
}

static void percentiles_are_numbers_that_were_added(void **state)
{
    NocHistogram *histogram = *state;

    for (uint64_t value = 1; value <= 200; value++) {
        noc_histogram_add(histogram, value);
    }

    assert_int_equal(noc_histogram_percentile(histogram, 50), 100);
    assert_int_equal(noc_histogram_percentile(histogram, 99), 198);
    assert_int_equal(noc_histogram_percentile(histogram, 100), 200);
    assert_int_equal(histogram->maximum, 200);
    assert_true(noc_histogram_mean(histogram) == 100.5);
}

static void one_number_is_every_percentile(void **state)
{
    NocHistogram *histogram = *state;

    noc_histogram_add(histogram, 42);

    assert_int_equal(noc_histogram_percentile(histogram, 1), 42);
    assert_int_equal(noc_histogram_percentile(histogram, 50), 42);
    assert_int_equal(noc_histogram_percentile(histogram, 99), 42);
}

static void huge_numbers_are_kept_exactly(void **state)
{
    NocHistogram *histogram = *state;
    const uint64_t huge = UINT64_C(1) << 40;

    noc_histogram_add(histogram, huge + 7);
    noc_histogram_add(histogram, 3);
    noc_histogram_add(histogram, huge + 1);
    noc_histogram_add(histogram, 3);

    assert_int_equal(noc_histogram_percentile(histogram, 50), 3);
    assert_int_equal(noc_histogram_percentile(histogram, 75), huge + 1);
    assert_int_equal(noc_histogram_percentile(histogram, 99), huge + 7);
    assert_int_equal(histogram->maximum, huge + 7);
}

static void a_reset_forgets_everything(void **state)
{
    NocHistogram *histogram = *state;

    noc_histogram_add(histogram, 3);
    noc_histogram_add(histogram, UINT64_C(1) << 40);
    noc_histogram_reset(histogram);
    noc_histogram_add(histogram, 9);

    assert_int_equal(histogram->count, 1);
    assert_int_equal(histogram->maximum, 9);
    assert_int_equal(noc_histogram_percentile(histogram, 1), 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_empty_one_has_no_mean, setup, teardown),
        cmocka_unit_test_setup_teardown(percentiles_are_numbers_that_were_added, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(one_number_is_every_percentile, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(huge_numbers_are_kept_exactly, setup, teardown),
        cmocka_unit_test_setup_teardown(a_reset_forgets_everything, setup, teardown),
    };

    return cmocka_run_group_tests_name("arch.noc_histogram", tests, NULL, NULL);
}
