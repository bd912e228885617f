/* A picture of bar panels: a few numbers side by side, each with its text. */
#pragma once

#include <glib.h>

typedef struct {
    const char *label;
    const char *text; /* the number as people read it; or why there is none */
    double value;     /* not negative; NaN: no bar */
    double mark;      /* a stroke across the bar where this value is; 0: none */
} TraceBar;

typedef struct {
    const char *title;
    const char *note; /* a line below the bars; NULL for none */
    double full; /* the value of a bar over the whole width; 0: of the longest one */
    const TraceBar *bars;
    gsize bar_count;
} TraceBarPanel;

/* Everything is borrowed. */
typedef struct {
    const char *title;
    const TraceBarPanel *panels; /* one below the other */
    gsize panel_count;
} TraceBars;

/* An SVG file; the caller frees it. The bars of a panel share one linear scale that
 * begins at 0. A value beyond `full` has a bar of the whole width, and a mark there its
 * end. */
char *trace_bars_to_svg(const TraceBars *self);
