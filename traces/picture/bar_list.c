/* Keeps bars and their texts, and draws panels of them. */
#include "traces/picture/bar_list.h"

#include <math.h>
#include <stdarg.h>

#include "traces/picture/svg.h"

/* Lengths in pixels. */
#define EDGE           20.0
#define TITLE_HEIGHT   30.0
#define PANEL_HEIGHT   34.0 /* of its title */
#define PANEL_GAP      14.0
#define BAR_HEIGHT     16.0
#define BAR_LINE       24.0
#define BAR_WIDTH      360.0
#define MARK           2.0 /* a mark stands out so far above and below */
#define BASE           3.0 /* letters stand so far above a bar's lower edge */
#define GAP            10.0
#define TITLE_LETTER   9.2 /* width of one, about */
#define HEADING_LETTER 7.6
#define LETTER         6.8

typedef struct {
    const char *label;
    const char *text;
    double value;
    double mark;
} Bar;

typedef struct {
    const char *title;
    const char *note; /* NULL for none */
    double full;      /* 0: that of the longest bar */
    GArray *bars;     /* of Bar */
} Panel;

struct TraceBarList {
    const char *title;
    GStringChunk *texts;
    GArray *panels; /* of Panel, one below the other */
};

typedef struct {
    double label_width;
    double text_width;
    double words_width; /* of titles and notes */
    double height;
} Measure;

static const Panel *panel_at(const TraceBarList *self, guint index)
{
    return &g_array_index(self->panels, Panel, index);
}

static const Bar *bar_at(const Panel *self, guint index)
{
    return &g_array_index(self->bars, Bar, index);
}

static Measure measure_of(const TraceBarList *self)
{
    Measure measure = {.height = 2 * EDGE + TITLE_HEIGHT,
                       .words_width = trace_svg_text_width(self->title, TITLE_LETTER)};

    for (guint i = 0; i < self->panels->len; i++) {
        const Panel *panel = panel_at(self, i);

        measure.height += PANEL_HEIGHT + PANEL_GAP + BAR_LINE * panel->bars->len +
                          (panel->note != NULL ? BAR_LINE : 0);
        measure.words_width = fmax(measure.words_width,
                                   trace_svg_text_width(panel->title, HEADING_LETTER));
        if (panel->note != NULL) {
            measure.words_width =
                fmax(measure.words_width, trace_svg_text_width(panel->note, LETTER));
        }
        for (guint k = 0; k < panel->bars->len; k++) {
            const Bar *bar = bar_at(panel, k);

            measure.label_width =
                fmax(measure.label_width, trace_svg_text_width(bar->label, LETTER));
            measure.text_width =
                fmax(measure.text_width, trace_svg_text_width(bar->text, LETTER));
        }
    }
    return measure;
}

static double full_of(const Panel *panel)
{
    double full = panel->full;

    for (guint i = 0; i < panel->bars->len && panel->full <= 0; i++) {
        const Bar *bar = bar_at(panel, i);

        full = isfinite(bar->value) ? fmax(full, bar->value) : full;
        full = fmax(full, bar->mark);
    }
    return full;
}

static void draw_bar(TraceSvg *svg, const Bar *bar, double left, double y, double full)
{
    g_autofree char *title = g_strdup_printf("%s: %s", bar->label, bar->text);
    const TraceSvgLook look = {.css_class = "bars-bar", .title = title};
    const double base = y + BAR_HEIGHT - BASE;

    trace_svg_text(svg, left - GAP, base, TRACE_SVG_END, bar->label, NULL);
    trace_svg_rect(svg, left, y, BAR_WIDTH, BAR_HEIGHT, TRACE_SVG_CLASS("bars-track"));
    if (isfinite(bar->value) && full > 0) {
        trace_svg_rect(svg, left, y, BAR_WIDTH * fmin(bar->value / full, 1), BAR_HEIGHT,
                       &look);
    }
    if (bar->mark > 0) {
        const double x = left + BAR_WIDTH * fmin(bar->mark / full, 1);

        trace_svg_line(svg, x, y - MARK, x, y + BAR_HEIGHT + MARK,
                       TRACE_SVG_CLASS("bars-mark"));
    }
    trace_svg_text(svg, left + BAR_WIDTH + GAP, base, TRACE_SVG_START, bar->text, NULL);
}

static double draw_panel(TraceSvg *svg, const Panel *panel, double left, double y)
{
    const double full = full_of(panel);

    trace_svg_text(svg, EDGE, y + PANEL_HEIGHT - GAP, TRACE_SVG_START, panel->title,
                   TRACE_SVG_CLASS("bars-heading"));
    y += PANEL_HEIGHT;
    for (guint i = 0; i < panel->bars->len; i++) {
        draw_bar(svg, bar_at(panel, i), left, y, full);
        y += BAR_LINE;
    }
    if (panel->note != NULL) {
        trace_svg_text(svg, EDGE, y + BAR_HEIGHT - BASE, TRACE_SVG_START, panel->note,
                       TRACE_SVG_CLASS("bars-note"));
        y += BAR_LINE;
    }
    return y + PANEL_GAP;
}

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
    Panel panel = {.bars = g_array_new(FALSE, FALSE, sizeof(Bar))};
    va_list arguments;

    va_start(arguments, title);
    panel.title = keep(self, title, arguments);
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
    Bar bar = {g_string_chunk_insert(self->texts, label), NULL, value, mark};
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
    last(self)->note = keep(self, note, arguments);
    va_end(arguments);
}

void trace_bar_list_scale(TraceBarList *self, double full)
{
    last(self)->full = full;
}

void trace_bar_list_share_scale(TraceBarList *self)
{
    double full = 0;

    for (guint i = 0; i < self->panels->len; i++) {
        for (guint k = 0; k < panel_at(self, i)->bars->len; k++) {
            const Bar *bar = bar_at(panel_at(self, i), k);

            full = fmax(full, fmax(bar->mark, bar->value)); /* NaN is nothing */
        }
    }
    for (guint i = 0; i < self->panels->len; i++) {
        g_array_index(self->panels, Panel, i).full = full;
    }
}

char *trace_bar_list_to_svg(const TraceBarList *self)
{
    const Measure measure = measure_of(self);
    const double left = EDGE + measure.label_width + GAP;
    const double width = fmax(left + BAR_WIDTH + GAP + measure.text_width + EDGE,
                              2 * EDGE + measure.words_width);
    g_autoptr(TraceSvg) svg = trace_svg_new(width, measure.height, self->title);
    double y = EDGE + TITLE_HEIGHT;

    trace_svg_style(svg, ".bars-title",
                    "font-size: 17px; font-weight: 600; fill: #1b1b1f");
    trace_svg_style(svg, ".bars-heading",
                    "font-size: 12.5px; font-weight: 600; fill: #35363c");
    trace_svg_style(svg, ".bars-note", "fill: #55565d");
    trace_svg_style(svg, ".bars-track", "fill: #eeeff3");
    trace_svg_style(svg, ".bars-bar", "fill: #3b6ea5");
    trace_svg_style(svg, ".bars-mark", "stroke: #1b1b1f; stroke-width: 3px");
    trace_svg_text(svg, EDGE, EDGE + GAP, TRACE_SVG_START, self->title,
                   TRACE_SVG_CLASS("bars-title"));
    for (guint i = 0; i < self->panels->len; i++) {
        y = draw_panel(svg, panel_at(self, i), left, y);
    }
    return trace_svg_to_text(svg);
}
