/* Draws axes of a plane of points, and outlines of tiles. */
#include "traces/picture/tile_plane.h"

static const double panel_height = 360;
static const double least_height = 170; /* of a panel, where points may be wider */
static const double point_most = 26;    /* pixels of a point */
static const double dot_least = 9;      /* a smaller one has no dot */
static const double head_width = 372;   /* of the words above a panel */
static const double number_pixels = 15; /* a smaller outline has no number */

static const double tick_pixels = 5;
static const double tick_distance = 44; /* at least, so that numbers do not meet */

TraceTilePlane
trace_tile_plane_fit(double left, double width, uint64_t places, uint64_t steps)
{
    const double place = MIN(point_most, width / (double) places);
    const double equal = MIN(place, panel_height / (double) steps);
    const double flat = MIN(point_most, least_height / (double) steps);

    return (TraceTilePlane){
        .left = left,
        .top = TRACE_TILE_PLANE_TOP,
        .places = places,
        .steps = steps,
        .place_pixels = equal < flat ? place : equal,
        .step_pixels = MAX(equal, flat),
        .place_name = "s1, place",
        .step_name = "t, step",
    };
}

double trace_tile_plane_height(const TraceTilePlane *self)
{
    return self->step_pixels * (double) self->steps;
}

double trace_tile_plane_width(const TraceTilePlane *self)
{
    return MAX(head_width, self->place_pixels * (double) self->places);
}

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
    trace_svg_style(svg, ".schedule-title",
                    "font-size: 17px; font-weight: 600; fill: #1b1b1f");
    trace_svg_style(svg, ".schedule-head",
                    "font-size: 13px; font-weight: 600; fill: #35363c");
    trace_svg_style(svg, ".schedule-note", "font-size: 12px; fill: #55565d");
    trace_svg_style(svg, ".schedule-tile", "stroke: #35363c; stroke-width: 0.8");
    trace_svg_style(svg, ".schedule-number",
                    "font-size: 12px; font-weight: 600; fill: #1b1b1f; paint-order: "
                    "stroke; stroke: #ffffff; stroke-width: 2px");
    trace_svg_style(svg, ".schedule-dot", "fill: #35363c; opacity: 0.45");
    trace_svg_style(svg, ".schedule-axis", "stroke: #63646b; stroke-width: 1");
    trace_svg_style(svg, ".schedule-tick", "font-size: 11px; fill: #55565d");
    trace_svg_style(svg, ".schedule-name", "font-size: 12px; fill: #35363c");
    trace_svg_style(svg, ".schedule-side", "text-anchor: middle");
    trace_svg_style(svg, ".schedule-own", "fill: #e9e9ee; stroke: #ffffff");
    trace_svg_style(svg, ".schedule-written", "fill: #d55e00");
    trace_svg_style(svg, ".schedule-read",
                    "fill: none; stroke: #0072b2; stroke-width: 1.6");
}

void trace_tile_plane_dots(const TraceTilePlane *self, TraceSvg *svg)
{
    const TraceSvgLook look = {.css_class = "schedule-dot"};

    if (MIN(self->place_pixels, self->step_pixels) < dot_least) {
        return;
    }
    for (guint64 step = 0; step < self->steps; step++) {
        for (guint64 place = 0; place < self->places; place++) {
            trace_svg_circle(
                svg, self->left + ((double) place + 0.5) * self->place_pixels,
                self->top + ((double) step + 0.5) * self->step_pixels, 1.2, &look);
        }
    }
}

void trace_tile_plane_mark(const TraceTilePlane *self,
                           TraceSvg *svg,
                           TraceTileMark mark,
                           double place,
                           double step)
{
    const double side = MIN(self->place_pixels, self->step_pixels);
    const double inset = mark == TRACE_TILE_READ ? side / 5 : 0;

    if (mark == TRACE_TILE_WRITTEN) {
        trace_svg_circle(svg, trace_tile_plane_x(self, place + 0.5),
                         trace_tile_plane_y(self, step + 0.5), side / 4,
                         &(TraceSvgLook){.css_class = "schedule-written"});
        return;
    }
    trace_svg_rect(svg, trace_tile_plane_x(self, place) + inset,
                   trace_tile_plane_y(self, step + 1) + inset,
                   self->place_pixels - 2 * inset, self->step_pixels - 2 * inset,
                   &(TraceSvgLook){.css_class = mark == TRACE_TILE_OWN
                                                    ? "schedule-own"
                                                    : "schedule-read"});
}

void trace_tile_plane_head(const TraceTilePlane *self,
                           TraceSvg *svg,
                           const char *head,
                           const char *note)
{
    trace_svg_text(svg, self->left, self->top - 26, TRACE_SVG_START, head,
                   &(TraceSvgLook){.css_class = "schedule-head"});
    trace_svg_text(svg, self->left, self->top - 10, TRACE_SVG_START, note,
                   &(TraceSvgLook){.css_class = "schedule-note"});
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
