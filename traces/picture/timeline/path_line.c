/* Draws critical paths, as few points as one can tell apart. */
#include "traces/picture/timeline/path_line.h"

#include <math.h>

enum {
    POINTS_IN_A_PIXEL = 4,
};

/* A line that is being drawn. */
typedef struct {
    TraceSvg *svg;
    GArray *points; /* of TraceSvgPoint */
    double pixel;   /* the last that has points, also of lines before */
    guint here;     /* points in it */
} Line;

static double place_of(const PathArea *area, SimTime time)
{
    const SimTime within = CLAMP(time, area->begin, area->end) - area->begin;

    return area->left +
           (double) within / (double) (area->end - area->begin) * area->width;
}

static void finish(Line *self)
{
    if (self->points->len > 1) {
        trace_svg_polyline(self->svg,
                           (const TraceSvgPoint *) (const void *) self->points->data,
                           self->points->len, TRACE_SVG_CLASS("timeline-path"));
    }
    g_array_set_size(self->points, 0);
}

/* Whether what ends at x would be in a pixel that has enough points. */
static bool is_crowded(const Line *self, double x)
{
    return self->here > POINTS_IN_A_PIXEL && floor(x) <= self->pixel;
}

static void append(Line *self, TraceSvgPoint point)
{
    self->here = floor(point.x) <= self->pixel ? self->here + 1 : 0;
    self->pixel = fmax(self->pixel, floor(point.x));
    g_array_append_val(self->points, point);
}

static void add(Line *self, double x, double y)
{
    const TraceSvgPoint point = {.x = x, .y = y};

    if (self->points->len > 0) {
        const TraceSvgPoint *last =
            &g_array_index(self->points, TraceSvgPoint, self->points->len - 1);

        if (is_crowded(self, x) || (floor(x) <= floor(last->x) && last->y == y)) {
            return;
        }
    }
    append(self, point);
}

/* Goes to the row straight, also where that was left out for want of room. */
static void turn(Line *self, double y)
{
    TraceSvgPoint last =
        g_array_index(self->points, TraceSvgPoint, self->points->len - 1);

    if (last.y != y) {
        last.y = y;
        append(self, last);
    }
}

void path_line_draw(TraceSvg *svg, const PathArea *area, const TracePath *path)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(TraceSvgPoint));
    Line line = {.svg = svg, .points = points, .pixel = -1};

    for (guint i = 0; i < path->steps->len; i++) {
        const TraceStep *step = &g_array_index(path->steps, TraceStep, i);

        if (step->end <= area->begin || step->begin >= area->end) {
            continue;
        }
        if (is_crowded(&line, place_of(area, step->end))) {
            continue;
        }
        if (step->lane == TRACE_NONE || isnan(area->rows[step->lane])) {
            finish(&line);
            continue;
        }
        const double y = area->rows[step->lane] + area->row / 2;

        add(&line, place_of(area, step->begin), y);
        turn(&line, y);
        add(&line, place_of(area, step->end), y);
    }
    finish(&line);
}

void path_line_style(TraceSvg *svg)
{
    trace_svg_style(svg, ".timeline-path",
                    "fill: none; stroke: #c1121f; stroke-width: 2px; stroke-linejoin: "
                    "round; stroke-opacity: 0.9");
}
