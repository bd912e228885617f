/* Writes and prints validations. */
#include <math.h>
#include <stdio.h>

#include "tools/gridloom/envelope.h"
#include "tools/gridloom/validate/options.h"
#include "traces/file/quantity.h"
#include "traces/suite/summary.h"
#include "traces/table/grid.h"
#include "traces/table/record.h"

static const char *const reference =
    "published figures: the largest error of a row, as a multiple of its tolerance";

/* A word, or a number, which is null where it is none. */
static RecordValue value_of(const char *name, const char *word, double value)
{
    return word != NULL ? record_text(name, word) : record_real(name, value);
}

/* The published value. */
static JsonObject *published_object(const TraceValidationRow *row)
{
    const TraceReferenceRow *published = row->row;
    g_autofree char *name = trace_validation_case(row);

    return RECORD(VALUE("suite", row->suite->name), VALUE("source", published->source),
                  VALUE("case", name), VALUE("quantity", published->quantity),
                  VALUE("unit", published->unit),
                  value_of("published", published->word, published->published));
}

/* And what was simulated. */
static void add_simulated(JsonObject *object, const TraceValidationRow *row)
{
    const TraceReferenceRow *published = row->row;

    RECORD_ADD(object,
               value_of("simulated", row->is_simulated ? row->word : NULL,
                        row->is_simulated ? row->simulated : NAN),
               VALUE("error", trace_validation_has_error(row) ? row->error : NAN),
               VALUE("tolerance", published->is_judged ? published->tolerance : NAN),
               VALUE("error_unit", published->is_relative ? "%" : published->unit),
               VALUE("error_is_relative", published->is_relative),
               VALUE("kind", trace_reference_kind_name(published->kind)),
               VALUE("status", trace_validation_status_name(row->status)),
               VALUE("run", row->runs->run), VALUE("base_run", row->runs->base_run),
               VALUE("note", published->note), VALUE("why", row->why));
}

/* Rows that are context, or those that are not. */
static JsonArray *rows_array(const TraceValidation *validation, bool is_context)
{
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < validation->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(validation, i);

        if (trace_validation_is_context(row) == is_context) {
            JsonObject *object = published_object(row);

            if (is_context) {
                RECORD_ADD(object, VALUE("note", row->row->note));
            } else {
                add_simulated(object, row);
            }
            json_array_add_object_element(rows, object);
        }
    }
    return rows;
}

static JsonObject *count_object(const TraceSummary *self)
{
    const bool has_errors = self->errors > 0;

    return RECORD(VALUE("rows", self->rows), VALUE("passed", self->passed),
                  VALUE("failed", self->failed), VALUE("not_judged", self->unjudged),
                  VALUE("not_run", self->unrun), VALUE("errors", self->errors),
                  VALUE("mean_error", has_errors ? self->mean_error : NAN),
                  VALUE("worst_error", has_errors ? self->worst_error : NAN),
                  VALUE("worst_source", self->worst_source),
                  VALUE("worst_case", self->worst_case));
}

/* By suite, and all of them, and by kind. */
static JsonObject *summary_object(const TraceValidation *validation)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i <= validation->suites->len; i++) {
        JsonObject *kinds = json_object_new();
        const char *name = NULL;

        for (guint k = 0; k < TRACE_SUMMARY_KINDS; k++) {
            const TraceSummary summary = trace_summary_of(validation, i, k);

            json_object_set_object_member(kinds, summary.kind, count_object(&summary));
            name = summary.suite;
        }
        json_object_set_object_member(object, name, kinds);
    }
    return object;
}

static JsonObject *metrics_object(const ValidateResult *self)
{
    const TraceValidation *validation = &self->validation;
    JsonArray *suites = json_array_new();
    JsonArray *left = json_array_new();

    for (guint i = 0; i < validation->suites->len; i++) {
        const TraceSuite *suite = g_ptr_array_index(validation->suites, i);

        json_array_add_string_element(suites, suite->name);
        for (guint k = 0; k < suite->left->len; k++) {
            json_array_add_string_element(left, g_ptr_array_index(suite->left, k));
        }
    }
    return RECORD(
        VALUE("suites", suites), VALUE("is_quick", validation->is_quick),
        VALUE("is_full", validation->is_full), VALUE("runs", self->run_count),
        VALUE("passed", trace_validation_count(validation, TRACE_VALIDATION_PASS)),
        VALUE("failed", trace_validation_count(validation, TRACE_VALIDATION_FAIL)),
        VALUE("skipped", trace_validation_count(validation, TRACE_VALIDATION_SKIPPED)),
        VALUE("not_judged", trace_validation_unjudged(validation)),
        VALUE("summary", summary_object(validation)),
        VALUE("context", rows_array(validation, true)), VALUE("not_covered", left));
}

