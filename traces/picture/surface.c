/* Draws cells over two axes. */
#include "traces/picture/surface.h"

#include <math.h>
#include <stdbool.h>

#include "traces/file/quantity.h"
#include "traces/picture/palette.h"
#include "traces/picture/svg.h"

/* Lengths in pixels. */
#define EDGE         20.0
#define HEAD         86.0 /* title and legend */
#define AXIS         52.0 /* left of the cells */
#define FOOT         46.0 /* labels and words below them */
#define NOTE         22.0
#define WIDTH        720.0 /* of all cells, at most */
#define HEIGHT       420.0
#define CELL_MOST    40.0
#define CELL_LEAST   4.0
#define LABEL_ROOM   30.0 /* that a label of a column takes */
#define LABEL_HEIGHT 14.0
#define LEGEND_WIDTH 240.0
#define LEGEND_STEPS 60
#define RATIO        2.0
#define TITLE_LETTER 9.4
#define LETTER       7.0
#define MARK_LETTER  6.4
#define RADIUS       5.0

enum {
    DIGITS = 4,
};

typedef struct {
    const TraceSurface *surface;
    TraceSvg *svg;
    double cell_width;
    double cell_height;
    double low;
    double high;
    bool is_log;
    bool is_empty;
} Picture;

static void find_range(Picture *self)
{
    const TraceSurface *surface = self->surface;

    self->low = INFINITY;
    self->high = 0;
    for (gsize i = 0; i < surface->column_count * surface->row_count; i++) {
        if (isfinite(surface->values[i])) {
            self->low = fmin(self->low, surface->values[i]);
            self->high = fmax(self->high, surface->values[i]);
        }
    }
    self->is_empty = !(self->high > 0);
    self->is_log = !self->is_empty && self->high > RATIO * self->low;
}

/* 0 for the least, 1 for the largest. */
static double place(const Picture *self, double value)
{
    if (!(self->high > self->low)) {
        return 0;
    }
    return self->is_log ? log(value / self->low) / log(self->high / self->low)
                        : (value - self->low) / (self->high - self->low);
}

static double value_at(const Picture *self, double part)
{
    return self->is_log ? self->low * pow(self->high / self->low, part)
                        : self->low + part * (self->high - self->low);
}

static void draw_legend(const Picture *self)
{
    const double step = LEGEND_WIDTH / LEGEND_STEPS;

    trace_svg_open_group(self->svg, EDGE, EDGE + 30, "surface-legend", NULL);
    for (guint i = 0; i < LEGEND_STEPS; i++) {
        char colour[HEAT_COLOUR_SIZE];
        const TraceSvgLook look = {.fill = colour};

        heat_ramp_colour(i / (LEGEND_STEPS - 1.0), colour);
        trace_svg_rect(self->svg, i * step, 0, step, 12, &look);
    }
    for (guint i = 0; i <= 2; i++) {
        const TraceSvgAnchor anchors[] = {TRACE_SVG_START, TRACE_SVG_MIDDLE,
                                          TRACE_SVG_END};
        g_autofree char *text = quantity_short(value_at(self, i / 2.0), DIGITS);

        trace_svg_text(self->svg, LEGEND_WIDTH * i / 2, 26, anchors[i], text,
                       TRACE_SVG_CLASS("surface-words"));
    }
    trace_svg_text(self->svg, LEGEND_WIDTH + 12, 11, TRACE_SVG_START,
                   self->surface->unit, TRACE_SVG_CLASS("surface-words"));
    trace_svg_close_group(self->svg);
}

static void draw_cell(const Picture *self, gsize column, gsize row)
{
    const TraceSurface *surface = self->surface;
    const double value = surface->values[row * surface->column_count + column];

    if (!isfinite(value)) {
        return;
    }
    g_autofree char *x = quantity_short(surface->columns[column], DIGITS);
    g_autofree char *y = quantity_short(surface->rows[row], DIGITS);
    g_autofree char *text = quantity_short(value, DIGITS);
    g_autofree char *title = g_strdup_printf("%s; %s: %s", x, y, text);
    char colour[HEAT_COLOUR_SIZE];
    const TraceSvgLook look = {.fill = colour, .title = title};

    heat_ramp_colour(place(self, value), colour);
    trace_svg_rect(self->svg, (double) column * self->cell_width,
                   (double) (surface->row_count - 1 - row) * self->cell_height,
                   self->cell_width, self->cell_height, &look);
}

