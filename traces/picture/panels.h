/* A picture of several plots with lines and points, arranged in a grid. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/plot.h"

/* Points numbered from `first`, or a line through them if `is_line`. */
typedef struct {
    const char *name; /* in the legend; NULL leaves it out */
    bool is_line;
    bool is_plain; /* points without numbers */
    guint colour;  /* and shape of marks: those of the series with this index */
    guint first;   /* 0 means 1 */
    const TracePlotPoint *points;
    gsize point_count;
} TracePanelSeries;

/* Numbers follow the rules of TracePlot. */
typedef struct {
    const char *title;
    const char *x; /* what the axis shows, with its unit */
    const char *y;
    bool is_log;      /* both axes */
    const char *note; /* a line below; NULL for none */
    const TracePanelSeries *series;
    gsize series_count;
} TracePanel;

/* Everything is borrowed. */
typedef struct {
    const char *title;
    const TracePanel *panels;
    gsize panel_count;
    gsize column_count;       /* of panels, at least 1 */
    const char *const *notes; /* lines below all panels; NULL-terminated, or NULL */
} TracePanels;

/* An SVG file; the caller frees it. Every panel has its own axes. */
char *trace_panels_to_svg(const TracePanels *self);
