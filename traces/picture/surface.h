/* A picture of numbers over two stepped axes: one cell each, coloured by value. */
#pragma once

#include <glib.h>

/* Everything is borrowed. */
typedef struct {
    const char *title;
    const char *x;    /* what the axis shows, with its unit */
    const char *y;    /* the same for rows, which go up */
    const char *unit; /* quantity and unit of the values: "time, s" */
    const char *note; /* a line below; NULL for none */
    const double *columns;
    gsize column_count;
    const double *rows;
    gsize row_count;
    const double *values; /* row by row; above 0, or NaN for an empty cell */
    const char *mark;     /* the meaning of the marked cell; NULL for none */
    gsize mark_column;
    gsize mark_row;
} TraceSurface;

/* An SVG file; the caller frees it. Colours go from the least value (pale) to the
 * largest, by ratio if that is more than twice the least. A cell shows its numbers when
 * the pointer rests on it. Without any value, the axes are drawn with a line that says
 * so. */
char *trace_surface_to_svg(const TraceSurface *self);
