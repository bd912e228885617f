/* Compares published with simulated values. */
#include "tools/gridloom/validate_compare.h"

#include <math.h>

bool validate_is_left_out(const TraceReferenceRow *row, bool is_quick)
{
    return row->kind == TRACE_REFERENCE_CONTEXT || (is_quick && row->is_long);
}

static void note_chip(ValidateResult *self, JsonObject *result)
{
    g_free(self->chip);
    g_free(self->chip_digest);
    self->chip =
        g_strdup(json_object_get_string_member_with_default(result, "chip", ""));
    self->chip_digest =
        g_strdup(json_object_get_string_member_with_default(result, "chip_digest", ""));
}

/* The number that a run gives, or why there is none; the caller frees that. */
static char *read_run(ValidateResult *self,
                      const ValidateRuns *runs,
                      const char *words,
                      const char *field,
                      double *value)
{
    const char *why;
    JsonObject *result = validate_runs_result(runs, words, &why);
    g_autoptr(GError) error = NULL;

    if (result == NULL) {
        return g_strdup_printf("%s: %s", words, why);
    }
    note_chip(self, result);
    return validate_runs_number(result, field, value, &error)
               ? NULL
               : g_strdup_printf("%s: %s", words, error->message);
}

static void judge(ValidateRow *out, double value, double base)
{
    const TraceReferenceRow *row = out->row;

    out->is_simulated = true;
    out->simulated = trace_reference_simulated(row, value, base);
    out->error = trace_reference_error(row, out->simulated);
    if (row->is_judged) {
        out->status =
            trace_reference_is_within(row, out->error) ? VALIDATE_PASS : VALIDATE_FAIL;
    } else {
        out->why = g_strdup("not judged");
    }
}

static void
compare_runs(ValidateResult *self, const ValidateRuns *runs, ValidateRow *out)
{
    const TraceReferenceRow *row = out->row;
    double value = 0;
    double base = 0;

    out->why = read_run(self, runs, out->runs->run, row->field, &value);
    if (out->why == NULL && *out->runs->base_run != '\0') {
        out->why = read_run(self, runs, out->runs->base_run, row->field, &base);
    }
    if (out->why != NULL) {
        out->status = VALIDATE_FAIL;
        return;
    }
    judge(out, value, base);
}

/* After all rows that have runs. */
static void compare_mean(const ValidateResult *self, ValidateRow *out)
{
    double sum = 0;
    guint count = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = &g_array_index(self->rows, ValidateRow, i);

        if (!trace_reference_is_member(out->row, row->row)) {
            continue;
        }
        if (!row->is_simulated) {
            out->status = row->status;
            out->why = g_strdup_printf("%s: %s", row->row->name, row->why);
            return;
        }
        sum += fabs(row->error);
        count++;
    }
    judge(out, sum / count, 0);
}

static bool is_mean(const ValidateRow *self)
{
    return self->row->combine == TRACE_REFERENCE_MEAN_ERROR;
}

static void compare(ValidateResult *self, const ValidateRuns *runs, ValidateRow *out)
{
    if (out->row->kind == TRACE_REFERENCE_CONTEXT) {
        out->why = g_strdup("not simulated");
    } else if (validate_is_left_out(out->row, self->is_quick)) {
        out->why = g_strdup("left out by --quick");
    } else if (is_mean(out)) {
        compare_mean(self, out);
    } else {
        compare_runs(self, runs, out);
    }
}

void validate_compare(ValidateResult *self, const ValidateRuns *runs)
{
    for (guint pass = 0; pass < 2; pass++) {
        for (guint i = 0; i < self->rows->len; i++) {
            ValidateRow *row = &g_array_index(self->rows, ValidateRow, i);

            if (is_mean(row) == (pass == 1)) {
                compare(self, runs, row);
            }
        }
    }
}
