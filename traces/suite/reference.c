/* Reads suites of published figures. */
#include "traces/suite/reference.h"

#include <math.h>
#include <string.h>

#include "traces/error.h"
#include "traces/file/csv.h"
#include "traces/suite/formula.h"

enum {
    SHOWN = 60, /* letters of a field in a message */
};

/* The columns of a suite, in the order of `names`. */
typedef enum {
    SOURCE,
    CASE,
    QUANTITY,
    UNIT,
    PUBLISHED,
    TOLERANCE,
    KIND,
    PACE,
    RUN,
    BASE_RUN,
    FIELD,
    SCALE,
    COMBINE,
    NOTE,
    NEEDED_COUNT, /* of columns; a suite may have the others */
    EXTENT = NEEDED_COUNT,
    FULL_RUN,
    FULL_BASE_RUN,
    FULL_EXTENT,
    GROUP,
    SKIP,
    COLUMN_COUNT,
} Column;

static const char *const names[] = {
    "source",    "case",          "quantity",    "unit",  "published",
    "tolerance", "kind",          "pace",        "run",   "base_run",
    "field",     "scale",         "combine",     "note",  "extent",
    "full_run",  "full_base_run", "full_extent", "group", "skip",
};
_Static_assert(G_N_ELEMENTS(names) == COLUMN_COUNT, "a name for each column");

static const char *const kinds[] = {"calibrated", "predicted", "read_back",
                                    "derived",    "context",   NULL};
static const char *const paces[] = {"quick", "long", NULL};
static const char *const combines[] = {[TRACE_REFERENCE_VALUE] = "value",
                                       [TRACE_REFERENCE_RATIO] = "ratio",
                                       [TRACE_REFERENCE_GAIN] = "gain",
                                       [TRACE_REFERENCE_MEAN_ERROR] = "mean_error",
                                       [TRACE_REFERENCE_MEDIAN_ERROR] = "median_error",
                                       NULL};

struct TraceReference {
    char *name;
    TraceCsv *csv;
    int columns[COLUMN_COUNT]; /* -1 for none */
    GArray *rows;              /* of TraceReferenceRow; texts lie in `csv` */
};

/* A row as it stands in the file. */
typedef struct {
    const TraceReference *suite;
    guint row;
} Line;

/* "" where the suite has no such column. */
static const char *field_of(const Line *in, Column column)
{
    const int place = in->suite->columns[column];

    return place < 0 ? "" : trace_csv_field(in->suite->csv, in->row, (guint) place);
}

static bool refuse(const Line *in, Column column, const char *expected, GError **error)
{
    const char *field = field_of(in, column);
    g_autofree char *start =
        g_utf8_substring(field, 0, MIN(g_utf8_strlen(field, -1), SHOWN));
    g_autofree char *shown = g_strescape(start, NULL);

    return trace_refuse(error, "%s:%u: %s = '%s', expected %s", in->suite->name,
                        trace_csv_line(in->suite->csv, in->row), names[column], shown,
                        expected);
}

static bool is_column(const char *name)
{
    for (guint i = 0; i < COLUMN_COUNT; i++) {
        if (g_str_equal(names[i], name)) {
            return true;
        }
    }
    return false;
}

static bool find_columns(TraceReference *self, GError **error)
{
    for (guint i = 0; i < COLUMN_COUNT; i++) {
        self->columns[i] = trace_csv_column(self->csv, names[i]);
        if (i < NEEDED_COUNT && self->columns[i] < 0) {
            return trace_refuse(error, "%s: no column %s", self->name, names[i]);
        }
    }
    for (guint i = 0; i < trace_csv_column_count(self->csv); i++) {
        const char *name = trace_csv_column_name(self->csv, i);

        if (!is_column(name)) {
            g_autofree char *shown = g_strescape(name, NULL);

            return trace_refuse(error, "%s: column '%.60s', which no suite has",
                                self->name, shown);
        }
    }
    return true;
}

/* A finite number and nothing behind it but `*rest`. */
static bool to_number(const char *text, double *value, const char **rest)
{
    char *end;

    if (!g_ascii_isdigit(*text) && strchr("+-.", *text) == NULL) {
        return false;
    }
    *value = g_ascii_strtod(text, &end);
    *rest = end;
    return end != text && *text != '\0' && isfinite(*value);
}

static bool read_number(const Line *in, Column column, double *value, GError **error)
{
    const char *rest = "";

    return (to_number(field_of(in, column), value, &rest) && *rest == '\0') ||
           refuse(in, column, "a number", error);
}

/* Reads a number, or a word if the unit is "class"; nothing if the row is skipped and
 * no value is known. */
