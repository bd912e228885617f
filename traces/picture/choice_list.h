/* Panels of candidates and lines of text, added one by one and kept until drawn. */
#pragma once

#include <glib.h>

#include "traces/picture/choices.h"

typedef struct TraceChoiceList TraceChoiceList;

TraceChoiceList *trace_choice_list_new(void);
void trace_choice_list_free(TraceChoiceList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceChoiceList, trace_choice_list_free)

/* All texts are formatted as by printf(). */

/* Begins a panel; candidates that follow belong to it. Their names are copied. */
void trace_choice_list_panel(TraceChoiceList *self, const char *title, ...)
    G_GNUC_PRINTF(2, 3);
void trace_choice_list_add(TraceChoiceList *self, TraceChoice choice);

/* Sets the line below the panel; adds a line below all panels. */
void trace_choice_list_caption(TraceChoiceList *self, const char *text, ...)
    G_GNUC_PRINTF(2, 3);
void trace_choice_list_note(TraceChoiceList *self, const char *text, ...)
    G_GNUC_PRINTF(2, 3);

/* An SVG file of `picture` with these panels and notes; the caller frees it. */
char *trace_choice_list_to_svg(TraceChoiceList *self, TraceChoices picture);
