/* Finds places for the labels of a chart: never on each other, rarely on lines. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/svg.h"

typedef struct {
    GArray *spots; /* of TraceSvgPoint: centres of occupied squares */
    GArray
        *lines; /* of TraceSvgPoint, two per line: lines that labels should not cross */
    double width; /* of the area */
    double height;
} TraceRooflineLabels;

/* A text's start and direction, in radians, clockwise. */
typedef struct {
    double x;
    double y;
    double angle;
} TraceRooflinePlace;

void trace_roofline_labels_init(TraceRooflineLabels *self, double width, double height);
void trace_roofline_labels_clear(TraceRooflineLabels *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceRooflineLabels, trace_roofline_labels_clear)

/* Reserves the place of a mark, or of a line between two points. */
void trace_roofline_labels_add_mark(TraceRooflineLabels *self, double x, double y);
void trace_roofline_labels_add_line(TraceRooflineLabels *self,
                                    TraceSvgPoint from,
                                    TraceSvgPoint to);

/* Takes the best place for a text of this length; the first in a tie. NULL if no place
 * has room, or lines cross most of the text. */
const TraceRooflinePlace *trace_roofline_labels_take(TraceRooflineLabels *self,
                                                     const TraceRooflinePlace *places,
                                                     gsize count,
                                                     double length);
