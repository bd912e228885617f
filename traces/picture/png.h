/* Pictures as PNG files. */
#pragma once

#include <stdbool.h>

#include <glib.h>

enum {
    TRACE_PNG_SIDE_MAXIMUM = 32767, /* pixels; cairo's limit */
};

/* Draws the SVG with `scale` pixels for each of its own (above 0), and replaces the
 * file at `path`; "-" is standard output. Fails with TRACE_ERROR_WRITE, also if the
 * picture is too large. */
bool trace_png_write(const char *path, const char *svg, double scale, GError **error);
