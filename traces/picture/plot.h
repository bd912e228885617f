/* A picture of numbers over numbers: lines and points between two axes. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    double x;
    double y;
} TracePlotPoint;

typedef enum {
    TRACE_PLOT_BOTH,   /* a line with a mark at every point, while those are few */
    TRACE_PLOT_LINE,   /* a line from point to point, in the order given */
    TRACE_PLOT_POINTS, /* marks only */
    TRACE_PLOT_CELLS, /* marks in coloured cells, which reach halfway to the next points
                         of such series */
    TRACE_PLOT_STAIRS, /* marks, and a line that goes level, then up or down to the next
                          point */
} TracePlotStyle;

/* A range on the vertical axis. */
typedef struct {
    double low;
    double high;
} TracePlotSpan;

typedef struct {
    const char *name; /* in the legend; NULL leaves it out */
    TracePlotStyle style;
    const TracePlotPoint *points;
    gsize point_count;
    const TracePlotSpan
        *band; /* one per point, drawn pale behind the line; NULL for none */
} TracePlotSeries;

/* Everything is borrowed. Numbers are -1e300..1e300, and at least 1e-300 on a
 * logarithmic axis. */
typedef struct {
    const char *title;
    const char *x; /* what the axis shows, with its unit */
    const char *y;
    bool is_log_x;
    bool is_log_y;
    const char *const *x_names; /* names of x = 1, 2 and so on, if x is not a number;
                                   NULL-terminated, or NULL */
    const char *note;           /* a line below; NULL for none */
    const TracePlotSeries *series;
    gsize series_count;
} TracePlot;

/* An SVG file; the caller frees it. Axes cover all points, up to round numbers. A
 * linear axis begins at 0 unless that would squeeze the points into less than half of
 * it. Without any point, the axes are drawn with a line that says so. Colours and
 * shapes of marks differ between series and can be told apart without colours. */
char *trace_plot_to_svg(const TracePlot *self);

/* The same in characters, for a terminal of 80 columns: strokes for lines, a letter for
 * each series with marks, and a legend below. Cells are drawn as marks; bands are left
 * out. The caller frees it. */
char *trace_plot_to_text(const TracePlot *self);
