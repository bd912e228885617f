/* A picture of rows of numbered points along one logarithmic axis, with a limit across
 * all of them. */
#pragma once

#include <glib.h>

typedef struct {
    const char *label;
    const double *values; /* for numbers 1, 2 and so on; above 0 */
    gsize value_count;
    guint colour; /* shared by rows of one kind */
} TraceLadderRow;

/* Everything is borrowed. */
typedef struct {
    const char *title;
    const char *x; /* what the axis shows, with its unit */
    double limit;  /* above 0 */
    const char *limit_text;
    const char *below; /* meaning of points left of the limit, and right of it */
    const char *above;
    const TraceLadderRow *rows;
    gsize row_count;
    const char *const *notes; /* lines below; NULL-terminated, or NULL */
} TraceLadder;

/* An SVG file; the caller frees it. */
char *trace_ladder_to_svg(const TraceLadder *self);
