/* A picture of numbers over two stepped axes: a cell for each, coloured by its value.
 */
#pragma once

#include <glib.h>

/* Everything is borrowed. */
typedef struct {
    const char *title;
    const char *x;    /* what the axis shows, with its unit */
    const char *y;    /* the same of rows, which go up */
    const char *unit; /* of values, with what they are: "time, s" */
    const char *note; /* a line below; NULL for none */
    const double *columns;
    gsize column_count;
    const double *rows;
    gsize row_count;
    const double *values; /* of the first row, then of the second; above 0, or NaN
                           * where there is none: that cell stays empty */
    const char *mark;     /* what the marked cell is; NULL for none */
    gsize mark_column;
    gsize mark_row;
} TraceSurface;

/* An SVG file; the caller frees it. Colours go from the least value (pale) to the
 * largest, by ratio where that is more than twice the least. A cell says its
 * numbers where the pointer rests. Without any value the axes are drawn, and a line
 * that says so. */
char *trace_surface_to_svg(const TraceSurface *self);
