/* A picture of rows of numbered points along one logarithmic axis, with a limit across
 * all of them. */
#pragma once

#include <glib.h>

typedef struct {
    const char *label;
    const double *values; /* of numbers 1, 2 and so on; above 0 */
    gsize value_count;
    guint colour; /* rows of one kind have one */
} TraceLadderRow;

/* Everything is borrowed. */
typedef struct {
    const char *title;
    const char *x; /* what the axis shows, with its unit */
    double limit;  /* above 0 */
    const char *limit_text;
    const char *below; /* what those left of it are, and those right of it */
    const char *above;
    const TraceLadderRow *rows;
    gsize row_count;
    const char *const *notes; /* lines below; ends with NULL, which may be all */
} TraceLadder;

/* An SVG file; the caller frees it. */
char *trace_ladder_to_svg(const TraceLadder *self);
