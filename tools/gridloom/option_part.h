/* Options that choose a part of a run: cycles, and places of a grid. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/time.h"
#include "traces/writing/pftrace.h"

/* As the readers of option_value.h: they leave values alone where `text` is NULL, and
 * fail with G_OPTION_ERROR. */

/* FROM:TO in cycles, FROM below TO; either may be empty and is then left alone. */
bool option_window(
    const char *text, const char *option, SimTime *from, SimTime *to, GError **error);

/* "3,4" or "0:3,0:6", several with ; between them: an array of TraceSquare, which the
 * caller frees. */
bool option_squares(const char *text,
                    const char *option,
                    GArray **squares,
                    GError **error);

/* Is x, y in one of the squares? In no squares (NULL), everything is. */
bool option_squares_have(const GArray *squares, guint x, guint y);
