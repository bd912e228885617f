/* A picture of several plots with numbered points, side by side and below each other.
 */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/plot.h"

/* Points with a number each, `first` and so on, or where `is_line` a line through
 * them. */
typedef struct {
    const char *name; /* in the legend; NULL leaves it out */
    bool is_line;
    guint colour; /* and shape: of marks these are the series of that number */
    guint first;  /* 0 is 1 */
    const TracePlotPoint *points;
    gsize point_count;
} TracePanelSeries;

/* Numbers are as those of a TracePlot. */
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
    const char *const *notes; /* lines below all; ends with NULL, which may be all */
} TracePanels;

/* An SVG file; the caller frees it. All panels have axes of their own. */
char *trace_panels_to_svg(const TracePanels *self);
