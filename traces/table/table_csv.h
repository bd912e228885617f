/* A table of runs as a CSV file. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/table/table.h"

/* RFC 4180 with LF: a line of column names, then a line per row; an empty cell is an
 * empty field. "-" is standard output. Fails with TRACE_ERROR_WRITE. */
bool trace_table_write_csv(const TraceTable *table, const char *path, GError **error);
