/* Writes JSON objects as rows of tables. */
#include "traces/table/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "traces/file/csv.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"

/* A column, taken apart. */
typedef struct {
    char *heading;
    char **path;
    char *format;
} Column;

static void column_clear(gpointer data)
{
    Column *self = data;

    g_free(self->heading);
    g_strfreev(self->path);
    g_free(self->format);
}

static Column column_of(const char *text)
{
    const char *equals = strrchr(text, '=');
    const char *name = equals != NULL ? equals + 1 : text;
    const gsize length = strcspn(name, ":");
    g_autofree char *path = g_strndup(name, length);

    return (Column){
        .heading =
            equals != NULL ? g_strndup(text, (gsize) (equals - text)) : g_strdup(path),
        .path = g_strsplit(path, ".", -1),
        .format = g_strdup(name[length] == ':' ? name + length + 1 : "%.15g"),
    };
}

/* An array of Column; the caller unrefs it. */
static GArray *columns_of(const char *text, const char *separator)
{
    g_auto(GStrv) parts = g_strsplit(text, separator, -1);
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(Column));

    g_array_set_clear_func(columns, column_clear);
    for (char **part = parts; *part != NULL; part++) {
        const Column column = column_of(*part);

        g_array_append_val(columns, column);
    }
    return columns;
}

/* NULL where a row has none. */
static JsonNode *member_of(JsonObject *row, char **path)
{
    JsonNode *node = json_object_get_member(row, *path);

    for (path++; *path != NULL && node != NULL && JSON_NODE_HOLDS_OBJECT(node);
         path++) {
        node = json_object_get_member(json_node_get_object(node), *path);
    }
    return node;
}

/* The caller frees it. */
static char *cell_of(JsonObject *row, const Column *column, const char *missing)
{
    JsonNode *node = member_of(row, column->path);
    TraceNumberText number;
    double real;

    if (node == NULL || !JSON_NODE_HOLDS_VALUE(node)) {
        return g_strdup(missing);
    }
    if (json_node_get_value_type(node) == G_TYPE_STRING) {
        return json_node_dup_string(node);
    }
    if (json_node_get_value_type(node) == G_TYPE_INT64) {
        return g_strdup_printf("%" G_GINT64_FORMAT, json_node_get_int(node));
    }
    real = json_node_get_double(node);
    return g_strdup(isfinite(real) ? trace_number_text(number, column->format, real)
                                   : missing);
}

/* A line of texts: the headings, or a row. */
static char **
line_of(const GArray *columns, JsonObject *row /* NULL */, const char *missing)
{
    char **texts = g_new0(char *, columns->len + 1);

    for (guint i = 0; i < columns->len; i++) {
        const Column *column = &g_array_index(columns, Column, i);

        texts[i] =
            row == NULL ? g_strdup(column->heading) : cell_of(row, column, missing);
    }
    return texts;
}

char *trace_rows_csv(JsonArray *rows, const char *columns, const char *missing)
{
    g_autoptr(JsonArray) owned = rows;
    g_autoptr(GArray) all = columns_of(columns, ",");
    GString *csv = g_string_new(NULL);

    for (guint i = 0; i <= json_array_get_length(owned); i++) {
        g_auto(GStrv) texts = line_of(
            all, i == 0 ? NULL : json_array_get_object_element(owned, i - 1), missing);

        for (char **text = texts; *text != NULL; text++) {
            g_autofree char *written = trace_csv_written(*text);

            g_string_append(csv, written != NULL ? written : *text);
            g_string_append_c(csv, text[1] != NULL ? ',' : '\n');
        }
    }
    return g_string_free(csv, FALSE);
}

void trace_rows_print(JsonArray *rows, const char *columns)
{
    g_autoptr(JsonArray) owned = rows;
    g_autoptr(GArray) all = columns_of(columns, "|");
    g_autoptr(Grid) grid = grid_new(all->len);

    for (guint i = 0; i <= json_array_get_length(owned); i++) {
        g_auto(GStrv) texts = line_of(
            all, i == 0 ? NULL : json_array_get_object_element(owned, i - 1), "-");

        grid_add(grid, (const char *const *) texts);
    }
    grid_print(grid, stdout, 2);
}
