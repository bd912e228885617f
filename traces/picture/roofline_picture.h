/* The picture of a roofline. */
#pragma once

#include "traces/roofline/set.h"

/* An SVG file; the caller frees it. `title` may be NULL: one is found. Fails with
 * TRACE_ERROR_LACKS where no run has a point. */
char *trace_roofline_picture_new(const TraceRooflineSet *set,
                                 const char *title,
                                 GError **error);
