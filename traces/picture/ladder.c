/* Draws rows of numbered points. */
#include "traces/picture/ladder.h"

#include <math.h>

#include "traces/picture/plot/axis.h"
#include "traces/picture/plot/mark.h"
#include "traces/picture/svg.h"

/* Lengths in pixels. */
#define EDGE         20.0
#define TITLE_HEIGHT 34.0
#define SIDES_HEIGHT 30.0 /* the meaning of both sides of the limit */
#define AREA_WIDTH   780.0
#define ROW_HEIGHT   30.0
#define FOOT         58.0
#define NOTE         22.0
#define GAP          12.0
#define LETTER       6.8 /* width of one, about */
#define TITLE_LETTER 9.2

typedef struct {
    const TraceLadder *ladder;
    TraceSvg *svg;
    TracePlotAxis axis;
    double left;
    double height; /* of all rows */
} Drawing;

static void drawing_clear(Drawing *self)
{
    trace_plot_axis_clear(&self->axis);
    trace_svg_free(self->svg);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Drawing, drawing_clear)

static void cover(Drawing *self)
{
    trace_plot_axis_init(&self->axis, true);
    trace_plot_axis_cover(&self->axis, self->ladder->limit);
    for (gsize i = 0; i < self->ladder->row_count; i++) {
        const TraceLadderRow *row = &self->ladder->rows[i];

        for (gsize k = 0; k < row->value_count; k++) {
            trace_plot_axis_cover(&self->axis, row->values[k]);
        }
    }
    trace_plot_axis_ready(&self->axis);
}

static double pixel(const Drawing *self, double value)
{
    return AREA_WIDTH * trace_plot_axis_place(&self->axis, value);
}

static void draw_sides(const Drawing *self)
{
    const double x = pixel(self, self->ladder->limit);

    trace_svg_rect(self->svg, x, 0, AREA_WIDTH - x, self->height,
                   TRACE_SVG_CLASS("ladder-above"));
    trace_svg_line(self->svg, x, -4, x, self->height, TRACE_SVG_CLASS("ladder-limit"));
    trace_svg_text(self->svg, 0, -GAP, TRACE_SVG_START, self->ladder->below,
                   TRACE_SVG_CLASS("ladder-side"));
    trace_svg_text(self->svg, AREA_WIDTH, -GAP, TRACE_SVG_END, self->ladder->above,
                   TRACE_SVG_CLASS("ladder-side"));
    trace_svg_text(self->svg, x, -GAP, TRACE_SVG_MIDDLE, self->ladder->limit_text,
                   TRACE_SVG_CLASS("ladder-side"));
}

static void draw_axis(const Drawing *self)
{
    for (guint i = 0; i < self->axis.ticks->len; i++) {
        const TracePlotTick *tick = &g_array_index(self->axis.ticks, TracePlotTick, i);
        const double x = pixel(self, tick->value);

        trace_svg_line(self->svg, x, 0, x, self->height,
                       tick->label != NULL ? TRACE_SVG_CLASS("ladder-major")
                                           : TRACE_SVG_CLASS("ladder-minor"));
        if (tick->label != NULL) {
            trace_svg_text(self->svg, x, self->height + 18, TRACE_SVG_MIDDLE,
                           tick->label, TRACE_SVG_CLASS("ladder-words"));
        }
    }
    trace_svg_text(self->svg, AREA_WIDTH / 2, self->height + 40, TRACE_SVG_MIDDLE,
                   self->ladder->x, TRACE_SVG_CLASS("ladder-words"));
}

