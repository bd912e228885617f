/* Suites of published figures: what a row says, and when a simulated value passes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/error.h"
#include "traces/suite/reference.h"

#define COLUMNS                                                                        \
    "source,case,quantity,unit,published,tolerance,kind,pace,run,base_run,field,"      \
    "scale,combine,note"
#define HEADER COLUMNS "\n"

static TraceReference *parse_below(const char *header, const char *rows, GError **error)
{
    g_autofree char *text = g_strconcat(header, rows, NULL);

    return trace_reference_parse("s.csv", text, strlen(text), error);
}

static TraceReference *parse(const char *rows, GError **error)
{
    return parse_below(HEADER, rows, error);
}

/* With the columns that a suite may have. */
static TraceReference *parse_full(const char *rows, GError **error)
{
    return parse_below(COLUMNS ",extent,full_run,full_base_run,full_extent\n", rows,
                       error);
}

static void a_row_is_read(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceReference) suite = parse(
        "paper,\"dot, 1\",time,ms,0.1,10 %,predicted,long,dot a=1,,metrics.t,1000,"
        "value,why\n"
        "paper,gain,speedup,%,15,5,calibrated,quick,dot a=1,dot a=2,t,,gain,\n"
        "paper,seen,t,s,2,-,predicted,quick,dot,,t,,value,\n"
        "paper,gpu,t,s,2,-,context,quick,,,,,value,\n",
        &error);
    const TraceReferenceRow *row = trace_reference_row(suite, 0);

    assert_null(error);
    assert_int_equal(trace_reference_row_count(suite), 4);
    assert_string_equal(row->source, "paper");
    assert_string_equal(row->name, "dot, 1");
    assert_string_equal(row->runs.run, "dot a=1");
    assert_string_equal(row->runs.extent, "");
    assert_string_equal(row->full_runs.run, "dot a=1");
    assert_string_equal(row->field, "metrics.t");
    assert_true(row->published == 0.1 && row->tolerance == 10 && row->scale == 1000);
    assert_true(row->is_judged && row->is_relative && row->is_long);
    assert_int_equal(row->kind, TRACE_REFERENCE_PREDICTED);
    row = trace_reference_row(suite, 1);
    assert_true(row->is_judged && !row->is_relative && !row->is_long);
    assert_true(row->tolerance == 5 && row->scale == 1);
    assert_string_equal(row->runs.base_run, "dot a=2");
    assert_string_equal(row->full_runs.base_run, "dot a=2");
    assert_int_equal(row->combine, TRACE_REFERENCE_GAIN);
    assert_string_equal(trace_reference_kind_name(row->kind), "calibrated");
    assert_false(trace_reference_row(suite, 2)->is_judged);
    assert_int_equal(trace_reference_row(suite, 3)->kind, TRACE_REFERENCE_CONTEXT);
}

static void a_whole_case_has_runs_of_its_own(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceReference) suite =
        parse_full("s,c,q,u,1,1,predicted,quick,r,,f,,value,,on a slice,w,,whole\n"
                   "s,c,q,u,1,1,predicted,quick,r,b,f,,ratio,,on a slice,w,v,whole\n"
                   "s,c,q,u,1,1,predicted,quick,r,,f,,value,,on a slice,,,\n",
                   &error);
    const TraceReferenceRow *row = trace_reference_row(suite, 0);

    assert_null(error);
    assert_string_equal(row->runs.run, "r");
    assert_string_equal(row->runs.extent, "on a slice");
    assert_string_equal(row->full_runs.run, "w");
    assert_string_equal(row->full_runs.extent, "whole");
    row = trace_reference_row(suite, 1);
    assert_string_equal(row->runs.base_run, "b");
    assert_string_equal(row->full_runs.base_run, "v");
    row = trace_reference_row(suite, 2);
    assert_string_equal(row->full_runs.run, "r");
    assert_string_equal(row->full_runs.extent, "on a slice");
}

