/* Options that choose a part of a run: cycles, and places of a grid. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/time.h"

/* As the readers of option_value.h: they leave values alone where `text` is NULL, and
 * fail with G_OPTION_ERROR. */

/* FROM:TO in cycles, FROM below TO; either may be empty and is then left alone. */
bool option_window(
    const char *text, const char *option, SimTime *from, SimTime *to, GError **error);

/* An array of TraceSquare, as trace_squares_read() makes it; the caller frees it. */
bool option_squares(const char *text,
                    const char *option,
                    GArray **squares,
                    GError **error);
