/* Writes and prints a validation. */
#include "tools/gridloom/validate_result.h"

#include <math.h>
#include <stdio.h>

#include <json-glib/json-glib.h>

#include "tools/gridloom/grid.h"
#include "tools/gridloom/peak_memory.h"
#include "tools/gridloom/quantity.h"
#include "traces/result.h"

static const char *const reference =
    "published figures: the largest error of a row, as a multiple of its tolerance";

static const char *const statuses[] = {
    [VALIDATE_PASS] = "pass", [VALIDATE_FAIL] = "fail", [VALIDATE_SKIPPED] = "skipped"};

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

static const ValidateRow *row_at(const ValidateResult *self, guint row)
{
    return &g_array_index(self->rows, ValidateRow, row);
}

static bool is_context(const ValidateRow *self)
{
    return self->row->kind == TRACE_REFERENCE_CONTEXT;
}

guint validate_result_count(const ValidateResult *self, ValidateStatus status)
{
    guint count = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        count += row_at(self, i)->status == status && !is_context(row_at(self, i));
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

/* The published case, and how much of it was run. The caller frees it. */
static char *case_text(const ValidateRow *self)
{
    const char *extent = self->runs->extent;

    return g_strconcat(self->row->name, *extent != '\0' ? " " : "", extent, NULL);
}

/* What the paper says. */
static JsonObject *published_object(const ValidateRow *self)
{
    const TraceReferenceRow *row = self->row;
    g_autofree char *name = case_text(self);
    JsonObject *object = json_object_new();

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

/* Words are the same or not, and a mean of nothing is no number. */
static bool has_error(const ValidateRow *self)
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
    set_number(object, "error", has_error(self), self->error);
    set_number(object, "tolerance", row->is_judged, row->tolerance);
    json_object_set_string_member(object, "error_unit",
                                  row->is_relative ? "%" : row->unit);
    json_object_set_boolean_member(object, "error_is_relative", row->is_relative);
    json_object_set_string_member(object, "kind", trace_reference_kind_name(row->kind));
    json_object_set_string_member(object, "status", statuses[self->status]);
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
        if (is_context(row_at(self, i))) {
            json_array_add_object_element(context, context_object(row_at(self, i)));
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
    json_object_set_array_member(metrics, "context", context);
    return metrics;
}

static JsonArray *rows_array(const ValidateResult *self)
{
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < self->rows->len; i++) {
        if (!is_context(row_at(self, i))) {
            json_array_add_object_element(rows, row_object(row_at(self, i)));
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
        const ValidateRow *row = row_at(self, i);

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

/* A word, or a number with its unit; "1" is none. */
static char *value_text(const char *word, double value, const char *unit)
{
    if (word != NULL) {
        return g_strdup(word);
    }
    return g_str_equal(unit, "1") ? g_strdup_printf("%.4g", value)
                                  : g_strdup_printf("%.4g %s", value, unit);
}

/* The unit in which a row's error is written. */
static const char *error_unit(const TraceReferenceRow *row)
{
    if (row->is_relative) {
        return "%";
    }
    return g_str_equal(row->unit, "%") ? "points" : row->unit;
}

static char *tolerance_text(const TraceReferenceRow *row)
{
    if (!row->is_judged) {
        return g_strdup("not judged");
    }
    return row->word != NULL
               ? g_strdup("the same")
               : g_strdup_printf("%g %s", row->tolerance, error_unit(row));
}

static void print_row(Grid *grid, const ValidateRow *self)
{
    const TraceReferenceRow *row = self->row;
    const char *unit = error_unit(row);
    g_autofree char *name = case_text(self);
    g_autofree char *published = value_text(row->word, row->published, row->unit);
    g_autofree char *simulated =
        self->is_simulated ? value_text(self->word, self->simulated, row->unit)
                           : g_strdup("-");
    g_autofree char *error = has_error(self)
                                 ? g_strdup_printf("%+.2f %s", self->error, unit)
                                 : g_strdup("-");
    g_autofree char *tolerance = tolerance_text(row);
    const char *const texts[] = {
        row->source,
        name,
        row->quantity,
        published,
        simulated,
        error,
        tolerance,
        trace_reference_kind_name(row->kind),
        statuses[self->status],
    };

    grid_add(grid, texts);
}

static void print_notes(const ValidateResult *self)
{
    for (guint i = 0; i < self->rows->len; i++) {
        const ValidateRow *row = row_at(self, i);
        g_autofree char *name = case_text(row);

        if (is_context(row)) {
            g_autofree char *value =
                value_text(row->row->word, row->row->published, row->row->unit);

            printf("for comparison: %s, %s: %s %s; %s\n", row->row->source, name,
                   row->row->quantity, value, row->row->note);
        } else if (row->why != NULL && row->status == VALIDATE_FAIL) {
            printf("failed: %s: %s\n", name, row->why);
        } else if (row->is_simulated && *row->row->note != '\0') {
            printf("%s: %s\n", name, row->row->note);
        }
    }
}

void validate_result_print(const ValidateResult *self)
{
    static const char *const titles[] = {"source",    "case",      "quantity",
                                         "published", "simulated", "error",
                                         "tolerance", "kind",      "status"};
    g_autoptr(Grid) grid = grid_new(G_N_ELEMENTS(titles));
    g_autofree char *wall = quantity_seconds(self->wall_seconds);

    grid_add(grid, titles);
    for (guint i = 0; i < self->rows->len; i++) {
        if (!is_context(row_at(self, i))) {
            print_row(grid, row_at(self, i));
        }
    }
    grid_print(grid, stdout, 0);
    printf("\n");
    print_notes(self);
    printf("\n%u rows within their tolerance, %u not, %u not judged or left out%s; %u "
           "runs in %s\n",
           validate_result_count(self, VALIDATE_PASS),
           validate_result_count(self, VALIDATE_FAIL),
           validate_result_count(self, VALIDATE_SKIPPED),
           self->is_quick ? " (--quick leaves out the long ones)" : "", self->run_count,
           wall);
}
