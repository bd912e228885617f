/* Reads and judges published figures. */
#include "traces/reference.h"

#include <math.h>
#include <string.h>

#include "traces/csv.h"
#include "traces/error.h"

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
    COLUMN_COUNT,
} Column;

static const char *const names[] = {
    "source", "case", "quantity", "unit",  "published", "tolerance", "kind",
    "pace",   "run",  "base_run", "field", "scale",     "combine",   "note",
};
_Static_assert(G_N_ELEMENTS(names) == COLUMN_COUNT, "a name for each column");

static const char *const kinds[] = {[TRACE_REFERENCE_CALIBRATED] = "calibrated",
                                    [TRACE_REFERENCE_PREDICTED] = "predicted",
                                    [TRACE_REFERENCE_CONTEXT] = "context",
                                    NULL};
static const char *const paces[] = {"quick", "long", NULL};
static const char *const combines[] = {[TRACE_REFERENCE_VALUE] = "value",
                                       [TRACE_REFERENCE_RATIO] = "ratio",
                                       [TRACE_REFERENCE_GAIN] = "gain",
                                       NULL};

struct TraceReference {
    char *name;
    TraceCsv *csv;
    guint columns[COLUMN_COUNT];
    GArray *rows; /* of TraceReferenceRow; texts lie in `csv` */
};

static const char *field_of(const TraceReference *self, guint row, Column column)
{
    return trace_csv_field(self->csv, row, self->columns[column]);
}

static bool refuse(const TraceReference *self,
                   guint row,
                   Column column,
                   const char *expected,
                   GError **error)
{
    const char *field = field_of(self, row, column);
    g_autofree char *start =
        g_utf8_substring(field, 0, MIN(g_utf8_strlen(field, -1), SHOWN));
    g_autofree char *shown = g_strescape(start, NULL);

    g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ, "%s:%u: %s = '%s', expected %s",
                self->name, trace_csv_line(self->csv, row), names[column], shown,
                expected);
    return false;
}

static bool find_columns(TraceReference *self, GError **error)
{
    for (guint i = 0; i < COLUMN_COUNT; i++) {
        int column = trace_csv_column(self->csv, names[i]);

        if (column < 0) {
            g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ, "%s: no column %s",
                        self->name, names[i]);
            return false;
        }
        self->columns[i] = (guint) column;
    }
    if (trace_csv_column_count(self->csv) > COLUMN_COUNT) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_READ,
                    "%s: %u columns, expected the %d of a suite", self->name,
                    trace_csv_column_count(self->csv), COLUMN_COUNT);
        return false;
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

static bool read_number(
    const TraceReference *self, guint row, Column column, double *value, GError **error)
{
    const char *rest = "";

    return (to_number(field_of(self, row, column), value, &rest) && *rest == '\0') ||
           refuse(self, row, column, "a number", error);
}

static bool read_choice(const TraceReference *self,
                        guint row,
                        Column column,
                        const char *const *choices,
                        guint *choice,
                        GError **error)
{
    g_autofree char *list = g_strjoinv(", ", (char **) choices);

    for (*choice = 0; choices[*choice] != NULL; (*choice)++) {
        if (g_str_equal(field_of(self, row, column), choices[*choice])) {
            return true;
        }
    }
    g_autofree char *expected = g_strconcat("one of ", list, NULL);

    return refuse(self, row, column, expected, error);
}

/* "10 %", "0.5" in the row's unit, or "-" for a row that is shown and not judged. */
static bool read_tolerance(const TraceReference *self,
                           guint row,
                           TraceReferenceRow *out,
                           GError **error)
{
    const char *text = field_of(self, row, TOLERANCE);
    const char *rest = "";

    if (g_str_equal(text, "-")) {
        return true;
    }
    if (!to_number(text, &out->tolerance, &rest) || out->tolerance < 0 ||
        (*rest != '\0' && !g_str_equal(rest, " %") && !g_str_equal(rest, "%"))) {
        return refuse(self, row, TOLERANCE,
                      "a number that is not negative, with % behind it or in the row's "
                      "unit, or -",
                      error);
    }
    out->is_judged = true;
    out->is_relative = *rest != '\0';
    if (out->is_relative && out->published == 0) {
        return refuse(self, row, TOLERANCE,
                      "a number in the row's unit, since nothing is a percentage of a "
                      "published 0",
                      error);
    }
    return true;
}

