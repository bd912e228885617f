/* Places for labels of a chart: never on each other, rarely on lines. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/svg.h"

typedef struct {
    GArray *spots; /* of TraceSvgPoint: middles of squares that are taken */
    GArray *lines; /* of TraceSvgPoint, two for each: better not crossed */
    double width;  /* of the area */
    double height;
} TraceRooflineLabels;

/* A text that begins here and goes on in this direction, radians, clockwise. */
typedef struct {
    double x;
    double y;
    double angle;
} TraceRooflinePlace;

void trace_roofline_labels_init(TraceRooflineLabels *self, double width, double height);
void trace_roofline_labels_clear(TraceRooflineLabels *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceRooflineLabels, trace_roofline_labels_clear)

/* A mark stands here; a line goes from one point to the other. */
void trace_roofline_labels_add_mark(TraceRooflineLabels *self, double x, double y);
void trace_roofline_labels_add_line(TraceRooflineLabels *self,
                                    TraceSvgPoint from,
                                    TraceSvgPoint to);

/* The best of the places for a text that is so long, the first of those that are as
 * good, which is taken then; NULL where there is room at none, or lines go through most
 * of the text. */
const TraceRooflinePlace *trace_roofline_labels_take(TraceRooflineLabels *self,
                                                     const TraceRooflinePlace *places,
                                                     gsize count,
                                                     double length);
