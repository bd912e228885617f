/* Makes JSON of tables of runs. */
#include "traces/table/table_json.h"

#include "traces/table/record.h"

static const char *const kinds[] = {[TRACE_COLUMN_PARAMETER] = "parameter",
                                    [TRACE_COLUMN_METRIC] = "metric",
                                    [TRACE_COLUMN_STATUS] = "status"};

static void add_cell(JsonArray *cells,
                     const TraceTable *table,
                     const TraceColumn *column,
                     guint row,
                     guint index)
{
    const char *text = trace_table_text(table, row, index);

    if (text == NULL) {
        json_array_add_null_element(cells);
    } else if (column->is_number) {
        json_array_add_double_element(cells, trace_table_number(table, row, index));
    } else {
        g_autofree char *valid = g_utf8_make_valid(text, -1);

        json_array_add_string_element(cells, valid);
    }
}

static JsonObject *column_object(const TraceTable *table, guint index)
{
    const TraceColumn *column = trace_table_column(table, index);
    JsonArray *cells = json_array_new();

    for (guint row = 0; row < trace_table_row_count(table); row++) {
        add_cell(cells, table, column, row, index);
    }
    return RECORD(VALUE("name", column->name), VALUE("kind", kinds[column->kind]),
                  VALUE("is_number", column->is_number), VALUE("cells", cells));
}

JsonObject *trace_table_to_json(const TraceTable *table)
{
    g_autofree char *title = trace_table_marked_title(table, NULL);
    JsonArray *columns = json_array_new();

    for (guint i = 0; i < trace_table_column_count(table); i++) {
        json_array_add_object_element(columns, column_object(table, i));
    }
    return RECORD(VALUE("title", title), VALUE("columns", columns));
}