char *validate_result_to_json(const ValidateResult *self)
{
    const TraceValidation *validation = &self->validation;
    const bool is_judged =
        trace_validation_count(validation, TRACE_VALIDATION_PASS) > 0;
    const bool is_failed =
        trace_validation_count(validation, TRACE_VALIDATION_FAIL) > 0;

    return envelope_to_json(
        (TraceResult){
            .workload = "validate",
            .chip = validation->chip,
            .chip_digest = validation->chip_digest,
            .metrics = metrics_object(self),
            .rows = rows_array(validation, false),
            .check_status = is_failed   ? "fail"
                            : is_judged ? "pass"
                                        : "skipped",
            .max_abs_error = trace_validation_worst(validation),
            .tolerance = 1,
            .reference = reference,
            .wall_seconds = self->wall_seconds,
        },
        NULL);
}

static void add_summary(const TraceSummary *self, Grid *grid)
{
    const bool has_errors = self->errors > 0;
    g_autofree char *mean = g_strdup_printf("%.2f %%", self->mean_error);
    g_autofree char *worst = g_strdup_printf("%+.2f %%", self->worst_error);
    g_autofree char *where =
        g_strdup_printf("%s, %s", self->worst_source, self->worst_case);

    grid_printf(grid, "%s|%s|%u|%u|%u|%u|%u|%u|%s|%s|%s", self->suite, self->kind,
                self->rows, self->passed, self->failed, self->unjudged, self->unrun,
                self->errors, has_errors ? mean : "-", has_errors ? worst : "-",
                has_errors ? where : "");
}

static void print_summary(const TraceValidation *validation)
{
    g_autoptr(Grid) grid =
        grid_with("suite|kind|rows|within|outside|not judged|not run|"
                  "in percent|mean error|worst error|of");
    const guint suites = validation->suites->len;

    for (guint i = 0; i < (suites > 1 ? suites + 1 : suites); i++) {
        for (guint k = 0; k < TRACE_SUMMARY_KINDS; k++) {
            const TraceSummary summary = trace_summary_of(validation, i, k);

            if (summary.rows > 0) {
                add_summary(&summary, grid);
            }
        }
    }
    grid_print(grid, stdout, 0);
}

/* A word, or a number with its unit; "1" is none. */
static char *value_text(const char *word, double value, const char *unit)
{
    if (word != NULL || isnan(value)) {
        return g_strdup(word != NULL ? word : "-");
    }
    return g_str_equal(unit, "1") ? g_strdup_printf("%.4g", value)
                                  : g_strdup_printf("%.4g %s", value, unit);
}

/* The unit in which people read an error. */
static const char *error_unit(const TraceReferenceRow *row)
{
    if (row->is_relative) {
        return "%";
    }
    if (g_str_equal(row->unit, "%")) {
        return "points";
    }
    return g_str_equal(row->unit, "1") ? "" : row->unit;
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

static void add_row(const TraceValidationRow *self, Grid *grid)
{
    const TraceReferenceRow *row = self->row;
    g_autofree char *name = trace_validation_case(self);
    g_autofree char *published = value_text(row->word, row->published, row->unit);
    g_autofree char *simulated =
        self->is_simulated ? value_text(self->word, self->simulated, row->unit) : NULL;
    g_autofree char *error =
        trace_validation_has_error(self)
            ? g_strdup_printf("%+.2f %s", self->error, error_unit(row))
            : NULL;
    g_autofree char *tolerance = tolerance_text(row);

    grid_printf(grid, "%s|%s|%s|%s|%s|%s|%s|%s|%s", row->source, name, row->quantity,
                published, simulated, error, tolerance,
                trace_reference_kind_name(row->kind),
                trace_validation_status_name(self->status));
}

/* Rows of measurements are many: those that failed, and means, say enough. */
static bool is_shown(const TraceValidationRow *self, bool has_all)
{
    return !trace_validation_is_context(self) &&
           (has_all || !self->suite->is_measured ||
            self->status == TRACE_VALIDATION_FAIL ||
            trace_reference_is_mean(self->row));
}

static void print_rows(const TraceValidation *self, bool has_all)
{
    g_autoptr(Grid) grid = grid_with("source|case|quantity|published|simulated|error|"
                                     "tolerance|kind|status");
    guint shown = 0;
    guint hidden = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(self, i);

        if (is_shown(row, has_all)) {
            add_row(row, grid);
            shown++;
        } else {
            hidden += !trace_validation_is_context(row) && !row->suite->lacks_data;
        }
    }
    if (shown > 0) {
        grid_print(grid, stdout, 0);
    }
    if (hidden > 0) {
        printf("(and %u rows of measurements: --rows, --json or --html have them)\n",
               hidden);
    }
}

