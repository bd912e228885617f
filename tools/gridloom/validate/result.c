/* Writes and prints validations. */
#include "tools/gridloom/validate/result.h"

#include <math.h>
#include <stdio.h>

#include "tools/gridloom/envelope.h"
#include "tools/gridloom/record.h"
#include "traces/file/quantity.h"
#include "traces/suite/summary.h"

static const char *const reference =
    "published figures: the largest error of a row, as a multiple of its tolerance";

/* A row, by the columns of its tables. */
typedef struct {
    const TraceValidationRow *row;
    const TraceReferenceRow *published;
    const char *suite;
    const char *source;
    char *name;
    const char *quantity;
    const char *unit;
    double error; /* not a number: there is none, as of the tolerance */
    double tolerance;
    const char *error_unit;
    bool is_relative;
    const char *kind;
    const char *status;
    const char *run;
    const char *base_run;
    const char *note;
    const char *why;
} Line;

static void line_clear(Line *self)
{
    g_free(self->name);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Line, line_clear)

static Line line_of(const TraceValidationRow *row)
{
    const TraceReferenceRow *published = row->row;

    return (Line){
        .row = row,
        .published = published,
        .suite = row->suite->name,
        .source = published->source,
        .name = trace_validation_case(row),
        .quantity = published->quantity,
        .unit = published->unit,
        .error = trace_validation_has_error(row) ? row->error : NAN,
        .tolerance = published->is_judged ? published->tolerance : NAN,
        .error_unit = published->is_relative ? "%" : published->unit,
        .is_relative = published->is_relative,
        .kind = trace_reference_kind_name(published->kind),
        .status = trace_validation_status_name(row->status),
        .run = row->runs->run,
        .base_run = row->runs->base_run,
        .note = published->note,
        .why = row->why,
    };
}

/* A word, or a number, which is null where it is none. */
static JsonNode *value_node(const char *word, double value)
{
    return word != NULL ? json_node_init_string(json_node_alloc(), word)
                        : json_node_init_double(json_node_alloc(), value);
}

static JsonNode *published_node(gconstpointer line)
{
    const TraceReferenceRow *row = ((const Line *) line)->published;

    return value_node(row->word, row->published);
}

static JsonNode *simulated_node(gconstpointer line)
{
    const TraceValidationRow *row = ((const Line *) line)->row;

    return value_node(row->word, row->simulated);
}

