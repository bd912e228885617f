/* Writes tables of runs as CSV. */
#include "traces/table/table_csv.h"

#include "traces/file/stream.h"

bool trace_table_write_csv(const TraceTable *table, const char *path, GError **error)
{
    g_autoptr(TraceStream) stream = trace_stream_open(path, error);
    const guint columns = trace_table_column_count(table);

    if (stream == NULL) {
        return false;
    }
    for (guint i = 0; i < columns; i++) {
        trace_stream_text(stream, i > 0 ? "," : "");
        trace_stream_field(stream, trace_table_column(table, i)->name);
    }
    trace_stream_text(stream, "\n");
    for (guint row = 0; row < trace_table_row_count(table); row++) {
        for (guint i = 0; i < columns; i++) {
            const char *text = trace_table_text(table, row, i);

            trace_stream_text(stream, i > 0 ? "," : "");
            trace_stream_field(stream, text != NULL ? text : "");
        }
        trace_stream_text(stream, "\n");
    }
    return trace_stream_close(stream, error);
}