/* Labels columns and rows at intervals, so that labels do not run into each other. */
static void draw_axes(const Picture *self)
{
    const TraceSurface *surface = self->surface;
    const double width = (double) surface->column_count * self->cell_width;
    const double height = (double) surface->row_count * self->cell_height;
    const gsize columns = (gsize) ceil(LABEL_ROOM / self->cell_width);
    const gsize rows = (gsize) ceil(LABEL_HEIGHT / self->cell_height);

    trace_svg_rect(self->svg, 0, 0, width, height, TRACE_SVG_CLASS("surface-frame"));
    for (gsize i = 0; i < surface->column_count; i += columns) {
        g_autofree char *text = quantity_short(surface->columns[i], DIGITS);

        trace_svg_text(self->svg, ((double) i + 0.5) * self->cell_width, height + 15,
                       TRACE_SVG_MIDDLE, text, TRACE_SVG_CLASS("surface-label"));
    }
    for (gsize i = 0; i < surface->row_count; i += rows) {
        g_autofree char *text = quantity_short(surface->rows[i], DIGITS);

        trace_svg_text(self->svg, -6,
                       ((double) (surface->row_count - i) - 0.5) * self->cell_height +
                           4,
                       TRACE_SVG_END, text, TRACE_SVG_CLASS("surface-label"));
    }
    trace_svg_text(self->svg, width / 2, height + 34, TRACE_SVG_MIDDLE, surface->x,
                   TRACE_SVG_CLASS("surface-words"));
    trace_svg_text(self->svg, -AXIS, -8, TRACE_SVG_START, surface->y,
                   TRACE_SVG_CLASS("surface-words"));
    if (self->is_empty) {
        trace_svg_text(self->svg, 8, height / 2, TRACE_SVG_START,
                       "there is no value to show", TRACE_SVG_CLASS("surface-words"));
    }
}

static void draw_mark(const Picture *self)
{
    const TraceSurface *surface = self->surface;
    const double right = (double) surface->column_count * self->cell_width;

    if (surface->mark == NULL || self->is_empty) {
        return;
    }
    const double left = right - trace_svg_text_width(surface->mark, MARK_LETTER);

    trace_svg_circle(
        self->svg, ((double) surface->mark_column + 0.5) * self->cell_width,
        ((double) (surface->row_count - surface->mark_row) - 0.5) * self->cell_height,
        RADIUS, TRACE_SVG_CLASS("surface-mark"));
    trace_svg_circle(self->svg, left - 2 * RADIUS, -12, RADIUS,
                     TRACE_SVG_CLASS("surface-mark"));
    trace_svg_text(self->svg, left, -8, TRACE_SVG_START, surface->mark,
                   TRACE_SVG_CLASS("surface-words"));
}

static void style(TraceSvg *svg)
{
    trace_svg_style(svg, ".surface-title",
                    "font-size: 17px; font-weight: 600; fill: #1b1b1f");
    trace_svg_style(svg, ".surface-words", "font-size: 12px; fill: #45464d");
    trace_svg_style(svg, ".surface-label", "font-size: 11px; fill: #45464d");
    trace_svg_style(svg, ".surface-frame", "fill: #f4f4f7; stroke: #8f9096");
    trace_svg_style(svg, ".surface-mark",
                    "fill: #d92b2b; stroke: #ffffff; stroke-width: 1.5px");
    trace_svg_style(svg, ".surface-cells, .surface-legend",
                    "shape-rendering: crispEdges");
}

static void draw(const Picture *self)
{
    const TraceSurface *surface = self->surface;

    style(self->svg);
    trace_svg_text(self->svg, EDGE, EDGE + 14, TRACE_SVG_START, surface->title,
                   TRACE_SVG_CLASS("surface-title"));
    if (!self->is_empty) {
        draw_legend(self);
    }
    trace_svg_open_group(self->svg, EDGE + AXIS, EDGE + HEAD + 14, NULL, NULL);
    draw_axes(self);
    trace_svg_open_group(self->svg, 0, 0, "surface-cells", NULL);
    for (gsize i = 0; i < surface->column_count * surface->row_count; i++) {
        draw_cell(self, i % surface->column_count, i / surface->column_count);
    }
    trace_svg_close_group(self->svg);
    draw_mark(self);
    trace_svg_close_group(self->svg);
    if (surface->note != NULL) {
        const double below = (double) surface->row_count * self->cell_height;

        trace_svg_text(self->svg, EDGE, EDGE + HEAD + 14 + below + FOOT + 14,
                       TRACE_SVG_START, surface->note,
                       TRACE_SVG_CLASS("surface-words"));
    }
}

char *trace_surface_to_svg(const TraceSurface *self)
{
    Picture picture = {.surface = self};
    double width;
    double height;

    picture.cell_width =
        CLAMP(floor(WIDTH / (double) self->column_count), CELL_LEAST, CELL_MOST);
    picture.cell_height =
        CLAMP(floor(HEIGHT / (double) self->row_count), CELL_LEAST, CELL_MOST);
    find_range(&picture);
    width = AXIS + (double) self->column_count * picture.cell_width;
    width = fmax(width, trace_svg_text_width(self->title, TITLE_LETTER));
    width = fmax(width, LEGEND_WIDTH + 12 + trace_svg_text_width(self->unit, LETTER));
    if (self->note != NULL) {
        width = fmax(width, trace_svg_text_width(self->note, LETTER));
    }
    height = HEAD + 14 + (double) self->row_count * picture.cell_height + FOOT +
             (self->note != NULL ? NOTE : 0);
    g_autoptr(TraceSvg) svg =
        trace_svg_new(width + 2 * EDGE, height + 2 * EDGE, self->title);

    picture.svg = svg;
    draw(&picture);
    return trace_svg_to_text(svg);
}