static bool is_simulated(gconstpointer line)
{
    return ((const Line *) line)->row->is_simulated;
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

static char *published_words(gconstpointer line)
{
    const TraceReferenceRow *row = ((const Line *) line)->published;

    return value_text(row->word, row->published, row->unit);
}

static char *simulated_words(gconstpointer record)
{
    const Line *line = record;

    return value_text(line->row->word, line->row->simulated, line->unit);
}

/* The unit in which people read an error. */
static const char *error_unit(const Line *line)
{
    if (line->is_relative) {
        return "%";
    }
    if (g_str_equal(line->unit, "%")) {
        return "points";
    }
    return g_str_equal(line->unit, "1") ? "" : line->unit;
}

static char *error_words(gconstpointer record)
{
    const Line *line = record;

    return trace_validation_has_error(line->row)
               ? g_strdup_printf("%+.2f %s", line->row->error, error_unit(line))
               : g_strdup("-");
}

static char *tolerance_words(gconstpointer record)
{
    const Line *line = record;

    if (!line->published->is_judged) {
        return g_strdup("not judged");
    }
    return line->published->word != NULL
               ? g_strdup("the same")
               : g_strdup_printf("%g %s", line->tolerance, error_unit(line));
}

enum {
    PUBLISHED_FIELDS = 6, /* the first ones are of what was published */
};

static const RecordField row_fields[] = {
    {"suite", RECORD_MEMBER(Line, suite)},
    {"source", "source", RECORD_MEMBER(Line, source)},
    {"case", "case", RECORD_MEMBER(Line, name)},
    {"quantity", "quantity", RECORD_MEMBER(Line, quantity)},
    {"unit", RECORD_MEMBER(Line, unit)},
    {"published", "published", .node = published_node, .words = published_words},
    {"simulated", "simulated", .node = simulated_node, .words = simulated_words,
     .has = is_simulated},
    {"error", "error", RECORD_MEMBER(Line, error), .words = error_words},
    {"tolerance", "tolerance", RECORD_MEMBER(Line, tolerance),
     .words = tolerance_words},
    {"error_unit", RECORD_MEMBER(Line, error_unit)},
    {"error_is_relative", RECORD_MEMBER(Line, is_relative)},
    {"kind", "kind", RECORD_MEMBER(Line, kind)},
    {"status", "status", RECORD_MEMBER(Line, status)},
    {"run", RECORD_MEMBER(Line, run)},
    {"base_run", RECORD_MEMBER(Line, base_run)},
    {"note", RECORD_MEMBER(Line, note)},
    {"why", RECORD_MEMBER(Line, why)},
};
static const RecordTable row_table = RECORD_TABLE(row_fields);
static const RecordTable published_table = {row_fields, PUBLISHED_FIELDS, NULL};

static bool has_errors(gconstpointer summary)
{
    return ((const TraceSummary *) summary)->errors > 0;
}

static char *mean_words(gconstpointer summary)
{
    return g_strdup_printf("%.2f %%", ((const TraceSummary *) summary)->mean_error);
}

static char *worst_words(gconstpointer summary)
{
    return g_strdup_printf("%+.2f %%", ((const TraceSummary *) summary)->worst_error);
}

static char *where_words(gconstpointer record)
{
    const TraceSummary *summary = record;

    return has_errors(summary)
               ? g_strdup_printf("%s, %s", summary->worst_source, summary->worst_case)
               : g_strdup("");
}

static const RecordField summary_fields[] = {
    {NULL, "suite", RECORD_MEMBER(TraceSummary, suite)},
    {NULL, "kind", RECORD_MEMBER(TraceSummary, kind)},
    {"rows", "rows", RECORD_MEMBER(TraceSummary, rows)},
    {"passed", "within", RECORD_MEMBER(TraceSummary, passed)},
    {"failed", "outside", RECORD_MEMBER(TraceSummary, failed)},
    {"not_judged", "not judged", RECORD_MEMBER(TraceSummary, unjudged)},
    {"not_run", "not run", RECORD_MEMBER(TraceSummary, unrun)},
    {"errors", "in percent", RECORD_MEMBER(TraceSummary, errors)},
    {"mean_error", "mean error", RECORD_MEMBER(TraceSummary, mean_error),
     .words = mean_words, .has = has_errors},
    {"worst_error", "worst error", RECORD_MEMBER(TraceSummary, worst_error),
     .words = worst_words, .has = has_errors},
    {NULL, "of", .words = where_words},
    {"worst_source", RECORD_MEMBER(TraceSummary, worst_source)},
    {"worst_case", RECORD_MEMBER(TraceSummary, worst_case)},
};
static const RecordTable summary_table = RECORD_TABLE(summary_fields);

/* By suite, and all of them, and by kind. */
static JsonObject *summary_object(const TraceValidation *validation)
{
    JsonObject *object = json_object_new();

    for (guint i = 0; i <= validation->suites->len; i++) {
        JsonObject *kinds = json_object_new();
        const char *name = NULL;

        for (guint k = 0; k < TRACE_SUMMARY_KINDS; k++) {
            const TraceSummary summary = trace_summary_of(validation, i, k);

            json_object_set_object_member(kinds, summary.kind,
                                          record_to_json(&summary_table, &summary));
            name = summary.suite;
        }
        json_object_set_object_member(object, name, kinds);
    }
    return object;
}

static void print_summary(const TraceValidation *validation)
{
    g_autoptr(Grid) grid = record_grid_new(&summary_table);
    const guint suites = validation->suites->len;

    for (guint i = 0; i < (suites > 1 ? suites + 1 : suites); i++) {
        for (guint k = 0; k < TRACE_SUMMARY_KINDS; k++) {
            const TraceSummary summary = trace_summary_of(validation, i, k);

            if (summary.rows > 0) {
                record_add_to_grid(&summary_table, &summary, grid);
            }
        }
    }
    grid_print(grid, stdout, 0);
}

/* Rows that are context, or those that are not. */
static JsonArray *rows_array(const TraceValidation *validation, bool is_context)
{
    JsonArray *rows = json_array_new();

    for (guint i = 0; i < validation->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(validation, i);
        g_auto(Line) line = line_of(row);

        if (trace_validation_is_context(row) != is_context) {
            continue;
        }
        JsonObject *object =
            record_to_json(is_context ? &published_table : &row_table, &line);

        if (is_context) {
            json_object_set_string_member(object, "note", line.note);
        }
        json_array_add_object_element(rows, object);
    }
    return rows;
}

static void
add_suites(const TraceValidation *validation, JsonArray *names, JsonArray *left)
{
    for (guint i = 0; i < validation->suites->len; i++) {
        const TraceSuite *suite = g_ptr_array_index(validation->suites, i);

        json_array_add_string_element(names, suite->name);
        for (guint k = 0; k < suite->left->len; k++) {
            json_array_add_string_element(left, g_ptr_array_index(suite->left, k));
        }
    }
}

static JsonObject *metrics_object(const ValidateResult *self)
{
    const TraceValidation *validation = &self->validation;
    JsonObject *metrics = json_object_new();
    JsonArray *suites = json_array_new();
    JsonArray *left = json_array_new();

    add_suites(validation, suites, left);
    json_object_set_array_member(metrics, "suites", suites);
    json_object_set_boolean_member(metrics, "is_quick", validation->is_quick);
    json_object_set_boolean_member(metrics, "is_full", validation->is_full);
    json_object_set_int_member(metrics, "runs", self->run_count);
    json_object_set_int_member(
        metrics, "passed", trace_validation_count(validation, TRACE_VALIDATION_PASS));
    json_object_set_int_member(
        metrics, "failed", trace_validation_count(validation, TRACE_VALIDATION_FAIL));
    json_object_set_int_member(
        metrics, "skipped",
        trace_validation_count(validation, TRACE_VALIDATION_SKIPPED));
    json_object_set_int_member(metrics, "not_judged",
                               trace_validation_unjudged(validation));
    json_object_set_object_member(metrics, "summary", summary_object(validation));
    json_object_set_array_member(metrics, "context", rows_array(validation, true));
    json_object_set_array_member(metrics, "not_covered", left);
    return metrics;
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

/* Rows of measurements are many: those that failed, and means, say enough. */
static bool is_shown(const TraceValidationRow *self, bool has_all)
{
    if (trace_validation_is_context(self)) {
        return false;
    }
    return has_all || !self->suite->is_measured ||
           self->status == TRACE_VALIDATION_FAIL || trace_reference_is_mean(self->row);
}

static void print_rows(const TraceValidation *self, bool has_all)
{
    g_autoptr(Grid) grid = record_grid_new(&row_table);
    guint shown = 0;
    guint hidden = 0;

    for (guint i = 0; i < self->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(self, i);

        if (is_shown(row, has_all)) {
            g_auto(Line) line = line_of(row);

            record_add_to_grid(&row_table, &line, grid);
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

/* What suites of measurements lack. */
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
