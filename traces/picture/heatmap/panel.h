/* One grid of a heat map: routers, the links between them, coordinates. */
#pragma once

#include <stdbool.h>

#include "traces/picture/heatmap.h"
#include "traces/picture/svg.h"

typedef struct {
    const TraceHeatmap *map;
    const double *links;
    const double *routers; /* NULL for none */
    double cell;           /* from router to router */
    double scale;          /* the value of the darkest colour */
    bool is_plain;         /* without arrow heads and outlines, whatever the size */
    bool has_titles;
    bool has_axes;
} HeatPanel;

/* The margin outside the cells for links that wrap around the edge. */
double heat_panel_margin(const TraceHeatmap *map, double cell, bool is_plain);

/* Does any link wrap around the edge? */
bool heat_panel_is_wrapped(const TraceHeatmap *map);

/* Are there links both ways along an axis, side by side? */
bool heat_panel_is_paired(const TraceHeatmap *map);

/* Draws the panel with its upper left cell at the origin of the open group. */
void heat_panel_draw(const HeatPanel *self, TraceSvg *svg);

/* The name of a square: core[3,4], or pe[16:31,0:15] for several places. The caller
 * frees it. */
char *heat_node_name(const TraceHeatmap *map, const char *kind, uint32_t node);

/* The word for a square. */
const char *heat_node_kind(const TraceHeatmap *map);

/* The name of a link, in the form of lane names: noc0[3,4].east. The caller frees
 * it. */
char *heat_link_name(const TraceHeatmap *map, gsize link);

/* A value with three digits, the same in every locale. The caller frees it. */
char *heat_value_text(double value);
