/* Draws bars to both sides of a number. */
#include "traces/picture/tornado.h"

#include <math.h>
#include <stdbool.h>

#include "traces/picture/palette.h"
#include "traces/picture/plot/axis.h"
#include "traces/picture/svg.h"

/* Lengths in pixels. */
#define EDGE          20.0
#define TITLE_HEIGHT  30.0
#define LEGEND_HEIGHT 44.0
#define AREA_WIDTH    560.0
#define ROW_HEIGHT    26.0
#define BAR_HEIGHT    16.0
#define INSET         4.0 /* of a bar in front of another */
#define FOOT          50.0
#define GAP           10.0
#define SWATCH        12.0
#define LETTER        6.8 /* width of one, about */
#define END_LETTER    6.2
#define TITLE_LETTER  9.2

static const char *const kind_names[TRACE_TORNADO_KINDS] = {
    "at the low end of its range", "at the high end", "another choice"};

typedef struct {
    const TraceTornado *tornado;
    TraceSvg *svg;
    TracePlotAxis axis;
    double left;
    double sides;  /* beside the area, for texts of ends */
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
    const TraceTornado *tornado = self->tornado;

    trace_plot_axis_init(&self->axis, false);
    trace_plot_axis_cover(&self->axis, tornado->value);
    if (isfinite(tornado->low) && isfinite(tornado->high)) {
        trace_plot_axis_cover(&self->axis, tornado->low);
        trace_plot_axis_cover(&self->axis, tornado->high);
    }
    for (gsize i = 0; i < tornado->bar_count; i++) {
        for (gsize k = 0; k < tornado->bars[i].end_count; k++) {
            const double value = tornado->bars[i].ends[k].value;

            if (trace_plot_axis_takes(value, false)) {
                trace_plot_axis_cover(&self->axis, value);
            }
        }
    }
    trace_plot_axis_ready(&self->axis);
}

static double pixel(const Drawing *self, double value)
{
    return AREA_WIDTH * trace_plot_axis_place(&self->axis, value);
}

static const char *colour_of(TraceTornadoKind kind)
{
    return trace_palette_colour((gsize) kind);
}

static void draw_axis(const Drawing *self)
{
    for (guint i = 0; i < self->axis.ticks->len; i++) {
        const TracePlotTick *tick = &g_array_index(self->axis.ticks, TracePlotTick, i);
        const double x = pixel(self, tick->value);

        if (tick->label != NULL) {
            trace_svg_line(self->svg, x, 0, x, self->height,
                           TRACE_SVG_CLASS("tornado-grid"));
            trace_svg_text(self->svg, x, self->height + 18, TRACE_SVG_MIDDLE,
                           tick->label, TRACE_SVG_CLASS("tornado-words"));
        }
    }
    trace_svg_text(self->svg, AREA_WIDTH / 2, self->height + 40, TRACE_SVG_MIDDLE,
                   self->tornado->x, TRACE_SVG_CLASS("tornado-words"));
}

static void draw_band(const Drawing *self)
{
    const double low = self->tornado->low;
    const double high = self->tornado->high;

    if (isfinite(low) && isfinite(high)) {
        trace_svg_rect(self->svg, pixel(self, low), 0,
                       fmax(1, pixel(self, high) - pixel(self, low)), self->height,
                       TRACE_SVG_CLASS("tornado-band"));
    }
}

/* The bar that reaches farther on one side is drawn first, and is the taller one. */
static bool is_behind(const Drawing *self, const TraceTornadoBar *bar, gsize end)
{
    const double reach = bar->ends[end].value - self->tornado->value;

    for (gsize i = 0; i < bar->end_count; i++) {
        const double other = bar->ends[i].value - self->tornado->value;

        if (i != end && reach * other > 0 &&
            (fabs(other) > fabs(reach) || (fabs(other) == fabs(reach) && i < end))) {
            return false;
        }
    }
    return true;
}

static void
draw_end(const Drawing *self, const TraceTornadoBar *bar, gsize end, double y)
{
    const TraceTornadoEnd *at = &bar->ends[end];
    const bool is_tall = is_behind(self, bar, end);
    const double inset = is_tall ? 0 : INSET;
    const double from = pixel(self, self->tornado->value);
    const double to = pixel(self, at->value);
    g_autofree char *title =
        g_strdup_printf("%s = %s: %.6g", bar->label, at->text, at->value);
    const TraceSvgLook look = {.fill = colour_of(at->kind), .title = title};

    trace_svg_rect(self->svg, fmin(from, to), y + inset, fmax(1, fabs(to - from)),
                   BAR_HEIGHT - 2 * inset, &look);
    if (is_tall && to != from) {
        trace_svg_text(self->svg, to + (to < from ? -4 : 4), y + BAR_HEIGHT - 4,
                       to < from ? TRACE_SVG_END : TRACE_SVG_START, at->text,
                       TRACE_SVG_CLASS("tornado-end"));
    }
}

static void draw_bar(const Drawing *self, gsize index)
{
    const TraceTornadoBar *bar = &self->tornado->bars[index];
    const double y = ROW_HEIGHT * (double) index + (ROW_HEIGHT - BAR_HEIGHT) / 2;
    const double base = y + BAR_HEIGHT - 4;

    trace_svg_open_group(self->svg, 0, 0, "tornado-row", NULL);
    trace_svg_text(self->svg, -self->sides, base, TRACE_SVG_END, bar->label,
                   TRACE_SVG_CLASS("tornado-words"));
    for (guint turn = 0; turn < 2; turn++) {
        for (gsize i = 0; i < bar->end_count; i++) {
            if (isfinite(bar->ends[i].value) &&
                is_behind(self, bar, i) == (turn == 0)) {
                draw_end(self, bar, i, y);
            }
        }
    }
    trace_svg_text(self->svg, AREA_WIDTH + self->sides, base, TRACE_SVG_START,
                   bar->note, TRACE_SVG_CLASS("tornado-words"));
    trace_svg_close_group(self->svg);
}

