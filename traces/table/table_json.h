/* A table of runs as JSON. */
#pragma once

#include <json-glib/json-glib.h>

#include "traces/table/table.h"

/* { title, columns: [{ name, kind: parameter | metric | status, is_number, cells: [...]
 * }] }. A cell is a number, a text, or null if empty. The caller frees the object. */
JsonObject *trace_table_to_json(const TraceTable *table);
