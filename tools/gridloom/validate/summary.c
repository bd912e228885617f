/* Sums up validations. */
#include "tools/gridloom/validate/summary.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/grid.h"

static const TraceReferenceKind kinds[] = {TRACE_REFERENCE_CALIBRATED,
                                           TRACE_REFERENCE_PREDICTED};

static void count_status(ValidateSummary *self, const ValidateRow *row)
{
    switch (row->status) {
    case VALIDATE_PASS:
        self->passed++;
        break;
    case VALIDATE_FAIL:
        self->failed++;
        break;
    case VALIDATE_SKIPPED:
        self->unjudged += row->is_simulated;
        self->unrun += !row->is_simulated;
        break;
    }
}

/* Is its error one in percent, of a simulated value and not of other errors? */
static bool has_percent(const ValidateRow *row)
{
    return row->status != VALIDATE_SKIPPED && row->is_simulated && row->word == NULL &&
           row->row->is_relative && !trace_reference_is_mean(row->row) &&
           isfinite(row->error);
}

ValidateSummary validate_summary(const ValidateResult *result,
                                 const ValidateSuite *suite,
                                 TraceReferenceKind kind)
{
    ValidateSummary self = {.mean_error = NAN, .worst_error = NAN};
    double sum = 0;

    for (guint i = 0; i < result->rows->len; i++) {
        const ValidateRow *row = validate_result_row(result, i);

        if (row->row->kind != kind || (suite != NULL && row->suite != suite)) {
            continue;
        }
        self.rows++;
        count_status(&self, row);
        if (!has_percent(row)) {
            continue;
        }
        self.errors++;
        sum += fabs(row->error);
        if (self.worst == NULL || fabs(row->error) > fabs(self.worst_error)) {
            self.worst = row;
            self.worst_error = row->error;
        }
    }
    self.mean_error = self.errors > 0 ? sum / self.errors : NAN;
    return self;
}

static JsonObject *summary_object(const ValidateSummary *self)
{
    JsonObject *object = json_object_new();

    json_object_set_int_member(object, "rows", self->rows);
    json_object_set_int_member(object, "passed", self->passed);
    json_object_set_int_member(object, "failed", self->failed);
    json_object_set_int_member(object, "not_judged", self->unjudged);
    json_object_set_int_member(object, "not_run", self->unrun);
    json_object_set_int_member(object, "errors", self->errors);
    json_object_set_double_member(object, "mean_error", self->mean_error);
    json_object_set_double_member(object, "worst_error", self->worst_error);
    json_object_set_string_member(
        object, "worst_source", self->worst != NULL ? self->worst->row->source : NULL);
    json_object_set_string_member(object, "worst_case",
                                  self->worst != NULL ? self->worst->row->name : NULL);
    return object;
}

static JsonObject *kinds_object(const ValidateResult *result,
                                const ValidateSuite *suite)
{
    JsonObject *object = json_object_new();

    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        const ValidateSummary summary = validate_summary(result, suite, kinds[i]);

        json_object_set_object_member(object, trace_reference_kind_name(kinds[i]),
                                      summary_object(&summary));
    }
    return object;
}

JsonObject *validate_summary_object(const ValidateResult *result)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i < result->suites->len; i++) {
        const ValidateSuite *suite = g_ptr_array_index(result->suites, i);

        json_object_set_object_member(object, suite->name, kinds_object(result, suite));
    }
    json_object_set_object_member(object, "all", kinds_object(result, NULL));
    return object;
}

static void add_line(Grid *grid,
                     const ValidateResult *result,
                     const ValidateSuite *suite,
                     TraceReferenceKind kind)
{
    const ValidateSummary self = validate_summary(result, suite, kind);
    const guint counts[] = {self.rows,     self.passed, self.failed,
                            self.unjudged, self.unrun,  self.errors};
    char numbers[G_N_ELEMENTS(counts)][16];
    const bool has_errors = self.errors > 0;
    g_autofree char *mean =
        has_errors ? g_strdup_printf("%.2f %%", self.mean_error) : g_strdup("-");
    g_autofree char *worst =
        has_errors ? g_strdup_printf("%+.2f %%", self.worst_error) : g_strdup("-");
    g_autofree char *where =
        has_errors
            ? g_strdup_printf("%s, %s", self.worst->row->source, self.worst->row->name)
            : g_strdup("");

    if (self.rows == 0) {
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
        (void) g_snprintf(numbers[i], sizeof(numbers[i]), "%u", counts[i]);
    }
    const char *const texts[] = {suite != NULL ? suite->name : "all",
                                 trace_reference_kind_name(kind),
                                 numbers[0],
                                 numbers[1],
                                 numbers[2],
                                 numbers[3],
                                 numbers[4],
                                 numbers[5],
                                 mean,
                                 worst,
                                 where};

    grid_add(grid, texts);
}

void validate_summary_print(const ValidateResult *result)
{
    static const char *const titles[] = {
        "suite",   "kind",       "rows",       "within",      "outside", "not judged",
        "not run", "in percent", "mean error", "worst error", "of"};
    g_autoptr(Grid) grid = grid_new(G_N_ELEMENTS(titles));

    grid_add(grid, titles);
    for (guint i = 0; i <= result->suites->len; i++) {
        const ValidateSuite *suite =
            i < result->suites->len ? g_ptr_array_index(result->suites, i) : NULL;

        for (gsize k = 0; (suite != NULL || i > 1) && k < G_N_ELEMENTS(kinds); k++) {
            add_line(grid, result, suite, kinds[k]);
        }
    }
    grid_print(grid, stdout, 0);
}
