/* Parses CSV, and quotes its fields. */
#include "traces/file/csv.h"

#include <stdbool.h>
#include <string.h>

#include "traces/error.h"

enum {
    COLUMNS_MOST = 256,
    ROWS_MOST = 1000000,
    NAME_SHOWN = 60, /* letters of a column's name in a message */
};

typedef struct {
    guint line;
    GPtrArray *fields; /* of char * */
} Row;

struct TraceCsv {
    GArray *rows; /* of Row; the first one is the header */
};

/* The position of the reader. */
typedef struct {
    const char *name;
    const char *at;
    const char *end;
    guint line;
} Reader;

static void row_clear(gpointer data)
{
    Row *row = data;

    g_ptr_array_unref(row->fields);
}

static bool refuse(const Reader *self, guint line, const char *what, GError **error)
{
    return trace_refuse(error, "%s:%u: %s", self->name, line, what);
}

static bool is_at_line_end(const Reader *self)
{
    return self->at == self->end || *self->at == '\n' ||
           (*self->at == '\r' && self->at + 1 < self->end && self->at[1] == '\n');
}

static void skip_line_end(Reader *self)
{
    if (self->at < self->end) {
        self->at += *self->at == '\r' ? 2 : 1;
        self->line++;
    }
}

/* Behind the opening quote. */
static bool read_quoted(Reader *self, GString *field, GError **error)
{
    guint first = self->line;

    for (; self->at < self->end; self->at++) {
        if (*self->at == '"') {
            self->at++;
            if (self->at == self->end || *self->at != '"') {
                return is_at_line_end(self) || *self->at == ',' ||
                       refuse(self, self->line,
                              "a closing quote is followed by text, expected , or a "
                              "new line",
                              error);
            }
        } else if (*self->at == '\n') {
            self->line++;
        }
        g_string_append_c(field, *self->at);
    }
    return refuse(self, first, "a quote is not closed", error);
}

static bool read_field(Reader *self, GString *field, GError **error)
{
    if (self->at < self->end && *self->at == '"') {
        self->at++;
        return read_quoted(self, field, error);
    }
    while (!is_at_line_end(self) && *self->at != ',') {
        if (*self->at == '"') {
            return refuse(self, self->line,
                          "a quote inside a field, put the field in quotes and double "
                          "it",
                          error);
        }
        g_string_append_c(field, *self->at++);
    }
    return true;
}

static bool read_row(Reader *self, GPtrArray *fields, GError **error)
{
    bool is_more = true;

    while (is_more) {
        g_autoptr(GString) field = g_string_new(NULL);

        if (fields->len == COLUMNS_MOST) {
            return trace_refuse(error, "%s:%u: more than %d fields in a line",
                                self->name, self->line, COLUMNS_MOST);
        }
        if (!read_field(self, field, error)) {
            return false;
        }
        g_ptr_array_add(fields, g_strdup(field->str));
        is_more = self->at < self->end && *self->at == ',';
        self->at += is_more ? 1 : 0;
    }
    skip_line_end(self);
    return true;
}

/* Comments and empty lines. */
static void skip_nothing(Reader *self)
{
    while (self->at < self->end && (*self->at == '#' || is_at_line_end(self))) {
        while (!is_at_line_end(self)) {
            self->at++;
        }
        skip_line_end(self);
    }
}

static bool check_header(const Reader *reader, const TraceCsv *self, GError **error)
{
    const Row *header = &g_array_index(self->rows, Row, 0);

    for (guint i = 0; i < header->fields->len; i++) {
        const char *name = g_ptr_array_index(header->fields, i);

        if (*name == '\0') {
            return refuse(reader, header->line, "a column has no name", error);
        }
        if (trace_csv_column(self, name) != (int) i) {
            g_autofree char *shown =
                g_utf8_substring(name, 0, MIN(g_utf8_strlen(name, -1), NAME_SHOWN));
            g_autofree char *escaped = g_strescape(shown, NULL);

            return trace_refuse(error, "%s:%u: two columns are called %s", reader->name,
                                header->line, escaped);
        }
    }
    return true;
}