static void print_context(const TraceValidationRow *self)
{
    const TraceReferenceRow *row = self->row;
    g_autofree char *name = trace_validation_case(self);
    g_autofree char *value = value_text(row->word, row->published, row->unit);

    printf("for comparison: %s, %s: %s %s; %s\n", row->source, name, row->quantity,
           value, row->note);
}

/* A note of a row, once for all rows that have it: of the first it stands there. */
static void print_note(const TraceValidation *self, guint index, const char *name)
{
    const char *note = trace_validation_row(self, index)->row->note;
    guint more = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *other = trace_validation_row(self, i);

        if (i != index && other->is_simulated && g_str_equal(other->row->note, note)) {
            if (i < index) {
                return;
            }
            more++;
        }
    }
    printf("%s", name);
    if (more > 0) {
        printf(" and %u more", more);
    }
    printf(": %s\n", note);
}

static void print_notes(const TraceValidation *self, bool has_all)
{
    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(self, i);
        g_autofree char *name = trace_validation_case(row);

        if (trace_validation_is_context(row)) {
            print_context(row);
        } else if (row->why != NULL && row->status == TRACE_VALIDATION_FAIL) {
            printf("failed: %s: %s\n", name, row->why);
        } else if (row->is_simulated && *row->row->note != '\0' &&
                   is_shown(row, has_all)) {
            print_note(self, i, name);
        }
    }
}

/* Files of measurements that have rules, but of which no row was judged. */
static void print_unjudged(const TraceValidation *self, const TraceSuite *suite)
{
    g_autoptr(GHashTable) judged = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GString) list = g_string_new(NULL);

    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(self, i);

        if (row->status != TRACE_VALIDATION_SKIPPED) {
            g_hash_table_add(judged, (gpointer) row->row->source);
        }
    }
    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(self, i);

        if (row->suite == suite && !trace_reference_is_mean(row->row) &&
            g_hash_table_add(judged, (gpointer) row->row->source)) {
            g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "",
                                   row->row->source);
        }
    }
    if (list->len > 0) {
        printf("%s: no row is judged of %s\n", suite->name, list->str);
    }
}

/* Prints what suites of measurements lack. */
static void print_suites(const TraceValidation *self)
{
    for (guint i = 0; i < self->suites->len; i++) {
        const TraceSuite *suite = g_ptr_array_index(self->suites, i);

        if (suite->lacks_data) {
            printf("%s: skipped, no measurements; give their folder by --data DIR or "
                   "GRIDLOOM_DATA\n",
                   suite->name);
        }
        if (suite->left->len > 0) {
            g_autofree char *list = NULL;

            g_ptr_array_add(suite->left, NULL);
            list = g_strjoinv(", ", (char **) suite->left->pdata);
            g_ptr_array_set_size(suite->left, (gint) suite->left->len - 1);
            printf("%s: no rule covers %s\n", suite->name, list);
        }
        if (suite->is_measured && !suite->lacks_data) {
            print_unjudged(self, suite);
        }
    }
}

void validate_result_print(const ValidateResult *self, bool has_all)
{
    const TraceValidation *validation = &self->validation;
    const guint unjudged = trace_validation_unjudged(validation);
    g_autofree char *wall = quantity_seconds(self->wall_seconds);

    print_rows(validation, has_all);
    printf("\n");
    print_notes(validation, has_all);
    print_suites(validation);
    printf("\n");
    print_summary(validation);
    printf("\n%u rows within their tolerance, %u not, %u not judged, %u not run%s; %u "
           "runs in %s\n",
           trace_validation_count(validation, TRACE_VALIDATION_PASS),
           trace_validation_count(validation, TRACE_VALIDATION_FAIL), unjudged,
           trace_validation_count(validation, TRACE_VALIDATION_SKIPPED) - unjudged,
           validation->is_quick ? " (--quick leaves out the long ones)" : "",
           self->run_count, wall);
}
