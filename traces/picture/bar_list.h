/* Panels of bars, each with its text: added one by one, then drawn. */
#pragma once

#include <glib.h>

typedef struct TraceBarList TraceBarList;

/* All texts are formatted as by printf(). */
TraceBarList *trace_bar_list_new(const char *title, ...) G_GNUC_PRINTF(1, 2);
void trace_bar_list_free(TraceBarList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceBarList, trace_bar_list_free)

/* Begins a panel; bars and the note that follow belong to it. */
void trace_bar_list_panel(TraceBarList *self, const char *title, ...)
    G_GNUC_PRINTF(2, 3);

/* Adds a bar. `value` is not negative; NaN: no bar. `mark` is a stroke across the bar
 * at that value; 0: none. `label` is copied; `text` is the number for people, or why
 * there is none. */
void trace_bar_list_add(TraceBarList *self,
                        const char *label,
                        double value,
                        double mark,
                        const char *text,
                        ...) G_GNUC_PRINTF(5, 6);

/* Sets the line below the bars. */
void trace_bar_list_note(TraceBarList *self, const char *note, ...) G_GNUC_PRINTF(2, 3);

/* Sets the value of a full-width bar; else it is that of the panel's longest bar or
 * mark. */
void trace_bar_list_scale(TraceBarList *self, double full);

/* Gives all panels one scale: that of the longest bar or mark. */
void trace_bar_list_share_scale(TraceBarList *self);

/* An SVG file; the caller frees it. The bars of a panel share one linear scale that
 * begins at 0. A value beyond its end has a full-width bar; a mark beyond it is drawn
 * at the end. */
char *trace_bar_list_to_svg(const TraceBarList *self);
