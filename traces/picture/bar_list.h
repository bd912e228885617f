/* Panels of bars that are added one by one and keep their texts. */
#pragma once

#include <glib.h>

#include "traces/picture/bars.h"

typedef struct TraceBarList TraceBarList;

/* All texts are formatted as by printf(). */
TraceBarList *trace_bar_list_new(const char *title, ...) G_GNUC_PRINTF(1, 2);
void trace_bar_list_free(TraceBarList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceBarList, trace_bar_list_free)

/* Begins a panel, to which bars and the note go. */
void trace_bar_list_panel(TraceBarList *self, const char *title, ...)
    G_GNUC_PRINTF(2, 3);

/* A bar; value and mark are those of TraceBar, `label` is copied. */
void trace_bar_list_add(TraceBarList *self,
                        const char *label,
                        double value,
                        double mark,
                        const char *text,
                        ...) G_GNUC_PRINTF(5, 6);

/* A line below the bars. */
void trace_bar_list_note(TraceBarList *self, const char *note, ...) G_GNUC_PRINTF(2, 3);

/* The value of a bar over the whole width. */
void trace_bar_list_scale(TraceBarList *self, double full);

/* All panels have one scale: that of the longest bar or mark. */
void trace_bar_list_share_scale(TraceBarList *self);

/* An SVG file; the caller frees it. */
char *trace_bar_list_to_svg(TraceBarList *self);