static bool read_rows(Reader *reader, TraceCsv *self, GError **error)
{
    for (skip_nothing(reader); reader->at < reader->end; skip_nothing(reader)) {
        Row row = {.line = reader->line,
                   .fields = g_ptr_array_new_with_free_func(g_free)};
        guint expected;

        g_array_append_val(self->rows, row);
        if (!read_row(reader, row.fields, error) ||
            (self->rows->len == 1 && !check_header(reader, self, error))) {
            return false;
        }
        expected = trace_csv_column_count(self);
        if (row.fields->len != expected) {
            return trace_refuse(error,
                                "%s:%u: %u fields, expected %u as in the first line",
                                reader->name, row.line, row.fields->len, expected);
        }
        if (self->rows->len > ROWS_MOST) {
            return refuse(reader, row.line, "more than a million rows", error);
        }
    }
    return self->rows->len > 0 ||
           refuse(reader, 1, "the file is empty, expected a line with column names",
                  error);
}

/* The line of the first byte that is no text. */
static guint bad_line(const char *text, const char *bad)
{
    guint line = 1;

    for (const char *c = text; c < bad; c++) {
        line += *c == '\n' ? 1 : 0;
    }
    return line;
}

TraceCsv *
trace_csv_parse(const char *name, const char *text, gsize length, GError **error)
{
    g_autoptr(TraceCsv) self = g_new0(TraceCsv, 1);
    Reader reader = {.name = name, .at = text, .end = text + length, .line = 1};
    const char *bad;

    self->rows = g_array_new(FALSE, FALSE, sizeof(Row));
    g_array_set_clear_func(self->rows, row_clear);
    /* With a length, a NUL is not valid either. */
    if (!g_utf8_validate(text, (gssize) length, &bad)) {
        (void) refuse(&reader, bad_line(text, bad), "not UTF-8 text", error);
        return NULL;
    }
    return read_rows(&reader, self, error) ? g_steal_pointer(&self) : NULL;
}

void trace_csv_free(TraceCsv *self)
{
    if (self != NULL) {
        g_array_unref(self->rows);
        g_free(self);
    }
}

guint trace_csv_row_count(const TraceCsv *self)
{
    return self->rows->len - 1;
}

guint trace_csv_column_count(const TraceCsv *self)
{
    return g_array_index(self->rows, Row, 0).fields->len;
}

const char *trace_csv_column_name(const TraceCsv *self, guint column)
{
    return g_ptr_array_index(g_array_index(self->rows, Row, 0).fields, column);
}

int trace_csv_column(const TraceCsv *self, const char *name)
{
    for (guint i = 0; i < trace_csv_column_count(self); i++) {
        if (g_str_equal(trace_csv_column_name(self, i), name)) {
            return (int) i;
        }
    }
    return -1;
}

const char *trace_csv_field(const TraceCsv *self, guint row, guint column)
{
    g_return_val_if_fail(row < trace_csv_row_count(self), NULL);
    return g_ptr_array_index(g_array_index(self->rows, Row, row + 1).fields, column);
}

guint trace_csv_line(const TraceCsv *self, guint row)
{
    return g_array_index(self->rows, Row, row + 1).line;
}

/* A lone dash stands for nothing. */
static bool is_formula(const char *field)
{
    char *end = NULL;

    if (*field == '\0' || field[1] == '\0' || strchr("=+-@", *field) == NULL) {
        return false;
    }
    (void) g_ascii_strtod(field, &end);
    return *end != '\0';
}

char *trace_csv_written(const char *field)
{
    const bool has_mark = is_formula(field);
    const char *quote = strpbrk(field, ",\"\r\n") != NULL ? "\"" : "";
    GString *text = NULL;

    if (!has_mark && *quote == '\0') {
        return NULL;
    }
    text = g_string_new(quote);
    g_string_append(text, has_mark ? "'" : "");
    for (const char *at = field; *at != '\0'; at++) {
        g_string_append(text, *at == '"' ? "\"" : "");
        g_string_append_c(text, *at);
    }
    g_string_append(text, quote);
    return g_string_free(text, FALSE);
}
