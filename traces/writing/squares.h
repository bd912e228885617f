/* Squares of places as a user writes them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/writing/pftrace.h"

/* "3,4" or "0:3,0:6", several with ; between them: an array of TraceSquare, which the
 * caller frees; NULL: it is something else. */
GArray *trace_squares_read(const char *text);

/* Is x, y in one of an array of TraceSquare? */
bool trace_squares_have(gconstpointer squares, guint x, guint y);
