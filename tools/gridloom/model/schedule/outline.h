/* Rows of points one above the other, drawn as their outline with a number. */
#pragma once

#include <stdbool.h>

#include "tools/gridloom/model/schedule/axes.h"

typedef struct {
    GArray *left; /* TraceSvgPoint, upwards */
    GArray *right;
    double area;
    double moment; /* of the area, around x = 0 */
    double widest;
} ModelScheduleOutline;

void model_schedule_outline_init(ModelScheduleOutline *self);
void model_schedule_outline_clear(ModelScheduleOutline *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ModelScheduleOutline, model_schedule_outline_clear)

/* The next row, begin .. end - 1; rows come upwards. */
void model_schedule_outline_add(ModelScheduleOutline *self,
                                const ModelScheduleAxes *axes,
                                double begin,
                                double end,
                                double step);

/* Is this row there already? */
bool model_schedule_outline_has(const ModelScheduleOutline *self,
                                const ModelScheduleAxes *axes,
                                double step);

/* Numbers, which are drawn when all outlines are: these would hide them. */
GArray *model_schedule_labels_new(void);
void model_schedule_labels_draw(const GArray *labels, TraceSvg *svg);

/* Nothing where it has no row. A number is left out where it has no room. */
void model_schedule_outline_draw(const ModelScheduleOutline *self,
                                 TraceSvg *svg,
                                 const TraceSvgLook *look,
                                 guint64 number,
                                 GArray *labels);
