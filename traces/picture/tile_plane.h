/* A plane of points in tiles: places to the right and steps upwards, axes with numbers,
 * and outlines of tiles, rows of points one above the other. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

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
} TraceTilePlane;

#define TRACE_TILE_PLANE_TOP 104.0

/* As large as there is room in this width, places and steps equally long unless that
 * makes it too flat; below the title and words of its own. Begins at place and step 0,
 * and calls them s1 and t. */
TraceTilePlane
trace_tile_plane_fit(double left, double width, uint64_t places, uint64_t steps);

/* What it takes, with the words above it. */
double trace_tile_plane_height(const TraceTilePlane *self);
double trace_tile_plane_width(const TraceTilePlane *self);

double trace_tile_plane_x(const TraceTilePlane *self, double place);
double trace_tile_plane_y(const TraceTilePlane *self, double step);

/* For all that is drawn on planes. */
void trace_tile_plane_style(TraceSvg *svg);

/* Two lines above it. */
void trace_tile_plane_head(const TraceTilePlane *self,
                           TraceSvg *svg,
                           const char *head,
                           const char *note);

/* A dot for each point, unless they are too small. */
void trace_tile_plane_dots(const TraceTilePlane *self, TraceSvg *svg);

typedef enum {
    TRACE_TILE_OWN,
    TRACE_TILE_READ,
    TRACE_TILE_WRITTEN,
} TraceTileMark;

/* What a tile does with a point. */
void trace_tile_plane_mark(const TraceTilePlane *self,
                           TraceSvg *svg,
                           TraceTileMark mark,
                           double place,
                           double step);

/* Lines, numbers and names of both axes. */
void trace_tile_plane_draw(const TraceTilePlane *self, TraceSvg *svg);

typedef struct {
    GArray *left; /* TraceSvgPoint, upwards */
    GArray *right;
    double area;
    double moment; /* of the area, around x = 0 */
    double widest;
} TraceTileOutline;

void trace_tile_outline_init(TraceTileOutline *self);
void trace_tile_outline_clear(TraceTileOutline *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceTileOutline, trace_tile_outline_clear)

/* The next row, begin .. end - 1; rows come upwards. */
void trace_tile_outline_add(TraceTileOutline *self,
                            const TraceTilePlane *axes,
                            double begin,
                            double end,
                            double step);

/* Is this row there already? */
bool trace_tile_outline_has(const TraceTileOutline *self,
                            const TraceTilePlane *axes,
                            double step);

/* Numbers, which are drawn when all outlines are: these would hide them. */
GArray *trace_tile_numbers_new(void);
void trace_tile_numbers_draw(const GArray *labels, TraceSvg *svg);

/* Nothing where it has no row. A number is left out where it has no room. */
void trace_tile_outline_draw(const TraceTileOutline *self,
                             TraceSvg *svg,
                             const TraceSvgLook *look,
                             guint64 number,
                             GArray *labels);
