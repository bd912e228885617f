/* Panels of bars, each with its text: added one by one, then drawn. */
#pragma once

#include <glib.h>

typedef struct {
    const char *label;
    const char *text; /* the number for people, or why there is none */
    double value;     /* not negative; NaN: no bar */
    double mark;      /* a stroke across the bar at this value; 0: none */
} TraceBar;

typedef struct {
    const char *title;
    const char *note; /* a line below the bars; NULL for none */
    double full;      /* the value of a full-width bar; 0: that of the longest bar */
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
 * begins at 0. A value beyond `full` has a full-width bar; a mark beyond it is drawn at
 * the end. */
char *trace_bars_to_svg(const TraceBars *self);

typedef struct TraceBarList TraceBarList;

/* All texts are formatted as by printf(). */
TraceBarList *trace_bar_list_new(const char *title, ...) G_GNUC_PRINTF(1, 2);
void trace_bar_list_free(TraceBarList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceBarList, trace_bar_list_free)

/* Begins a panel; bars and the note that follow belong to it. */
void trace_bar_list_panel(TraceBarList *self, const char *title, ...)
    G_GNUC_PRINTF(2, 3);

/* Adds a bar; value and mark are those of TraceBar, `label` is copied. */
void trace_bar_list_add(TraceBarList *self,
                        const char *label,
                        double value,
                        double mark,
                        const char *text,
                        ...) G_GNUC_PRINTF(5, 6);

/* Sets the line below the bars. */
void trace_bar_list_note(TraceBarList *self, const char *note, ...) G_GNUC_PRINTF(2, 3);

/* Sets the value of a full-width bar. */
void trace_bar_list_scale(TraceBarList *self, double full);

/* Gives all panels one scale: that of the longest bar or mark. */
void trace_bar_list_share_scale(TraceBarList *self);

/* An SVG file; the caller frees it. */
char *trace_bar_list_to_svg(TraceBarList *self);