static void a_mean_is_of_the_judged_rows_of_its_source_and_quantity(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceReference) suite =
        parse("s,mean,q,%,0,1.5,predicted,quick,,,,,mean_error,\n"
              "s,c,q,u,1,1 %,predicted,quick,r,,f,,value,\n"
              "s,c,q,u,1,-,predicted,quick,r,,f,,value,\n"
              "s,c,p,u,1,1 %,predicted,quick,r,,f,,value,\n"
              "t,c,q,u,1,1 %,predicted,quick,r,,f,,value,\n",
              &error);
    const TraceReferenceRow *mean = trace_reference_row(suite, 0);
    static const bool expected[] = {false, true, false, false, false};

    assert_null(error);
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const TraceReferenceRow *row = trace_reference_row(suite, i);

        assert_int_equal(trace_reference_is_member(mean, row), expected[i]);
        assert_false(trace_reference_is_member(row, trace_reference_row(suite, 1)) &&
                     i > 0);
    }
    assert_true(trace_reference_simulated(mean, 1.25, 9) == 1.25);
}

static void a_median_is_of_the_sizes_of_errors(void **state)
{
    (void) state;
    const TraceReferenceRow median = {.combine = TRACE_REFERENCE_MEDIAN_ERROR};
    const TraceReferenceRow mean = {.combine = TRACE_REFERENCE_MEAN_ERROR};
    double errors[] = {-7, 1, 3, -2};

    assert_true(trace_reference_mean(&mean, errors, 4) == 13.0 / 4);
    assert_true(trace_reference_mean(&median, errors, 4) == 2.5);
    assert_true(trace_reference_mean(&median, (double[]){5, -9, 1}, 3) == 5);
    assert_true(trace_reference_mean(&median, (double[]){-4}, 1) == 4);
    assert_true(isnan(trace_reference_mean(&median, errors, 0)));
    assert_true(isnan(trace_reference_mean(&mean, errors, 0)));
}

static void a_group_may_have_rows_of_several_sources(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceReference) suite =
        parse_below(COLUMNS ",group,skip\n",
                    "s,c,q,u,1,1 %,predicted,quick,r,,f,,value,,g,\n"
                    "t,c,q,u,1,1 %,predicted,quick,r,,f,,value,,g,\n"
                    "g,c,q,u,1,1 %,predicted,quick,r,,f,,value,,,\n"
                    "s,c,q,u,1,1 %,predicted,quick,r,,f,,value,,,\n"
                    "x,mean,q,%,0,1.5,predicted,quick,,,,,median_error,,g,\n"
                    "s,c,q,u,,20 %,predicted,quick,,,,,value,,g,no data\n"
                    "s,c,q,u,2,20 %,predicted,quick,,,,,value,,g,no time\n",
                    &error);
    static const bool expected[] = {true, true, true, false, false, false, false};

    assert_null(error);
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        assert_int_equal(trace_reference_is_member(trace_reference_row(suite, 4),
                                                   trace_reference_row(suite, i)),
                         expected[i]);
    }
    assert_string_equal(trace_reference_row(suite, 3)->group, "s");
    assert_string_equal(trace_reference_row(suite, 3)->skip, "");
    assert_true(isnan(trace_reference_row(suite, 5)->published));
    assert_string_equal(trace_reference_row(suite, 5)->skip, "no data");
    assert_true(trace_reference_row(suite, 6)->published == 2);
}

static void a_row_that_is_skipped_has_no_run(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;

    assert_null(parse_below(
        COLUMNS ",skip\n", "s,c,q,u,1,1 %,predicted,quick,r,,f,,value,,why\n", &error));
    assert_string_equal(
        error->message,
        "s.csv:2: run = 'r', expected nothing, since the row is skipped");
}

static void a_word_may_be_published(void **state)
{
    (void) state;
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceReference) suite =
        parse("s,c,q,class,memory,0,predicted,quick,gridloom gpu x,,metrics.a.0.b_1,,"
              "value,\n"
              "s,c,q,class,2,-,predicted,quick,r,,f,,value,\n"
              "s,c,q,class,up,-,context,quick,,,,,value,\n"
              "s,c,q,1,2,0,predicted,quick,r,,f,,value,\n",
              &error);

    assert_null(error);
    assert_string_equal(trace_reference_row(suite, 0)->word, "memory");
    assert_true(trace_reference_row(suite, 0)->is_judged);
    assert_string_equal(trace_reference_row(suite, 0)->runs.run, "gridloom gpu x");
    assert_string_equal(trace_reference_row(suite, 1)->word, "2");
    assert_false(trace_reference_row(suite, 1)->is_judged);
    assert_string_equal(trace_reference_row(suite, 2)->word, "up");
    assert_null(trace_reference_row(suite, 3)->word);
}

