/* A critical path as a line over the rows of a timeline's picture. */
#pragma once

#include "traces/picture/svg.h"
#include "traces/reading/path.h"

/* Where times and lanes are. */
typedef struct {
    const double *rows; /* y of each lane of the timeline; NaN: not shown */
    double row;         /* height of a row */
    double left;
    double width;
    SimTime begin; /* the window */
    SimTime end;
} PathArea;

/* Draws the part of the path that lies in the area: along the rows of its lanes, and
 * from row to row where it goes on elsewhere. Steps narrower than a pixel are drawn
 * together. */
void path_line_draw(TraceSvg *svg, const PathArea *area, const TracePath *path);

/* Adds the rules of the style sheet for it. */
void path_line_style(TraceSvg *svg);
