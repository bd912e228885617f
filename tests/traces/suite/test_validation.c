/* Tests of validations: what is asked, how rows are judged, and how they add up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/suite/summary.h"

static const char text[] =
    "source,case,quantity,unit,published,tolerance,kind,pace,run,base_run,field,scale,"
    "combine,note\n"
    "p,near,t,s,10,10 %,predicted,quick,a,,t,,value,\n"
    "p,far,t,s,10,10 %,predicted,quick,b,,t,,value,\n"
    "p,lost,t,s,10,10 %,predicted,quick,nothing,,t,,value,\n"
    "p,seen,t,s,10,-,predicted,quick,a,,t,,value,\n"
    "p,gain,g,%,100,1,calibrated,quick,a,b,t,,gain,\n"
    "p,word,c,class,fast,0,calibrated,quick,a,,w,,value,\n"
    "p,slow,t,s,10,10 %,predicted,long,c,,t,,value,\n"
    "p,beside,t,s,10,-,context,quick,,,,,value,\n";

static void add_suite(TraceValidation *validation)
{
    TraceSuite *suite = g_new0(TraceSuite, 1);

    suite->name = g_strdup("s");
    suite->left = g_ptr_array_new_with_free_func(g_free);
    suite->rows = trace_reference_parse("s.csv", text, strlen(text), NULL);
    assert_non_null(suite->rows);
    g_ptr_array_add(validation->suites, suite);
}

static void note_question(gpointer data, const TraceQuestion *question)
{
    g_string_append_printf(data, "%s:%s ", question->words, question->field);
}

static TraceAnswer answer(gconstpointer data, const TraceQuestion *question)
{
    assert_string_equal(data, "data");
    if (g_str_equal(question->words, "nothing")) {
        return (TraceAnswer){.why = "it crashed"};
    }
    return (TraceAnswer){.number = g_str_equal(question->words, "a") ? 10.5 : 21,
                         .word = question->is_word ? "fast" : NULL,
                         .chip = "chip",
                         .chip_digest = "digest"};
}

static void judge(TraceValidation *validation)
{
    g_autoptr(GString) asked = g_string_new(NULL);

    trace_validation_init(validation);
    validation->is_quick = true;
    add_suite(validation);
    trace_validation_ask(validation, note_question, asked);
    trace_validation_compare(validation, answer, "data");
    assert_string_equal(asked->str, "a:t b:t nothing:t a:t a:t b:t a:w ");
}

static void rows_are_judged(void **state)
{
    (void) state;
    static const TraceValidationStatus statuses[] = {
        TRACE_VALIDATION_PASS,    TRACE_VALIDATION_FAIL,    TRACE_VALIDATION_FAIL,
        TRACE_VALIDATION_SKIPPED, TRACE_VALIDATION_PASS,    TRACE_VALIDATION_PASS,
        TRACE_VALIDATION_SKIPPED, TRACE_VALIDATION_SKIPPED,
    };
    g_auto(TraceValidation) validation = {0};

    judge(&validation);

    assert_int_equal(validation.rows->len, G_N_ELEMENTS(statuses));
    for (guint i = 0; i < validation.rows->len; i++) {
        assert_int_equal(trace_validation_row(&validation, i)->status, statuses[i]);
    }
    assert_true(fabs(trace_validation_row(&validation, 0)->error - 5) < 1e-9);
    assert_string_equal(trace_validation_row(&validation, 2)->why,
                        "nothing: it crashed");
    assert_string_equal(trace_validation_row(&validation, 6)->why,
                        "left out by --quick");
    assert_string_equal(validation.chip, "chip");
    assert_false(trace_validation_has_error(trace_validation_row(&validation, 5)));
}

static void rows_add_up(void **state)
{
    (void) state;
    g_auto(TraceValidation) validation = {0};

    judge(&validation);
    const TraceSummary predicted = trace_summary_of(&validation, 0, 1);
    const TraceSummary all = trace_summary_of(&validation, 1, 0);

    assert_int_equal(trace_validation_count(&validation, TRACE_VALIDATION_PASS), 3);
    assert_int_equal(trace_validation_count(&validation, TRACE_VALIDATION_SKIPPED), 2);
    assert_int_equal(trace_validation_unjudged(&validation), 1);
    assert_true(isinf(trace_validation_worst(&validation)));
    assert_string_equal(predicted.suite, "s");
    assert_string_equal(predicted.kind, "predicted");
    assert_int_equal(predicted.rows, 5);
    assert_int_equal(predicted.failed, 2);
    assert_int_equal(predicted.unrun, 1);
    assert_int_equal(predicted.errors, 2);
    assert_true(fabs(predicted.worst_error - 110) < 1e-9);
    assert_string_equal(predicted.worst_case, "far");
    assert_string_equal(all.suite, "all");
    assert_int_equal(all.passed, 2);
    assert_null(all.worst_case);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_judged),
        cmocka_unit_test(rows_add_up),
    };

    return cmocka_run_group_tests_name("traces.suite_validation", tests, NULL, NULL);
}