static void values_combine(void **state)
{
    (void) state;
    TraceReferenceRow row = {.scale = 1000, .combine = TRACE_REFERENCE_VALUE};

    assert_true(trace_reference_simulated(&row, 0.5, 9) == 500);
    row.combine = TRACE_REFERENCE_RATIO;
    row.scale = 1;
    assert_true(trace_reference_simulated(&row, 3, 2) == 1.5);
    assert_true(isnan(trace_reference_simulated(&row, 3, 0)));
    row.combine = TRACE_REFERENCE_GAIN;
    assert_true(trace_reference_simulated(&row, 2, 3) == 50);
    assert_true(isnan(trace_reference_simulated(&row, 0, 3)));
}

static void an_error_up_to_the_tolerance_passes(void **state)
{
    (void) state;
    TraceReferenceRow row = {
        .published = 4, .tolerance = 25, .is_judged = true, .is_relative = true};

    assert_true(trace_reference_error(&row, 5) == 25);
    assert_true(trace_reference_is_within(&row, 25));
    assert_true(trace_reference_is_within(&row, -25));
    assert_false(trace_reference_is_within(&row, nextafter(25, 26)));
    assert_false(trace_reference_is_within(&row, nextafter(-25, -26)));
    assert_false(trace_reference_is_within(&row, NAN));
    row.is_relative = false;
    assert_true(trace_reference_error(&row, 5) == 1);
    row.is_judged = false;
    assert_false(trace_reference_is_within(&row, 0));
}

