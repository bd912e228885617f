/* A table of runs as JSON. */
#pragma once

#include <json-glib/json-glib.h>

#include "traces/table/table.h"

/* { title, columns: [{ name, kind: parameter | metric | status, is_number, cells: [...]
 * }] }: a cell is a number, a text, or null where it is empty. The caller frees it. */
JsonObject *trace_table_to_json(const TraceTable *table);
