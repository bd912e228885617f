/* Keeps bars and their texts until they are drawn. */
#include "traces/picture/bar_list.h"

#include <math.h>
#include <stdarg.h>

typedef struct {
    TraceBarPanel drawn;
    GArray *bars; /* of TraceBar */
} Panel;

struct TraceBarList {
    const char *title;
    GStringChunk *texts;
    GArray *panels; /* of Panel */
};

enum {
    CHUNK = 1024, /* bytes of texts */
};

static void panel_clear(gpointer data)
{
    g_array_unref(((Panel *) data)->bars);
}

G_GNUC_PRINTF(2, 0)
static const char *keep(TraceBarList *self, const char *format, va_list arguments)
{
    g_autofree char *text = g_strdup_vprintf(format, arguments);

    return g_string_chunk_insert(self->texts, text);
}

static Panel *last(TraceBarList *self)
{
    return &g_array_index(self->panels, Panel, self->panels->len - 1);
}

TraceBarList *trace_bar_list_new(const char *title, ...)
{
    TraceBarList *self = g_new0(TraceBarList, 1);
    va_list arguments;

    self->texts = g_string_chunk_new(CHUNK);
    self->panels = g_array_new(FALSE, FALSE, sizeof(Panel));
    g_array_set_clear_func(self->panels, panel_clear);
    va_start(arguments, title);
    self->title = keep(self, title, arguments);
    va_end(arguments);
    return self;
}

void trace_bar_list_free(TraceBarList *self)
{
    if (self != NULL) {
        g_array_unref(self->panels);
        g_string_chunk_free(self->texts);
        g_free(self);
    }
}

void trace_bar_list_panel(TraceBarList *self, const char *title, ...)
{
    Panel panel = {.bars = g_array_new(FALSE, FALSE, sizeof(TraceBar))};
    va_list arguments;

    va_start(arguments, title);
    panel.drawn.title = keep(self, title, arguments);
    va_end(arguments);
    g_array_append_val(self->panels, panel);
}

void trace_bar_list_add(TraceBarList *self,
                        const char *label,
                        double value,
                        double mark,
                        const char *text,
                        ...)
{
    TraceBar bar = {g_string_chunk_insert(self->texts, label), NULL, value, mark};
    va_list arguments;

    va_start(arguments, text);
    bar.text = keep(self, text, arguments);
    va_end(arguments);
    g_array_append_val(last(self)->bars, bar);
}

void trace_bar_list_note(TraceBarList *self, const char *note, ...)
{
    va_list arguments;

    va_start(arguments, note);
    last(self)->drawn.note = keep(self, note, arguments);
    va_end(arguments);
}

void trace_bar_list_scale(TraceBarList *self, double full)
{
    last(self)->drawn.full = full;
}

void trace_bar_list_share_scale(TraceBarList *self)
{
    double full = 0;

    for (guint i = 0; i < self->panels->len; i++) {
        const GArray *bars = g_array_index(self->panels, Panel, i).bars;

        for (guint k = 0; k < bars->len; k++) {
            const TraceBar *bar = &g_array_index(bars, TraceBar, k);

            full = fmax(full, fmax(bar->mark, bar->value)); /* NaN is nothing */
        }
    }
    for (guint i = 0; i < self->panels->len; i++) {
        g_array_index(self->panels, Panel, i).drawn.full = full;
    }
}

char *trace_bar_list_to_svg(TraceBarList *self)
{
    g_autofree TraceBarPanel *panels = g_new0(TraceBarPanel, self->panels->len);

    for (guint i = 0; i < self->panels->len; i++) {
        const Panel *panel = &g_array_index(self->panels, Panel, i);

        panels[i] = panel->drawn;
        panels[i].bars = (const TraceBar *) (gconstpointer) panel->bars->data;
        panels[i].bar_count = panel->bars->len;
    }
    return trace_bars_to_svg(&(TraceBars){
        .title = self->title, .panels = panels, .panel_count = self->panels->len});
}