static bool has_kind(const TraceTornado *tornado, TraceTornadoKind kind)
{
    for (gsize i = 0; i < tornado->bar_count; i++) {
        for (gsize k = 0; k < tornado->bars[i].end_count; k++) {
            if (tornado->bars[i].ends[k].kind == kind) {
                return true;
            }
        }
    }
    return false;
}

static double
draw_key(const Drawing *self, double x, const TraceSvgLook *look, const char *text)
{
    const double y = EDGE + TITLE_HEIGHT;

    trace_svg_rect(self->svg, x, y, SWATCH, SWATCH, look);
    trace_svg_text(self->svg, x + SWATCH + 6, y + SWATCH - 1, TRACE_SVG_START, text,
                   TRACE_SVG_CLASS("tornado-words"));
    return x + SWATCH + 6 + trace_svg_text_width(text, LETTER) + 2 * GAP;
}

static void draw_legend(const Drawing *self)
{
    double x = EDGE;

    for (TraceTornadoKind kind = 0; kind < TRACE_TORNADO_KINDS; kind++) {
        const TraceSvgLook look = {.fill = colour_of(kind)};

        if (has_kind(self->tornado, kind)) {
            x = draw_key(self, x, &look, kind_names[kind]);
        }
    }
    if (isfinite(self->tornado->low)) {
        (void) draw_key(self, x, TRACE_SVG_CLASS("tornado-band"),
                        self->tornado->band_text);
    }
}

static void style(TraceSvg *svg)
{
    trace_svg_style(svg, ".tornado-title",
                    "font-size: 17px; font-weight: 600; fill: #1b1b1f");
    trace_svg_style(svg, ".tornado-words", "font-size: 12.5px; fill: #35363c");
    trace_svg_style(svg, ".tornado-end", "font-size: 11px; fill: #55565d");
    trace_svg_style(svg, ".tornado-grid", "stroke: #e3e4ea; stroke-width: 1px");
    trace_svg_style(svg, ".tornado-band", "fill: #ece5d3");
    trace_svg_style(svg, ".tornado-value", "stroke: #1b1b1f; stroke-width: 1.4px");
}

static void draw(const Drawing *self)
{
    const double x = pixel(self, self->tornado->value);

    style(self->svg);
    trace_svg_text(self->svg, EDGE, EDGE + 14, TRACE_SVG_START, self->tornado->title,
                   TRACE_SVG_CLASS("tornado-title"));
    draw_legend(self);
    trace_svg_open_group(self->svg, self->left, EDGE + TITLE_HEIGHT + LEGEND_HEIGHT,
                         NULL, NULL);
    draw_band(self);
    draw_axis(self);
    for (gsize i = 0; i < self->tornado->bar_count; i++) {
        draw_bar(self, i);
    }
    trace_svg_line(self->svg, x, -4, x, self->height, TRACE_SVG_CLASS("tornado-value"));
    trace_svg_text(self->svg, AREA_WIDTH + self->sides, -6, TRACE_SVG_START,
                   self->tornado->note, TRACE_SVG_CLASS("tornado-words"));
    trace_svg_close_group(self->svg);
}

/* The width of the legend with all its words. */
static double legend_width(const TraceTornado *self)
{
    double width = EDGE;

    for (TraceTornadoKind kind = 0; kind < TRACE_TORNADO_KINDS; kind++) {
        width += SWATCH + 6 + trace_svg_text_width(kind_names[kind], LETTER) + 2 * GAP;
    }
    return width + SWATCH + 6 + trace_svg_text_width(self->band_text, LETTER);
}

/* The width of the longest text of an end. */
static double ends_width(const TraceTornado *self)
{
    double width = 0;

    for (gsize i = 0; i < self->bar_count; i++) {
        for (gsize k = 0; k < self->bars[i].end_count; k++) {
            width = fmax(width,
                         trace_svg_text_width(self->bars[i].ends[k].text, END_LETTER));
        }
    }
    return width;
}

char *trace_tornado_to_svg(const TraceTornado *self)
{
    g_auto(Drawing) drawing = {.tornado = self,
                               .height = ROW_HEIGHT * (double) MAX(self->bar_count, 1)};
    double notes = trace_svg_text_width(self->note, LETTER);
    double width;

    for (gsize i = 0; i < self->bar_count; i++) {
        drawing.left =
            fmax(drawing.left, trace_svg_text_width(self->bars[i].label, LETTER));
        notes = fmax(notes, trace_svg_text_width(self->bars[i].note, LETTER));
    }
    drawing.sides = ends_width(self) + GAP;
    drawing.left += EDGE + drawing.sides;
    width = fmax(drawing.left + AREA_WIDTH + drawing.sides + notes,
                 fmax(legend_width(self),
                      EDGE + trace_svg_text_width(self->title, TITLE_LETTER)));
    cover(&drawing);
    drawing.svg = trace_svg_new(width + EDGE,
                                EDGE + TITLE_HEIGHT + LEGEND_HEIGHT + drawing.height +
                                    FOOT + EDGE,
                                self->title);
    draw(&drawing);
    return trace_svg_to_text(drawing.svg);
}
