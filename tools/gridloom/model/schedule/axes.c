/* Where the points of a picture of a schedule are. */
#include "tools/gridloom/model/schedule/axes.h"

static const double tick_pixels = 5;
static const double tick_distance = 44; /* at least, so that numbers do not meet */

double model_schedule_axes_x(const ModelScheduleAxes *self, double place)
{
    return self->left + (place - (double) self->first_place) * self->place_pixels;
}

double model_schedule_axes_y(const ModelScheduleAxes *self, double step)
{
    return self->top + ((double) self->steps - (step - (double) self->first_step)) *
                           self->step_pixels;
}

void model_schedule_axes_style(TraceSvg *svg)
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
static void draw_places(const ModelScheduleAxes *self, TraceSvg *svg)
{
    const TraceSvgLook line = {.css_class = "schedule-axis"};
    const TraceSvgLook word = {.css_class = "schedule-tick"};
    const int64_t step = tick_step(self->place_pixels);
    const int64_t end = self->first_place + (int64_t) self->places;
    const double y = model_schedule_axes_y(self, (double) self->first_step);

    for (int64_t place = first_tick(self->first_place, step); place < end;
         place += step) {
        const double x = model_schedule_axes_x(self, (double) place + 0.5);
        g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, place);

        trace_svg_line(svg, x, y, x, y + tick_pixels, &line);
        trace_svg_text(svg, x, y + 18, TRACE_SVG_MIDDLE, text, &word);
    }
}

static void draw_steps(const ModelScheduleAxes *self, TraceSvg *svg)
{
    const TraceSvgLook line = {.css_class = "schedule-axis"};
    const TraceSvgLook word = {.css_class = "schedule-tick"};
    const int64_t step = tick_step(self->step_pixels);
    const int64_t end = self->first_step + (int64_t) self->steps;

    for (int64_t at = first_tick(self->first_step, step); at < end; at += step) {
        const double y = model_schedule_axes_y(self, (double) at + 0.5);
        g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, at);

        trace_svg_line(svg, self->left - tick_pixels, y, self->left, y, &line);
        trace_svg_text(svg, self->left - 8, y + 4, TRACE_SVG_END, text, &word);
    }
}

void model_schedule_axes_draw(const ModelScheduleAxes *self, TraceSvg *svg)
{
    const TraceSvgLook line = {.css_class = "schedule-axis"};
    const TraceSvgLook name = {.css_class = "schedule-name"};
    const TraceSvgLook side = {.css_class = "schedule-name schedule-side"};
    const double bottom = model_schedule_axes_y(self, (double) self->first_step);
    const double right = self->left + self->place_pixels * (double) self->places;

    trace_svg_line(svg, self->left, self->top, self->left, bottom, &line);
    trace_svg_line(svg, self->left, bottom, right, bottom, &line);
    draw_places(self, svg);
    draw_steps(self, svg);
    trace_svg_text(svg, (self->left + right) / 2, bottom + 36, TRACE_SVG_MIDDLE,
                   self->place_name, &name);
    trace_svg_turned_text(svg, self->left - 38, (self->top + bottom) / 2, -90,
                          self->step_name, &side);
}
