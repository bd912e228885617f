/* The outcome of a run: the worst check counts, and tables become CSV. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/outcome.h"

static void assert_check(const WlOutcome *outcome,
                         WlCheckStatus status,
                         double max_abs_error,
                         const char *reference)
{
    assert_int_equal(outcome->check, status);
    assert_true(outcome->max_abs_error == max_abs_error);
    assert_string_equal(outcome->reference, reference);
}

static void without_a_check_it_is_skipped(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlOutcome) outcome = wl_outcome_new();

    assert_check(outcome, WL_CHECK_SKIPPED, 0, "the script made no check");
    assert_int_equal(outcome->iterations, 1);
    wl_outcome_free(NULL);
}

static void an_error_up_to_the_tolerance_passes(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlOutcome) exact = wl_outcome_new();
    g_autoptr(WlOutcome) equal = wl_outcome_new();
    g_autoptr(WlOutcome) above = wl_outcome_new();

    wl_outcome_add_check(exact, 0, 0, "a");
    wl_outcome_add_check(equal, 0.5, 0.5, "b");
    wl_outcome_add_check(above, nextafter(0.5, 1), 0.5, "c");

    assert_check(exact, WL_CHECK_PASS, 0, "a");
    assert_check(equal, WL_CHECK_PASS, 0.5, "b");
    assert_check(above, WL_CHECK_FAIL, nextafter(0.5, 1), "c");
}

static void the_largest_error_counts_among_passes(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlOutcome) outcome = wl_outcome_new();

    wl_outcome_add_check(outcome, 0.1, 1, "first");
    wl_outcome_add_check(outcome, 0.3, 2, "second");
    wl_outcome_add_check(outcome, 0.2, 3, "third");

    assert_check(outcome, WL_CHECK_PASS, 0.3, "second");
    assert_true(outcome->tolerance == 2);
}

static void
a_failure_counts_whatever_passes_before_and_after(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlOutcome) outcome = wl_outcome_new();

    wl_outcome_add_check(outcome, 10, 100, "large but allowed");
    wl_outcome_add_check(outcome, 2, 1, "failure");
    wl_outcome_add_check(outcome, 50, 100, "allowed again");
    assert_check(outcome, WL_CHECK_FAIL, 2, "failure");
    wl_outcome_add_check(outcome, 3, 1, "worse failure");

    assert_check(outcome, WL_CHECK_FAIL, 3, "worse failure");
}

static void an_error_that_is_no_number_fails(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlOutcome) nan_only = wl_outcome_new();
    g_autoptr(WlOutcome) infinite = wl_outcome_new();
    g_autoptr(WlOutcome) vast = wl_outcome_new();

    wl_outcome_add_check(nan_only, NAN, INFINITY, "nan");
    wl_outcome_add_check(infinite, INFINITY, 1e300, "inf");
    wl_outcome_add_check(vast, 1, NAN, "tolerance");

    assert_check(nan_only, WL_CHECK_FAIL, HUGE_VAL, "nan");
    assert_check(infinite, WL_CHECK_FAIL, HUGE_VAL, "inf");
    assert_check(vast, WL_CHECK_FAIL, 1, "tolerance");
}

static void no_failure_is_worse_than_one_that_is_no_number(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlOutcome) last = wl_outcome_new();
    g_autoptr(WlOutcome) first = wl_outcome_new();

    wl_outcome_add_check(last, 5, 1, "finite");
    wl_outcome_add_check(last, NAN, 1, "nan");
    wl_outcome_add_check(first, NAN, 1, "nan");
    wl_outcome_add_check(first, 5, 1, "finite");

    assert_check(last, WL_CHECK_FAIL, HUGE_VAL, "nan");
    assert_check(first, WL_CHECK_FAIL, HUGE_VAL, "nan");
}

static void a_status_has_its_name(void **state G_GNUC_UNUSED)
{
    assert_string_equal(wl_check_status_name(WL_CHECK_PASS), "pass");
    assert_string_equal(wl_check_status_name(WL_CHECK_FAIL), "fail");
    assert_string_equal(wl_check_status_name(WL_CHECK_SKIPPED), "skipped");
}

static void add_row(WlTable *table, const char *first, const char *second)
{
    GPtrArray *row = g_ptr_array_new_with_free_func(g_free);

    g_ptr_array_add(row, g_strdup(first));
    g_ptr_array_add(row, g_strdup(second));
    g_ptr_array_add(table->rows, row);
}

static void a_table_is_csv_with_its_columns_first(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlOutcome) outcome = wl_outcome_new();
    WlTable *table = wl_outcome_add_table(outcome, "dma");

    g_ptr_array_add(table->columns, g_strdup("bytes"));
    g_ptr_array_add(table->columns, g_strdup("GB/s"));
    g_autofree char *bare = wl_table_to_csv(table);
    add_row(table, "32", "0.5");
    add_row(table, "", " blank ");
    g_autofree char *csv = wl_table_to_csv(table);

    assert_string_equal(bare, "bytes,GB/s\n");
    assert_string_equal(csv, "bytes,GB/s\n32,0.5\n, blank \n");
    assert_string_equal(table->name, "dma");
    assert_int_equal(outcome->tables->len, 1);
}

static void csv_quotes_what_would_break_a_line(void **state G_GNUC_UNUSED)
{
    g_autoptr(WlOutcome) outcome = wl_outcome_new();
    WlTable *table = wl_outcome_add_table(outcome, "t");

    g_ptr_array_add(table->columns, g_strdup("a,b"));
    g_ptr_array_add(table->columns, g_strdup("say \"x\""));
    add_row(table, "two\nlines", "carriage\rreturn");
    add_row(table, "\"", "semi;colon 'x'");
    g_autofree char *csv = wl_table_to_csv(table);

    assert_string_equal(csv, "\"a,b\",\"say \"\"x\"\"\"\n"
                             "\"two\nlines\",\"carriage\rreturn\"\n"
                             "\"\"\"\",semi;colon 'x'\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_check_it_is_skipped),
        cmocka_unit_test(an_error_up_to_the_tolerance_passes),
        cmocka_unit_test(the_largest_error_counts_among_passes),
        cmocka_unit_test(a_failure_counts_whatever_passes_before_and_after),
        cmocka_unit_test(an_error_that_is_no_number_fails),
        cmocka_unit_test(no_failure_is_worse_than_one_that_is_no_number),
        cmocka_unit_test(a_status_has_its_name),
        cmocka_unit_test(a_table_is_csv_with_its_columns_first),
        cmocka_unit_test(csv_quotes_what_would_break_a_line),
    };

    return cmocka_run_group_tests_name("workloads.outcome", tests, NULL, NULL);
}