static bool read_published(const Line *in, TraceReferenceRow *out, GError **error)
{
    if (*out->skip != '\0' && *field_of(in, PUBLISHED) == '\0') {
        out->published = NAN;
        return true;
    }
    if (!g_str_equal(out->unit, "class")) {
        return read_number(in, PUBLISHED, &out->published, error);
    }
    out->word = field_of(in, PUBLISHED);
    return *out->word != '\0' || refuse(in, PUBLISHED, "a word", error);
}

static bool read_choice(const Line *in,
                        Column column,
                        const char *const *choices,
                        guint *choice,
                        GError **error)
{
    g_autofree char *list = g_strjoinv(", ", (char **) choices);

    for (*choice = 0; choices[*choice] != NULL; (*choice)++) {
        if (g_str_equal(field_of(in, column), choices[*choice])) {
            return true;
        }
    }
    g_autofree char *expected = g_strconcat("one of ", list, NULL);

    return refuse(in, column, expected, error);
}

/* "10 %", "0.5" in the row's unit, or "-" for a row that is shown and not judged. */
static bool read_tolerance(const Line *in, TraceReferenceRow *out, GError **error)
{
    const char *text = field_of(in, TOLERANCE);
    const char *rest = "";

    if (g_str_equal(text, "-")) {
        return true;
    }
    if (!to_number(text, &out->tolerance, &rest) || out->tolerance < 0 ||
        (*rest != '\0' && !g_str_equal(rest, " %") && !g_str_equal(rest, "%"))) {
        return refuse(in, TOLERANCE,
                      "a number that is not negative, with % behind it or in the row's "
                      "unit, or -",
                      error);
    }
    out->is_judged = true;
    out->is_relative = *rest != '\0';
    if (out->is_relative && out->word == NULL && out->published == 0) {
        return refuse(in, TOLERANCE,
                      "a number in the row's unit, since nothing is a percentage of a "
                      "published 0",
                      error);
    }
    return true;
}

static bool read_choices(const Line *in, TraceReferenceRow *out, GError **error)
{
    guint kind;
    guint pace;
    guint combine;

    if (!read_choice(in, KIND, kinds, &kind, error) ||
        !read_choice(in, PACE, paces, &pace, error) ||
        !read_choice(in, COMBINE, combines, &combine, error)) {
        return false;
    }
    out->kind = (TraceReferenceKind) kind;
    out->is_long = pace == 1;
    out->combine = (TraceReferenceCombine) combine;
    return true;
}

static bool check_texts(const Line *in, GError **error)
{
    static const Column needed[] = {SOURCE, CASE, QUANTITY};

    for (gsize i = 0; i < G_N_ELEMENTS(needed); i++) {
        if (*field_of(in, needed[i]) == '\0') {
            return refuse(in, needed[i], "some text", error);
        }
    }
    return true;
}

/* A field is there or not, as it must be. */
static bool check_presence(
    const Line *in, Column column, bool is_needed, const char *expected, GError **error)
{
    return (*field_of(in, column) != '\0') == is_needed ||
           refuse(in, column, expected, error);
}

/* Words are the same or not: nothing between, nothing to scale and nothing to combine.
 */
static bool check_word(const Line *in, const TraceReferenceRow *out, GError **error)
{
    if (out->word == NULL) {
        return true;
    }
    if (out->is_judged && (out->is_relative || out->tolerance != 0)) {
        return refuse(in, TOLERANCE, "0 or -, since a word is published", error);
    }
    return check_presence(in, SCALE, false, "nothing, since a word is published",
                          error) &&
           (out->combine == TRACE_REFERENCE_VALUE ||
            refuse(in, COMBINE, "value, since a word is published", error));
}

/* Why a row has no run; NULL where it has one. */
static const char *why_no_run(const TraceReferenceRow *row)
{
    if (row->kind == TRACE_REFERENCE_CONTEXT) {
        return "nothing, since context is not simulated";
    }
    if (*row->skip != '\0') {
        return "nothing, since the row is skipped";
    }
    return trace_reference_is_mean(row)
               ? "nothing, since the mean is that of other rows"
               : NULL;
}

/* Names and dots, no sum of them. */
static bool is_path(const char *text)
{
    return g_ascii_isalpha(*text) &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_.")] == '\0';
}

static bool check_field(const Line *in, const TraceReferenceRow *out, GError **error)
{
    const char *why = why_no_run(out);
    g_autoptr(GError) wrong = NULL;

    if (!check_presence(in, FIELD, why == NULL,
                        why != NULL ? why : "a formula of members of the result",
                        error)) {
        return false;
    }
    if (why == NULL && !trace_formula_check(out->field, &wrong)) {
        g_autofree char *expected =
            g_strdup_printf("a formula of members of the result: %s", wrong->message);

        return refuse(in, FIELD, expected, error);
    }
    return out->word == NULL || why != NULL || is_path(out->field) ||
           refuse(in, FIELD, "the path of a member of the result", error);
}

/* Context has no run and a mean neither, everything else one; a base run where two are
 * combined. The same for the whole case, where a row has that. */
