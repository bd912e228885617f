/* Fuzzes the reader of published figures, and of CSV below it, with any bytes. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include "traces/error.h"
#include "traces/suite/formula.h"
#include "traces/suite/reference.h"

/* The name that libFuzzer calls. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(const GError *error)
{
    g_assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    g_assert_true(g_str_has_prefix(error->message, "fuzz.csv:"));
    g_assert_null(strpbrk(error->message, "\r\n"));
    g_assert_cmpuint(strlen(error->message), <, 600);
}

static void check_row(const TraceReferenceRow *row)
{
    double error = trace_reference_error(row, trace_reference_simulated(row, 2, 3));

    bool is_mean = trace_reference_is_mean(row);
    bool is_skipped = *row->skip != '\0';

    g_assert_true((isfinite(row->published) || is_skipped) && isfinite(row->scale));
    g_assert_true(row->tolerance >= 0);
    g_assert_true(row->word == NULL || (*row->word != '\0' && row->tolerance == 0 &&
                                        row->combine == TRACE_REFERENCE_VALUE));
    g_assert_true((*row->runs.run == '\0') ==
                  (row->kind == TRACE_REFERENCE_CONTEXT || is_mean || is_skipped));
    g_assert_true((*row->runs.base_run == '\0') ==
                  (row->combine == TRACE_REFERENCE_VALUE || is_mean));
    g_assert_true((*row->full_runs.run == '\0') == (*row->runs.run == '\0'));
    g_assert_true((*row->full_runs.base_run == '\0') == (*row->runs.base_run == '\0'));
    g_assert_true(*row->field == '\0' || trace_formula_check(row->field, NULL));
    g_assert_false(trace_reference_is_within(row, error) && !row->is_judged);
    g_assert_nonnull(trace_reference_kind_name(row->kind));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceReference) reference =
        trace_reference_parse("fuzz.csv", (const char *) data, size, &error);

    g_assert_true((reference == NULL) == (error != NULL));
    if (reference == NULL) {
        check_error(error);
        return 0;
    }
    for (guint i = 0; i < trace_reference_row_count(reference); i++) {
        check_row(trace_reference_row(reference, i));
    }
    return 0;
}
