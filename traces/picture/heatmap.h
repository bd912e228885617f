/* A picture of how busy the links and routers of a grid are, over time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"

/* A link to the next node in its direction, wrapping around at the edge. */
typedef struct {
    uint32_t from; /* node id = x + width * y */
    uint32_t to;
    const char *direction; /* east (+x), west, south (+y), north */
    const char *network;   /* the network it belongs to: noc0; NULL means noc */
    double utilisation;
} TraceHeatmapLink;

/* The values in the cycles start..end, in the order of the map's own. */
typedef struct {
    SimTime start;
    SimTime end;
    const double *links;
    const double *routers; /* NULL if the map has none */
} TraceHeatmapWindow;

/* Everything is borrowed. Values are finite and not negative; a link with 1 is always
 * busy. At most one link leaves a node in each direction: two networks that flow in
 * opposite directions (Wormhole's) are one map. */
typedef struct {
    const char *title;
    const char *unit; /* unit of the values in the legend: "flits per cycle" */
    const char *node; /* the kind of a square: core, pe; NULL means router */
    guint width;      /* at least 1, like height */
    guint height;
    guint step;     /* places per side of a square; 0 means 1 */
    bool is_y_down; /* y = 0 is the upper row */
    SimTime start;  /* the cycles that the map covers; not shown when end is 0 */
    SimTime end;
    const TraceHeatmapLink *links;
    gsize link_count;
    const double *routers;             /* width x height values; NULL for none */
    const TraceHeatmapWindow *windows; /* small pictures beside the large one */
    gsize window_count;
    double scale; /* value of the darkest colour; 0: the largest value, rounded up */
} TraceHeatmap;

/* An SVG file; the caller frees it. One colour scale, from pale (idle) to dark, holds
 * for the map and all its windows. Every router and link shows its name and value when
 * the pointer rests on it; in windows only if there are few enough to draw. */
char *trace_heatmap_to_svg(const TraceHeatmap *self);