static bool check_runs(const Line *in, const TraceReferenceRow *out, GError **error)
{
    const char *why = why_no_run(out);
    bool has_base =
        out->combine == TRACE_REFERENCE_RATIO || out->combine == TRACE_REFERENCE_GAIN;
    bool has_full = *field_of(in, FULL_RUN) != '\0';
    const char *base =
        has_base ? "the run to compare with" : "nothing, since combine takes one run";

    return check_presence(in, RUN, why == NULL,
                          why != NULL ? why : "a workload and its parameters", error) &&
           check_presence(in, BASE_RUN, has_base, base, error) &&
           (!has_full || why == NULL || refuse(in, FULL_RUN, why, error)) &&
           check_presence(in, FULL_BASE_RUN, has_base && has_full,
                          has_full ? base : "nothing without full_run", error) &&
           check_presence(in, FULL_EXTENT, has_full,
                          has_full ? "how much of the case full_run is"
                                   : "nothing without full_run",
                          error);
}

static bool check_context(const Line *in, const TraceReferenceRow *out, GError **error)
{
    return out->kind != TRACE_REFERENCE_CONTEXT || !out->is_judged ||
           refuse(in, TOLERANCE, "- for context", error);
}

/* A mean is of something, and of percents. */
static bool check_mean(const TraceReference *self, guint row, GError **error)
{
    const TraceReferenceRow *mean = trace_reference_row(self, row);
    guint count = 0;

    if (!trace_reference_is_mean(mean) || *mean->skip != '\0') {
        return true;
    }
    for (guint i = 0; i < self->rows->len; i++) {
        const TraceReferenceRow *member = trace_reference_row(self, i);

        if (trace_reference_is_member(mean, member)) {
            count++;
            if (!member->is_relative) {
                return refuse(&(Line){self, i}, TOLERANCE,
                              "one in %, since a mean of errors counts this row",
                              error);
            }
        }
    }
    return count > 0 || refuse(&(Line){self, row}, QUANTITY,
                               "that of judged rows of this source", error);
}

static bool read_row(const Line *in, TraceReferenceRow *out, GError **error)
{
    *out = (TraceReferenceRow){
        .source = field_of(in, SOURCE),
        .name = field_of(in, CASE),
        .quantity = field_of(in, QUANTITY),
        .unit = field_of(in, UNIT),
        .runs = {.run = field_of(in, RUN),
                 .base_run = field_of(in, BASE_RUN),
                 .extent = field_of(in, EXTENT)},
        .full_runs = {.run = field_of(in, FULL_RUN),
                      .base_run = field_of(in, FULL_BASE_RUN),
                      .extent = field_of(in, FULL_EXTENT)},
        .field = field_of(in, FIELD),
        .note = field_of(in, NOTE),
        .group = field_of(in, GROUP),
        .skip = field_of(in, SKIP),
        .scale = 1,
    };
    out->is_relative = true;
    if (*out->group == '\0') {
        out->group = out->source;
    }
    if (*out->full_runs.run == '\0') {
        out->full_runs = out->runs;
    }
    return check_texts(in, error) && read_published(in, out, error) &&
           (*field_of(in, SCALE) == '\0' ||
            read_number(in, SCALE, &out->scale, error)) &&
           read_tolerance(in, out, error) && read_choices(in, out, error) &&
           check_word(in, out, error) && check_runs(in, out, error) &&
           check_field(in, out, error) && check_context(in, out, error);
}

TraceReference *
trace_reference_parse(const char *name, const char *text, gsize length, GError **error)
{
    g_autoptr(TraceReference) self = g_new0(TraceReference, 1);

    self->name = g_strdup(name);
    self->rows = g_array_new(FALSE, FALSE, sizeof(TraceReferenceRow));
    self->csv = trace_csv_parse(name, text, length, error);
    if (self->csv == NULL || !find_columns(self, error)) {
        return NULL;
    }
    for (guint i = 0; i < trace_csv_row_count(self->csv); i++) {
        TraceReferenceRow row;

        if (!read_row(&(Line){self, i}, &row, error)) {
            return NULL;
        }
        g_array_append_val(self->rows, row);
    }
    for (guint i = 0; i < self->rows->len; i++) {
        if (!check_mean(self, i, error)) {
            return NULL;
        }
    }
    return g_steal_pointer(&self);
}

void trace_reference_free(TraceReference *self)
{
    if (self != NULL) {
        g_free(self->name);
        trace_csv_free(self->csv);
        g_array_unref(self->rows);
        g_free(self);
    }
}

guint trace_reference_row_count(const TraceReference *self)
{
    return self->rows->len;
}

const TraceReferenceRow *trace_reference_row(const TraceReference *self, guint row)
{
    g_return_val_if_fail(row < self->rows->len, NULL);
    return &g_array_index(self->rows, TraceReferenceRow, row);
}
