/* Writes and prints a validation. */
#include "tools/gridloom/validate/result.h"

#include <math.h>

#include <json-glib/json-glib.h>

#include "tools/gridloom/peak_memory.h"
#include "tools/gridloom/validate/summary.h"
#include "traces/result/result.h"

static const char *const reference =
    "published figures: the largest error of a row, as a multiple of its tolerance";

const char *validate_status_name(ValidateStatus status)
{
    static const char *const names[] = {[VALIDATE_PASS] = "pass",
                                        [VALIDATE_FAIL] = "fail",
                                        [VALIDATE_SKIPPED] = "skipped"};

    return names[status];
}

static void row_clear(gpointer data)
{
    ValidateRow *row = data;

    g_free(row->word);
    g_free(row->why);
}

void validate_result_init(ValidateResult *self)
{
    *self = (ValidateResult){
        .suites = g_ptr_array_new_with_free_func((GDestroyNotify) validate_suite_free),
        .rows = g_array_new(FALSE, FALSE, sizeof(ValidateRow))};
    g_array_set_clear_func(self->rows, row_clear);
}

void validate_result_clear(ValidateResult *self)
{
    g_clear_pointer(&self->rows, g_array_unref);
    g_clear_pointer(&self->suites, g_ptr_array_unref);
    g_free(self->chip);
    g_free(self->chip_digest);
}

const ValidateRow *validate_result_row(const ValidateResult *self, guint row)
{
    return &g_array_index(self->rows, ValidateRow, row);
}

bool validate_row_is_context(const ValidateRow *self)
{
    return self->row->kind == TRACE_REFERENCE_CONTEXT;
}

guint validate_result_count(const ValidateResult *self, ValidateStatus status)
{
    guint count = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = validate_result_row(self, i);

        count += row->status == status && !validate_row_is_context(row);
    }
    return count;
}

guint validate_result_unjudged(const ValidateResult *self)
{
    guint count = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = validate_result_row(self, i);

        count += row->status == VALIDATE_SKIPPED && row->is_simulated;
    }
    return count;
}

static void
set_number(JsonObject *object, const char *name, bool is_known, double value)
{
    if (is_known) {
        json_object_set_double_member(object, name, value);
    } else {
        json_object_set_null_member(object, name);
    }
}

char *validate_row_case(const ValidateRow *self)
{
    const char *extent = self->runs->extent;

    return g_strconcat(self->row->name, *extent != '\0' ? " " : "", extent, NULL);
}

/* What the paper says. */
static JsonObject *published_object(const ValidateRow *self)
{
    const TraceReferenceRow *row = self->row;
    g_autofree char *name = validate_row_case(self);
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "suite", self->suite->name);
    json_object_set_string_member(object, "source", row->source);
    json_object_set_string_member(object, "case", name);
    json_object_set_string_member(object, "quantity", row->quantity);
    json_object_set_string_member(object, "unit", row->unit);
    if (row->word != NULL) {
        json_object_set_string_member(object, "published", row->word);
    } else {
        json_object_set_double_member(object, "published", row->published);
    }
    return object;
}

bool validate_row_has_error(const ValidateRow *self)
{
    return self->is_simulated && self->word == NULL;
}

static JsonObject *row_object(const ValidateRow *self)
{
    const TraceReferenceRow *row = self->row;
    JsonObject *object = published_object(self);

    if (self->word != NULL) {
        json_object_set_string_member(object, "simulated", self->word);
    } else {
        set_number(object, "simulated", self->is_simulated, self->simulated);
    }
    set_number(object, "error", validate_row_has_error(self), self->error);
    set_number(object, "tolerance", row->is_judged, row->tolerance);
    json_object_set_string_member(object, "error_unit",
                                  row->is_relative ? "%" : row->unit);
    json_object_set_boolean_member(object, "error_is_relative", row->is_relative);
    json_object_set_string_member(object, "kind", trace_reference_kind_name(row->kind));
    json_object_set_string_member(object, "status", validate_status_name(self->status));
    json_object_set_string_member(object, "run", self->runs->run);
    json_object_set_string_member(object, "base_run", self->runs->base_run);
    json_object_set_string_member(object, "note", row->note);
    json_object_set_string_member(object, "why", self->why);
    return object;
}

