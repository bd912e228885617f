/* A picture of how busy the links and routers of a grid are, and when. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"

/* A link to the next node in its direction, or around the edge. */
typedef struct {
    uint32_t from; /* node id = x + width * y */
    uint32_t to;
    const char *direction; /* east (+x), west, south (+y), north */
    const char *network;   /* whose link it is: noc0; NULL is noc */
    double utilisation;
} TraceHeatmapLink;

/* The cycles start..end and the values in them, in the order of the map's own. */
typedef struct {
    SimTime start;
    SimTime end;
    const double *links;
    const double *routers; /* NULL where the map has none */
} TraceHeatmapWindow;

/* Everything is borrowed. Values are finite and not negative; 1 is a link that is busy
 * all the time. At most one link of a direction leaves a node: two networks that flow
 * in opposite directions (Wormhole's) are one map. */
typedef struct {
    const char *title;
    const char *unit; /* of the values, as the legend names it: "flits per cycle" */
    const char *node; /* what a square is: core, pe; NULL is router */
    guint width;      /* at least 1, as height */
    guint height;
    guint step;     /* so many places in a row are one square; 0 is 1 */
    bool is_y_down; /* y = 0 is the upper row */
    SimTime start;  /* the cycles that the map covers; not shown when end is 0 */
    SimTime end;
    const TraceHeatmapLink *links;
    gsize link_count;
    const double *routers;             /* width x height values, or NULL for none */
    const TraceHeatmapWindow *windows; /* small pictures beside the large one */
    gsize window_count;
    double scale; /* value of the darkest colour; 0 rounds the largest one up */
} TraceHeatmap;

/* An SVG file; the caller frees it. One scale of colours, from pale (idle) to dark,
 * holds for the map and all its windows. Every router and link says its name and value
 * where the pointer rests; in the windows only while those are few enough to draw. */
char *trace_heatmap_to_svg(const TraceHeatmap *self);
