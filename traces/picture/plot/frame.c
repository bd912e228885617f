/* Draws axes. */
#include "traces/picture/plot/frame.h"

#include <math.h>

#define TICK_LETTER 6.4 /* width of one, about */
#define ROW_HEIGHT  15.0

enum {
    ROWS_MOST = 4,
};

void trace_plot_frame_clear(TracePlotFrame *self)
{
    trace_plot_axis_clear(&self->x);
    trace_plot_axis_clear(&self->y);
}

void trace_plot_frame_style(TraceSvg *svg)
{
    trace_svg_style(svg, ".plot-title",
                    "font-size: 17px; font-weight: 600; fill: #1b1b1f");
    trace_svg_style(svg, ".plot-words", "font-size: 12.5px; fill: #35363c");
    trace_svg_style(svg, ".plot-ticks text", "font-size: 11.5px; fill: #55565d");
    trace_svg_style(svg, ".plot-ticks line", "stroke: #d9dae0; stroke-width: 1px");
    trace_svg_style(svg, ".plot-ticks .plot-minor", "stroke: #eeeff3");
    trace_svg_style(svg, ".plot-axis", "stroke: #63646b; stroke-width: 1.2px");
}

guint trace_plot_frame_rows(const TracePlotFrame *self)
{
    const double step = self->width / fmax(self->x.ticks->len, 1);
    double width = 0;

    for (guint i = 0; i < self->x.ticks->len; i++) {
        const char *label = g_array_index(self->x.ticks, TracePlotTick, i).label;

        width =
            fmax(width, label != NULL ? trace_svg_text_width(label, TICK_LETTER) : 0);
    }
    return (guint) CLAMP(ceil((width + TICK_LETTER) / step), 1, ROWS_MOST);
}

double trace_plot_frame_rows_height(const TracePlotFrame *self)
{
    return self->label_rows > 1 ? ROW_HEIGHT * (self->label_rows - 1) : 0;
}

double trace_plot_frame_labels(const TracePlotFrame *self)
{
    double width = 0;

    for (guint i = 0; i < self->y.ticks->len; i++) {
        const char *label = g_array_index(self->y.ticks, TracePlotTick, i).label;

        width =
            fmax(width, label != NULL ? trace_svg_text_width(label, TICK_LETTER) : 0);
    }
    return width;
}

double trace_plot_frame_x(const TracePlotFrame *self, double value)
{
    return self->width * trace_plot_axis_place(&self->x, value);
}

double trace_plot_frame_y(const TracePlotFrame *self, double value)
{
    return self->height * (1 - trace_plot_axis_place(&self->y, value));
}

static void draw_ticks(const TracePlotFrame *self, TraceSvg *svg)
{
    trace_svg_open_group(svg, 0, 0, "plot-ticks", NULL);
    for (guint i = 0; i < self->x.ticks->len; i++) {
        const TracePlotTick *tick = &g_array_index(self->x.ticks, TracePlotTick, i);
        const double x = trace_plot_frame_x(self, tick->value);

        trace_svg_line(svg, x, 0, x, self->height,
                       tick->label != NULL ? NULL : TRACE_SVG_CLASS("plot-minor"));
        if (tick->label != NULL) {
            const guint row = i % MAX(self->label_rows, 1);

            trace_svg_text(svg, x, self->height + 18 + ROW_HEIGHT * row,
                           TRACE_SVG_MIDDLE, tick->label, NULL);
        }
    }
    for (guint i = 0; i < self->y.ticks->len; i++) {
        const TracePlotTick *tick = &g_array_index(self->y.ticks, TracePlotTick, i);
        const double y = trace_plot_frame_y(self, tick->value);

        trace_svg_line(svg, 0, y, self->width, y,
                       tick->label != NULL ? NULL : TRACE_SVG_CLASS("plot-minor"));
        if (tick->label != NULL) {
            trace_svg_text(svg, -8, y + 4, TRACE_SVG_END, tick->label, NULL);
        }
    }
    trace_svg_close_group(svg);
}

void trace_plot_frame_draw(const TracePlotFrame *self, TraceSvg *svg, double words_x)
{
    const double zero = self->y.low < 0 && self->y.high > 0
                            ? trace_plot_frame_y(self, 0)
                            : self->height;

    draw_ticks(self, svg);
    trace_svg_line(svg, 0, zero, self->width, zero, TRACE_SVG_CLASS("plot-axis"));
    trace_svg_line(svg, 0, 0, 0, self->height, TRACE_SVG_CLASS("plot-axis"));
    trace_svg_text(svg, self->width / 2,
                   self->height + 40 + trace_plot_frame_rows_height(self),
                   TRACE_SVG_MIDDLE, self->x_words, TRACE_SVG_CLASS("plot-words"));
    trace_svg_text(svg, words_x, -12, TRACE_SVG_START, self->y_words,
                   TRACE_SVG_CLASS("plot-words"));
}
