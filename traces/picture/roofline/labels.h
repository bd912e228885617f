/* Places for labels: none on another, few on lines. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/picture/svg.h"

typedef struct {
    GArray *spots; /* of TraceSvgPoint: middles of squares that are taken */
    GArray *lines; /* of TraceSvgPoint, two for each: better not crossed */
    double width;  /* of the area */
    double height;
} RooflineLabels;

/* A text that begins here and goes on in this direction, radians, clockwise. */
typedef struct {
    double x;
    double y;
    double angle;
} RooflinePlace;

void roofline_labels_init(RooflineLabels *self, double width, double height);
void roofline_labels_clear(RooflineLabels *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RooflineLabels, roofline_labels_clear)

/* A mark stands here; a line goes from one point to the other. */
void roofline_labels_add_mark(RooflineLabels *self, double x, double y);
void roofline_labels_add_line(RooflineLabels *self,
                              TraceSvgPoint from,
                              TraceSvgPoint to);

/* The best of the places for a text that is so long, the first of those that are as
 * good, which is taken then; NULL where there is room at none, or lines go through most
 * of the text. */
const RooflinePlace *roofline_labels_take(RooflineLabels *self,
                                          const RooflinePlace *places,
                                          gsize count,
                                          double length);
