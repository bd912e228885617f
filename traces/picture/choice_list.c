/* Keeps candidates and their texts until they are drawn. */
#include "traces/picture/choice_list.h"

#include <stdarg.h>

typedef struct {
    TraceChoicePanel drawn;
    GArray *choices; /* of TraceChoice */
} Panel;

struct TraceChoiceList {
    GStringChunk *texts;
    GArray *panels;   /* of Panel */
    GPtrArray *notes; /* of char, borrowed from the texts */
};

enum {
    CHUNK = 1024, /* bytes of texts */
};

static void panel_clear(gpointer data)
{
    g_array_unref(((Panel *) data)->choices);
}

TraceChoiceList *trace_choice_list_new(void)
{
    TraceChoiceList *self = g_new0(TraceChoiceList, 1);

    self->texts = g_string_chunk_new(CHUNK);
    self->panels = g_array_new(FALSE, FALSE, sizeof(Panel));
    g_array_set_clear_func(self->panels, panel_clear);
    self->notes = g_ptr_array_new();
    return self;
}

void trace_choice_list_free(TraceChoiceList *self)
{
    if (self != NULL) {
        g_array_unref(self->panels);
        g_ptr_array_unref(self->notes);
        g_string_chunk_free(self->texts);
        g_free(self);
    }
}

G_GNUC_PRINTF(2, 0)
static char *keep(TraceChoiceList *self, const char *format, va_list arguments)
{
    g_autofree char *text = g_strdup_vprintf(format, arguments);

    return g_string_chunk_insert(self->texts, text);
}

static Panel *last(TraceChoiceList *self)
{
    return &g_array_index(self->panels, Panel, self->panels->len - 1);
}

void trace_choice_list_panel(TraceChoiceList *self, const char *title, ...)
{
    Panel panel = {.choices = g_array_new(FALSE, FALSE, sizeof(TraceChoice))};
    va_list arguments;

    va_start(arguments, title);
    panel.drawn.title = keep(self, title, arguments);
    va_end(arguments);
    g_array_append_val(self->panels, panel);
}

void trace_choice_list_add(TraceChoiceList *self, TraceChoice choice)
{
    if (choice.name != NULL) {
        choice.name = g_string_chunk_insert(self->texts, choice.name);
    }
    g_array_append_val(last(self)->choices, choice);
}

void trace_choice_list_caption(TraceChoiceList *self, const char *text, ...)
{
    va_list arguments;

    va_start(arguments, text);
    last(self)->drawn.note = keep(self, text, arguments);
    va_end(arguments);
}

void trace_choice_list_note(TraceChoiceList *self, const char *text, ...)
{
    va_list arguments;

    va_start(arguments, text);
    g_ptr_array_add(self->notes, keep(self, text, arguments));
    va_end(arguments);
}

char *trace_choice_list_to_svg(TraceChoiceList *self, TraceChoices picture)
{
    g_autofree TraceChoicePanel *panels = g_new(TraceChoicePanel, self->panels->len);

    for (guint i = 0; i < self->panels->len; i++) {
        const Panel *panel = &g_array_index(self->panels, Panel, i);

        panels[i] = panel->drawn;
        panels[i].choices = (const TraceChoice *) (gpointer) panel->choices->data;
        panels[i].choice_count = panel->choices->len;
    }
    g_ptr_array_add(self->notes, NULL);
    picture.panels = panels;
    picture.panel_count = self->panels->len;
    picture.notes = (const char *const *) self->notes->pdata;
    return trace_choices_to_svg(&picture);
}