static JsonObject *context_object(const ValidateRow *self)
{
    JsonObject *object = published_object(self);

    json_object_set_string_member(object, "note", self->row->note);
    return object;
}

/* Files, and parts of them, that no rule covers. */
static JsonArray *left_array(const ValidateResult *self)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < self->suites->len; i++) {
        const ValidateSuite *suite = g_ptr_array_index(self->suites, i);

        for (guint k = 0; k < suite->left->len; k++) {
            json_array_add_string_element(array, g_ptr_array_index(suite->left, k));
        }
    }
    return array;
}

static JsonObject *metrics_object(const ValidateResult *self)
{
    JsonObject *metrics = json_object_new();
    JsonArray *suites = json_array_new();
    JsonArray *context = json_array_new();

    for (guint i = 0; i < self->suites->len; i++) {
        const ValidateSuite *suite = g_ptr_array_index(self->suites, i);

        json_array_add_string_element(suites, suite->name);
    }
    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = validate_result_row(self, i);

        if (validate_row_is_context(row)) {
            json_array_add_object_element(context, context_object(row));
        }
    }
    json_object_set_array_member(metrics, "suites", suites);
    json_object_set_boolean_member(metrics, "is_quick", self->is_quick);
    json_object_set_boolean_member(metrics, "is_full", self->is_full);
    json_object_set_int_member(metrics, "runs", self->run_count);
    json_object_set_int_member(metrics, "passed",
                               validate_result_count(self, VALIDATE_PASS));
    json_object_set_int_member(metrics, "failed",
                               validate_result_count(self, VALIDATE_FAIL));
    json_object_set_int_member(metrics, "skipped",
                               validate_result_count(self, VALIDATE_SKIPPED));
    json_object_set_int_member(metrics, "not_judged", validate_result_unjudged(self));
    json_object_set_object_member(metrics, "summary", validate_summary_object(self));
    json_object_set_array_member(metrics, "context", context);
    json_object_set_array_member(metrics, "not_covered", left_array(self));
    return metrics;
}

static JsonArray *rows_array(const ValidateResult *self)
{
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = validate_result_row(self, i);

        if (!validate_row_is_context(row)) {
            json_array_add_object_element(rows, row_object(row));
        }
    }
    return rows;
}

/* The error over the tolerance: up to 1 passes. */
static double excess_of(const ValidateRow *self)
{
    if (self->error == 0) {
        return self->status == VALIDATE_PASS ? 0 : HUGE_VAL;
    }
    return fabs(self->error) / self->row->tolerance;
}

/* The largest error over its tolerance; infinite where a row gave no number. */
static double worst(const ValidateResult *self)
{
    double most = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = validate_result_row(self, i);

        if (row->status == VALIDATE_FAIL && !row->is_simulated) {
            return HUGE_VAL;
        }
        if (row->status != VALIDATE_SKIPPED) {
            most = fmax(most, excess_of(row));
        }
    }
    return most;
}

char *validate_result_to_json(const ValidateResult *self)
{
    g_autoptr(JsonObject) metrics = metrics_object(self);
    g_autoptr(JsonArray) rows = rows_array(self);
    bool is_judged = validate_result_count(self, VALIDATE_PASS) > 0;
    bool is_failed = validate_result_count(self, VALIDATE_FAIL) > 0;
    TraceResult result = {
        .gridloom = GRIDLOOM_VERSION,
        .workload = "validate",
        .chip = self->chip != NULL ? self->chip : "",
        .chip_digest = self->chip_digest != NULL ? self->chip_digest : "",
        .iterations = 1,
        .metrics = metrics,
        .rows = rows,
        .check_status = is_failed   ? "fail"
                        : is_judged ? "pass"
                                    : "skipped",
        .max_abs_error = worst(self),
        .tolerance = 1,
        .reference = reference,
        .wall_seconds = self->wall_seconds,
        .peak_rss_bytes = peak_memory_bytes(),
        .threads = 1,
    };

    return trace_result_to_json(&result);
}
