/* Draws axes of a plane of points, and outlines of tiles. */
#include "traces/picture/tile_plane.h"

static const double number_pixels = 15; /* a smaller outline has no number */

static const double tick_pixels = 5;
static const double tick_distance = 44; /* at least, so that numbers do not meet */

double trace_tile_plane_x(const TraceTilePlane *self, double place)
{
    return self->left + (place - (double) self->first_place) * self->place_pixels;
}

double trace_tile_plane_y(const TraceTilePlane *self, double step)
{
    return self->top + ((double) self->steps - (step - (double) self->first_step)) *
                           self->step_pixels;
}

void trace_tile_plane_style(TraceSvg *svg)
{
    trace_svg_style(svg, ".schedule-axis", "stroke: #63646b; stroke-width: 1");
    trace_svg_style(svg, ".schedule-tick", "font-size: 11px; fill: #55565d");
    trace_svg_style(svg, ".schedule-name", "font-size: 12px; fill: #35363c");
    trace_svg_style(svg, ".schedule-side", "text-anchor: middle");
}

/* 1, 2, 5, 10, .. points that are far enough apart. */
static int64_t tick_step(double pixels)
{
    static const int64_t factors[] = {2, 5, 10};
    int64_t decade = 1;
    int64_t step = 1;

    for (guint i = 0; (double) step * pixels < tick_distance; i++) {
        step = decade * factors[i % G_N_ELEMENTS(factors)];
        decade = i % G_N_ELEMENTS(factors) == 2 ? decade * 10 : decade;
    }
    return step;
}

static int64_t first_tick(int64_t first, int64_t step)
{
    const int64_t before = first / step * step;

    return before < first ? before + step : before;
}

/* Numbers stand under the middle of their points. */
static void draw_places(const TraceTilePlane *self, TraceSvg *svg)
{
    const int64_t step = tick_step(self->place_pixels);
    const int64_t end = self->first_place + (int64_t) self->places;
    const double y = trace_tile_plane_y(self, (double) self->first_step);

    for (int64_t place = first_tick(self->first_place, step); place < end;
         place += step) {
        const double x = trace_tile_plane_x(self, (double) place + 0.5);
        g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, place);

        trace_svg_line(svg, x, y, x, y + tick_pixels, TRACE_SVG_CLASS("schedule-axis"));
        trace_svg_text(svg, x, y + 18, TRACE_SVG_MIDDLE, text,
                       TRACE_SVG_CLASS("schedule-tick"));
    }
}

static void draw_steps(const TraceTilePlane *self, TraceSvg *svg)
{
    const int64_t step = tick_step(self->step_pixels);
    const int64_t end = self->first_step + (int64_t) self->steps;

    for (int64_t at = first_tick(self->first_step, step); at < end; at += step) {
        const double y = trace_tile_plane_y(self, (double) at + 0.5);
        g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, at);

        trace_svg_line(svg, self->left - tick_pixels, y, self->left, y,
                       TRACE_SVG_CLASS("schedule-axis"));
        trace_svg_text(svg, self->left - 8, y + 4, TRACE_SVG_END, text,
                       TRACE_SVG_CLASS("schedule-tick"));
    }
}

void trace_tile_plane_draw(const TraceTilePlane *self, TraceSvg *svg)
{
    const double bottom = trace_tile_plane_y(self, (double) self->first_step);
    const double right = self->left + self->place_pixels * (double) self->places;

    trace_svg_line(svg, self->left, self->top, self->left, bottom,
                   TRACE_SVG_CLASS("schedule-axis"));
    trace_svg_line(svg, self->left, bottom, right, bottom,
                   TRACE_SVG_CLASS("schedule-axis"));
    draw_places(self, svg);
    draw_steps(self, svg);
    trace_svg_text(svg, (self->left + right) / 2, bottom + 36, TRACE_SVG_MIDDLE,
                   self->place_name, TRACE_SVG_CLASS("schedule-name"));
    trace_svg_turned_text(svg, self->left - 38, (self->top + bottom) / 2, -90,
                          self->step_name,
                          TRACE_SVG_CLASS("schedule-name schedule-side"));
}

typedef struct {
    double x;
    double y;
    guint64 number;
} Label;

void trace_tile_outline_init(TraceTileOutline *self)
{
    *self = (TraceTileOutline){
        .left = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint)),
        .right = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint)),
    };
}

void trace_tile_outline_clear(TraceTileOutline *self)
{
    g_array_unref(self->left);
    g_array_unref(self->right);
}

static const TraceSvgPoint *point_at(const GArray *side, guint index)
{
    return &g_array_index(side, TraceSvgPoint, index);
}

static void add_side(GArray *side, double x, double low, double high)
{
    const TraceSvgPoint points[] = {{x, low}, {x, high}};

    g_array_append_vals(side, points, G_N_ELEMENTS(points));
}

void trace_tile_outline_add(TraceTileOutline *self,
                            const TraceTilePlane *axes,
                            double begin,
                            double end,
                            double step)
{
    const double left = trace_tile_plane_x(axes, begin);
    const double right = trace_tile_plane_x(axes, end);
    const double low = trace_tile_plane_y(axes, step);
    const double high = trace_tile_plane_y(axes, step + 1);

    add_side(self->left, left, low, high);
    add_side(self->right, right, low, high);
    self->area += right - left;
    self->moment += (right - left) * (right + left) / 2;
    self->widest = MAX(self->widest, right - left);
}

bool trace_tile_outline_has(const TraceTileOutline *self,
                            const TraceTilePlane *axes,
                            double step)
{
    const guint count = self->left->len;

    return count > 0 &&
           point_at(self->left, count - 1)->y < trace_tile_plane_y(axes, step + 0.5);
}

GArray *trace_tile_numbers_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(Label));
}

void trace_tile_numbers_draw(const GArray *labels, TraceSvg *svg)
{
    for (guint i = 0; i < labels->len; i++) {
        const Label *label = &g_array_index(labels, Label, i);
        g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, label->number);

        trace_svg_text(svg, label->x, label->y + 4, TRACE_SVG_MIDDLE, text,
                       TRACE_SVG_CLASS("schedule-number"));
    }
}

void trace_tile_outline_draw(const TraceTileOutline *self,
                             TraceSvg *svg,
                             const TraceSvgLook *look,
                             guint64 number,
                             GArray *labels)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint));

    if (self->left->len == 0) {
        return;
    }
    g_array_append_vals(points, self->left->data, self->left->len);
    for (guint i = self->right->len; i-- > 0;) {
        g_array_append_vals(points, point_at(self->right, i), 1);
    }
    trace_svg_polygon(svg, point_at(points, 0), points->len, look);

    const double low = point_at(self->left, 0)->y;
    const double high = point_at(self->left, self->left->len - 1)->y;
    const Label label = {self->moment / self->area, (low + high) / 2, number};

    if (self->widest >= number_pixels && low - high >= number_pixels) {
        g_array_append_val(labels, label);
    }
}
