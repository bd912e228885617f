/* The picture of a roofline. */
#pragma once

#include "traces/roofline/set.h"

/* An SVG file; the caller frees it. If `title` is NULL, one is made up. Fails with
 * TRACE_ERROR_LACKS if no run has a point. */
char *trace_roofline_picture_new(const TraceRooflineSet *set,
                                 const char *title,
                                 GError **error);
