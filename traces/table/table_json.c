/* Makes JSON of tables of runs. */
#include "traces/table/table_json.h"

#include "traces/file/json_member.h"

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
    JsonObject *object = json_object_new();
    JsonArray *cells = json_array_new();

    trace_json_set_text(object, "name", column->name);
    trace_json_set_text(object, "kind", kinds[column->kind]);
    json_object_set_boolean_member(object, "is_number", column->is_number);
    for (guint row = 0; row < trace_table_row_count(table); row++) {
        add_cell(cells, table, column, row, index);
    }
    json_object_set_array_member(object, "cells", cells);
    return object;
}

JsonObject *trace_table_to_json(const TraceTable *table)
{
    JsonObject *object = json_object_new();
    JsonArray *columns = json_array_new();

    trace_json_set_text(object, "title", trace_table_title(table));
    for (guint i = 0; i < trace_table_column_count(table); i++) {
        json_array_add_object_element(columns, column_object(table, i));
    }
    json_object_set_array_member(object, "columns", columns);
    return object;
}
