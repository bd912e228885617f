/* A plane of points in tiles: places to the right, steps upwards, numbered axes, and
 * outlines of tiles, which are rows of points one above the other. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/picture/svg.h"

typedef struct {
    double left; /* of the panel, in pixels */
    double top;
    int64_t first_place; /* at the left edge, and at the bottom */
    int64_t first_step;
    uint64_t places;
    uint64_t steps;
    double place_pixels;
    double step_pixels;
    const char *place_name;
    const char *step_name;
} TraceTilePlane;

#define TRACE_TILE_PLANE_TOP 104.0

/* The largest plane that fits this width. Places and steps are equally long unless that
 * makes it too flat. It lies below the title and its own heading, begins at place and
 * step 0, and names the axes s1 and t. */
TraceTilePlane
trace_tile_plane_fit(double left, double width, uint64_t places, uint64_t steps);

/* Its size, including the heading above it. */
double trace_tile_plane_height(const TraceTilePlane *self);
double trace_tile_plane_width(const TraceTilePlane *self);

double trace_tile_plane_x(const TraceTilePlane *self, double place);
double trace_tile_plane_y(const TraceTilePlane *self, double step);

/* Adds the style rules for everything drawn on planes. */
void trace_tile_plane_style(TraceSvg *svg);

/* Draws two lines of text above it. */
void trace_tile_plane_head(const TraceTilePlane *self,
                           TraceSvg *svg,
                           const char *head,
                           const char *note);

/* Draws a dot for each point, unless they are too small. */
void trace_tile_plane_dots(const TraceTilePlane *self, TraceSvg *svg);

typedef enum {
    TRACE_TILE_OWN,
    TRACE_TILE_READ,
    TRACE_TILE_WRITTEN,
} TraceTileMark;

/* Marks a point as owned, read or written by a tile. */
void trace_tile_plane_mark(const TraceTilePlane *self,
                           TraceSvg *svg,
                           TraceTileMark mark,
                           double place,
                           double step);

/* Draws lines, numbers and names of both axes. */
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

/* Adds the next row, begin .. end - 1; rows come upwards. */
void trace_tile_outline_add(TraceTileOutline *self,
                            const TraceTilePlane *axes,
                            double begin,
                            double end,
                            double step);

/* Does the outline have this row already? */
bool trace_tile_outline_has(const TraceTileOutline *self,
                            const TraceTilePlane *axes,
                            double step);

/* The numbers of tiles, drawn after all outlines, which would hide them. */
GArray *trace_tile_numbers_new(void);
void trace_tile_numbers_draw(const GArray *labels, TraceSvg *svg);

/* Draws the outline, if it has rows. Its number is left out if there is no room. */
void trace_tile_outline_draw(const TraceTileOutline *self,
                             TraceSvg *svg,
                             const TraceSvgLook *look,
                             guint64 number,
                             GArray *labels);