static bool read_choices(const TraceReference *self,
                         guint row,
                         TraceReferenceRow *out,
                         GError **error)
{
    guint kind;
    guint pace;
    guint combine;

    if (!read_choice(self, row, KIND, kinds, &kind, error) ||
        !read_choice(self, row, PACE, paces, &pace, error) ||
        !read_choice(self, row, COMBINE, combines, &combine, error)) {
        return false;
    }
    out->kind = (TraceReferenceKind) kind;
    out->is_long = pace == 1;
    out->combine = (TraceReferenceCombine) combine;
    return true;
}

static bool check_texts(const TraceReference *self, guint row, GError **error)
{
    static const Column needed[] = {SOURCE, CASE, QUANTITY};

    for (gsize i = 0; i < G_N_ELEMENTS(needed); i++) {
        if (*field_of(self, row, needed[i]) == '\0') {
            return refuse(self, row, needed[i], "some text", error);
        }
    }
    return true;
}

/* Context has no run, everything else one; a base run where two are combined. */
static bool check_runs(const TraceReference *self,
                       guint row,
                       const TraceReferenceRow *out,
                       GError **error)
{
    bool is_context = out->kind == TRACE_REFERENCE_CONTEXT;
    bool has_base = out->combine != TRACE_REFERENCE_VALUE;

    if ((*out->run == '\0') != is_context) {
        return refuse(self, row, RUN,
                      is_context ? "nothing, since context is not simulated"
                                 : "a workload and its parameters",
                      error);
    }
    if ((*out->base_run != '\0') != has_base) {
        return refuse(self, row, BASE_RUN,
                      has_base ? "the run to compare with"
                               : "nothing, since combine is value",
                      error);
    }
    if ((*out->field == '\0') != is_context) {
        return refuse(self, row, FIELD,
                      is_context ? "nothing, since context is not simulated"
                                 : "a member of the result",
                      error);
    }
    return !is_context || !out->is_judged ||
           refuse(self, row, TOLERANCE, "- for context", error);
}

static bool
read_row(const TraceReference *self, guint row, TraceReferenceRow *out, GError **error)
{
    *out = (TraceReferenceRow){
        .source = field_of(self, row, SOURCE),
        .name = field_of(self, row, CASE),
        .quantity = field_of(self, row, QUANTITY),
        .unit = field_of(self, row, UNIT),
        .run = field_of(self, row, RUN),
        .base_run = field_of(self, row, BASE_RUN),
        .field = field_of(self, row, FIELD),
        .note = field_of(self, row, NOTE),
        .scale = 1,
    };
    out->is_relative = true;
    return check_texts(self, row, error) &&
           read_number(self, row, PUBLISHED, &out->published, error) &&
           (*field_of(self, row, SCALE) == '\0' ||
            read_number(self, row, SCALE, &out->scale, error)) &&
           read_tolerance(self, row, out, error) &&
           read_choices(self, row, out, error) && check_runs(self, row, out, error);
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

        if (!read_row(self, i, &row, error)) {
            return NULL;
        }
        g_array_append_val(self->rows, row);
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

const char *trace_reference_kind_name(TraceReferenceKind kind)
{
    return kinds[kind];
}

double
trace_reference_simulated(const TraceReferenceRow *row, double value, double base)
{
    switch (row->combine) {
    case TRACE_REFERENCE_VALUE:
        return value * row->scale;
    case TRACE_REFERENCE_RATIO:
        return base == 0 ? NAN : value / base * row->scale;
    case TRACE_REFERENCE_GAIN:
        return value == 0 ? NAN : 100 * (base / value - 1);
    }
    return NAN;
}

double trace_reference_error(const TraceReferenceRow *row, double simulated)
{
    if (!row->is_relative) {
        return simulated - row->published;
    }
    return row->published == 0 ? NAN : 100 * (simulated / row->published - 1);
}

bool trace_reference_is_within(const TraceReferenceRow *row, double error)
{
    return row->is_judged && fabs(error) <= row->tolerance;
}
