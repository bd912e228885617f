/* The picture of a roofline. */
#pragma once

#include "tools/gridloom/roofline/set.h"

/* An SVG file; the caller frees it. `title` may be NULL: one is found. Fails with
 * TRACE_ERROR_LACKS where no run has a point. */
char *
cmd_roofline_picture_new(const CmdRooflineSet *set, const char *title, GError **error);
