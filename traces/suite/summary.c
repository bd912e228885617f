/* Sums up validations. */
#include "traces/suite/summary.h"

#include <math.h>

static const TraceReferenceKind kinds[TRACE_SUMMARY_KINDS] = {
    TRACE_REFERENCE_CALIBRATED, TRACE_REFERENCE_PREDICTED, TRACE_REFERENCE_READ_BACK,
    TRACE_REFERENCE_DERIVED};

static void count_status(TraceSummary *self, const TraceValidationRow *row)
{
    switch (row->status) {
    case TRACE_VALIDATION_PASS:
        self->passed++;
        break;
    case TRACE_VALIDATION_FAIL:
        self->failed++;
        break;
    case TRACE_VALIDATION_SKIPPED:
        self->unjudged += row->is_simulated;
        self->unrun += !row->is_simulated;
        break;
    }
}

/* Is the error in percent, and of a simulated value rather than of other errors? */
static bool has_percent(const TraceValidationRow *row)
{
    return row->status != TRACE_VALIDATION_SKIPPED && row->is_simulated &&
           row->word == NULL && row->row->is_relative &&
           !trace_reference_is_mean(row->row) && isfinite(row->error);
}

TraceSummary
trace_summary_of(const TraceValidation *validation, guint suite, guint kind)
{
    const TraceSuite *only = suite < validation->suites->len
                                 ? g_ptr_array_index(validation->suites, suite)
                                 : NULL;
    TraceSummary self = {.suite = only != NULL ? only->name : "all",
                         .kind = trace_reference_kind_name(kinds[kind]),
                         .mean_error = NAN,
                         .worst_error = NAN};
    double sum = 0;

    for (guint i = 0; i < validation->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(validation, i);

        if (row->row->kind != kinds[kind] || (only != NULL && row->suite != only)) {
            continue;
        }
        self.rows++;
        count_status(&self, row);
        if (!has_percent(row)) {
            continue;
        }
        self.errors++;
        sum += fabs(row->error);
        if (self.worst_source == NULL || fabs(row->error) > fabs(self.worst_error)) {
            self.worst_source = row->row->source;
            self.worst_case = row->row->name;
            self.worst_error = row->error;
        }
    }
    self.mean_error = self.errors > 0 ? sum / self.errors : NAN;
    return self;
}