static void draw_row(const Drawing *self, gsize index)
{
    const TraceLadderRow *row = &self->ladder->rows[index];
    const double y = ROW_HEIGHT * ((double) index + 0.5);

    trace_svg_open_group(self->svg, 0, 0, "ladder-row", row->label);
    trace_svg_text(self->svg, -GAP, y + 4, TRACE_SVG_END, row->label,
                   TRACE_SVG_CLASS("ladder-words"));
    trace_svg_line(self->svg, 0, y, AREA_WIDTH, y, TRACE_SVG_CLASS("ladder-rung"));
    for (gsize i = row->value_count; i-- > 0;) {
        const TraceSvgPoint at = {pixel(self, row->values[i]), y};
        g_autofree char *text = g_strdup_printf("%" G_GSIZE_FORMAT, i + 1);
        g_autofree char *title =
            g_strdup_printf("%s, %s: %.6g", row->label, text, row->values[i]);

        trace_plot_number_draw(self->svg, row->colour, at, text, title);
    }
    trace_svg_close_group(self->svg);
}

static void draw_notes(const Drawing *self, double y)
{
    for (const char *const *note = self->ladder->notes; note != NULL && *note != NULL;
         note++) {
        trace_svg_text(self->svg, EDGE, y, TRACE_SVG_START, *note,
                       TRACE_SVG_CLASS("ladder-note"));
        y += NOTE;
    }
}

static void style(TraceSvg *svg)
{
    trace_plot_number_style(svg);
    trace_svg_style(svg, ".ladder-title",
                    "font-size: 17px; font-weight: 600; fill: #1b1b1f");
    trace_svg_style(svg, ".ladder-words", "font-size: 12.5px; fill: #35363c");
    trace_svg_style(svg, ".ladder-note", "font-size: 12px; fill: #55565d");
    trace_svg_style(svg, ".ladder-side",
                    "font-size: 12.5px; font-weight: 600; fill: #35363c");
    trace_svg_style(svg, ".ladder-major", "stroke: #d9dae0; stroke-width: 1px");
    trace_svg_style(svg, ".ladder-minor", "stroke: #eeeff3; stroke-width: 1px");
    trace_svg_style(svg, ".ladder-rung", "stroke: #c9cad2; stroke-width: 1px");
    trace_svg_style(svg, ".ladder-above", "fill: #fbf1e3");
    trace_svg_style(svg, ".ladder-limit",
                    "stroke: #63646b; stroke-width: 1.6px; stroke-dasharray: 6 4");
}

static void draw(const Drawing *self)
{
    const double top = EDGE + TITLE_HEIGHT + SIDES_HEIGHT;

    style(self->svg);
    trace_svg_text(self->svg, EDGE, EDGE + 14, TRACE_SVG_START, self->ladder->title,
                   TRACE_SVG_CLASS("ladder-title"));
    trace_svg_open_group(self->svg, self->left, top, NULL, NULL);
    draw_sides(self);
    draw_axis(self);
    for (gsize i = 0; i < self->ladder->row_count; i++) {
        draw_row(self, i);
    }
    trace_svg_close_group(self->svg);
    draw_notes(self, top + self->height + FOOT + NOTE / 2);
}

char *trace_ladder_to_svg(const TraceLadder *self)
{
    g_auto(Drawing)
        drawing = {.ladder = self, .height = ROW_HEIGHT * (double) self->row_count};
    double words = trace_svg_text_width(self->title, TITLE_LETTER);
    double foot = FOOT;

    for (gsize i = 0; i < self->row_count; i++) {
        drawing.left =
            fmax(drawing.left, trace_svg_text_width(self->rows[i].label, LETTER));
    }
    for (const char *const *note = self->notes; note != NULL && *note != NULL; note++) {
        words = fmax(words, trace_svg_text_width(*note, LETTER));
        foot += NOTE;
    }
    drawing.left += EDGE + GAP;
    cover(&drawing);
    drawing.svg = trace_svg_new(
        fmax(drawing.left + AREA_WIDTH, EDGE + words) + EDGE,
        EDGE + TITLE_HEIGHT + SIDES_HEIGHT + drawing.height + foot + EDGE, self->title);
    draw(&drawing);
    return trace_svg_to_text(drawing.svg);
}