static void malformed_rows_are_refused_with_their_line(void **state)
{
    (void) state;
    static const struct {
        const char *row;
        const char *message;
    } rows[] = {
        {",c,q,u,1,1,predicted,quick,r,,f,,value,", "source = '', expected some text"},
        {"s,c,q,u,x,1,predicted,quick,r,,f,,value,",
         "published = 'x', expected a number"},
        {"s,c,q,u,nan,1,predicted,quick,r,,f,,value,",
         "published = 'nan', expected a number"},
        {"s,c,q,u,1e999,1,predicted,quick,r,,f,,value,",
         "published = '1e999', expected a number"},
        {"s,c,q,u,1,-2,predicted,quick,r,,f,,value,",
         "tolerance = '-2', expected a number that is not negative, with % behind it "
         "or "
         "in the row's unit, or -"},
        {"s,c,q,u,0,5 %,predicted,quick,r,,f,,value,",
         "tolerance = '5 %', expected a number in the row's unit, since nothing is a "
         "percentage of a published 0"},
        {"s,c,q,u,1,1,guessed,quick,r,,f,,value,",
         "kind = 'guessed', expected one of calibrated, predicted, read_back, derived, "
         "context"},
        {"s,c,q,u,1,1,predicted,slow,r,,f,,value,",
         "pace = 'slow', expected one of quick, long"},
        {"s,c,q,u,1,1,predicted,quick,r,,f,,sum,",
         "combine = 'sum', expected one of value, ratio, gain, mean_error, "
         "median_error"},
        {"s,c,q,u,1,1,predicted,quick,,,f,,value,",
         "run = '', expected a workload and its parameters"},
        {"s,c,q,u,1,1,predicted,quick,r,,,,value,",
         "field = '', expected a formula of members of the result"},
        {"s,c,q,u,1,1,predicted,quick,r,,f+,,value,",
         "field = 'f+', expected a formula of members of the result: expected a "
         "number, a name or ( at ''"},
        {"s,c,q,u,1,-,context,quick,,,f,,value,",
         "field = 'f', expected nothing, since context is not simulated"},
        {"s,c,q,u,1,1,predicted,quick,r,,f,,ratio,",
         "base_run = '', expected the run to compare with"},
        {"s,c,q,u,1,1,predicted,quick,r,b,f,,value,",
         "base_run = 'b', expected nothing, since combine takes one run"},
        {"s,c,q,u,1,1,predicted,quick,r,,f,2x,value,",
         "scale = '2x', expected a number"},
        {"s,c,q,u,1,1,context,quick,,,,,value,",
         "tolerance = '1', expected - for context"},
        {"s,c,q,class,,0,predicted,quick,r,,f,,value,",
         "published = '', expected a word"},
        {"s,c,q,class,up,1,predicted,quick,r,,f,,value,",
         "tolerance = '1', expected 0 or -, since a word is published"},
        {"s,c,q,class,up,0 %,predicted,quick,r,,f,,value,",
         "tolerance = '0 %', expected 0 or -, since a word is published"},
        {"s,c,q,class,up,0,predicted,quick,r,,f,2,value,",
         "scale = '2', expected nothing, since a word is published"},
        {"s,c,q,class,up,0,predicted,quick,r,b,f,,ratio,",
         "combine = 'ratio', expected value, since a word is published"},
        {"s,c,q,class,up,0,predicted,quick,r,,f+g,,value,",
         "field = 'f+g', expected the path of a member of the result"},
        {"s,c,q,class,up,0,predicted,quick,r,,2,,value,",
         "field = '2', expected the path of a member of the result"},
        {"s,c,q,%,0,1,predicted,quick,r,,,,mean_error,",
         "run = 'r', expected nothing, since the mean is that of other rows"},
        {"s,c,q,%,0,1,predicted,quick,,,,,mean_error,",
         "quantity = 'q', expected that of judged rows of this source"},
        {"s,c,q,u,1,1,predicted,quick,r,,f,,value,\n"
         "s,c,q,%,0,1,predicted,quick,,,,,mean_error,",
         "tolerance = '1', expected one in %, since a mean of errors counts this row"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *message = g_strconcat("s.csv:2: ", rows[i].message, NULL);

        assert_null(parse(rows[i].row, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, message);
    }
}

static void malformed_runs_of_whole_cases_are_refused(void **state)
{
    (void) state;
    static const struct {
        const char *row;
        const char *message;
    } rows[] = {
        {"s,c,q,u,1,1,predicted,quick,r,,f,,value,,on a slice,w,,",
         "full_extent = '', expected how much of the case full_run is"},
        {"s,c,q,u,1,1,predicted,quick,r,,f,,value,,on a slice,,,whole",
         "full_extent = 'whole', expected nothing without full_run"},
        {"s,c,q,u,1,1,predicted,quick,r,,f,,value,,,,v,",
         "full_base_run = 'v', expected nothing without full_run"},
        {"s,c,q,u,1,1,predicted,quick,r,,f,,value,,,w,v,whole",
         "full_base_run = 'v', expected nothing, since combine takes one run"},
        {"s,c,q,u,1,1,predicted,quick,r,b,f,,ratio,,,w,,whole",
         "full_base_run = '', expected the run to compare with"},
        {"s,c,q,u,1,-,context,quick,,,,,value,,,w,,whole",
         "full_run = 'w', expected nothing, since context is not simulated"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *message = g_strconcat("s.csv:2: ", rows[i].message, NULL);

        assert_null(parse_full(rows[i].row, &error));
        assert_string_equal(error->message, message);
    }
}

static void columns_that_lack_or_are_too_many_are_named(void **state)
{
    (void) state;
    static const char lacking[] = "source,case\n";
    g_autofree char *many = g_strconcat("more,", HEADER, NULL);
    g_autoptr(GError) lack = NULL;
    g_autoptr(GError) excess = NULL;

    assert_null(trace_reference_parse("s.csv", lacking, strlen(lacking), &lack));
    assert_string_equal(lack->message, "s.csv: no column quantity");
    assert_null(trace_reference_parse("s.csv", many, strlen(many), &excess));
    assert_string_equal(excess->message, "s.csv: column 'more', which no suite has");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_read),
        cmocka_unit_test(a_whole_case_has_runs_of_its_own),
        cmocka_unit_test(a_mean_is_of_the_judged_rows_of_its_source_and_quantity),
        cmocka_unit_test(a_median_is_of_the_sizes_of_errors),
        cmocka_unit_test(a_group_may_have_rows_of_several_sources),
        cmocka_unit_test(a_row_that_is_skipped_has_no_run),
        cmocka_unit_test(a_word_may_be_published),
        cmocka_unit_test(values_combine),
        cmocka_unit_test(an_error_up_to_the_tolerance_passes),
        cmocka_unit_test(malformed_rows_are_refused_with_their_line),
        cmocka_unit_test(malformed_runs_of_whole_cases_are_refused),
        cmocka_unit_test(columns_that_lack_or_are_too_many_are_named),
    };

    return cmocka_run_group_tests_name("traces.reference", tests, NULL, NULL);
}
