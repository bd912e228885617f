/* Where the points of a picture of a schedule are: places to the right, steps upwards.
 */
#pragma once

#include <stdint.h>

#include "traces/picture/svg.h"

typedef struct {
    double left; /* of the panel, in pixels */
    double top;
    int64_t first_place; /* what is at the left, and at the bottom */
    int64_t first_step;
    uint64_t places;
    uint64_t steps;
    double place_pixels;
    double step_pixels;
    const char *place_name;
    const char *step_name;
} ModelScheduleAxes;

double model_schedule_axes_x(const ModelScheduleAxes *self, double place);
double model_schedule_axes_y(const ModelScheduleAxes *self, double step);

/* Lines, numbers and names of both axes. */
void model_schedule_axes_style(TraceSvg *svg);
void model_schedule_axes_draw(const ModelScheduleAxes *self, TraceSvg *svg);
