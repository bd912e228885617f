/* Squares of places as a user writes them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/writing/pftrace.h"

/* Parses "3,4" or "0:3,0:6", or several separated by ; into an array of TraceSquare,
 * which the caller frees. NULL if the text is malformed. */
GArray *trace_squares_read(const char *text);

/* Does any TraceSquare of the array contain x, y? */
bool trace_squares_have(gconstpointer squares, guint x, guint y);
