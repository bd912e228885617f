/* Lanes: places where things happen one after another, KIND[x,y].UNIT. */
#pragma once

#include <glib.h>

#include "sim/engine.h"

typedef guint32 SimLane;

/* Places of one kind, each with the same units. The strings outlive the engine. */
typedef struct {
    const char *kind; /* core, noc0, pe */
    guint columns;    /* 0: one place without coordinates */
    guint rows;
    const char *const *units; /* math, east, ramp; none: the place itself is the lane */
    guint unit_count;
} SimLaneGrid;

/* Where a lane is. */
typedef struct {
    const SimLaneGrid *grid;
    guint x;
    guint y;
    const char *unit; /* NULL: the place itself */
} SimLanePlace;

typedef enum {
    SIM_LANE_OFF,
    SIM_LANE_FULL,   /* every record */
    SIM_LANE_BLOCKS, /* how many cycles of slices and of stalls the same units of a
                      * square of places had, by time */
} SimLaneLevel;

/* The first of its lanes, those of a place side by side, places row by row: lane =
 * first + (x + columns * y) * units + unit. A grid of that kind that is there already
 * is the same one. Before or between runs only. */
SimLane sim_engine_lanes(SimEngine *self, const SimLaneGrid *grid);

/* A lane alone: pcie. */
SimLane sim_engine_lane(SimEngine *self, const char *name);

guint sim_engine_lane_count(const SimEngine *self);
SimLanePlace sim_engine_lane_place(const SimEngine *self, SimLane lane);
/* core[3,4].math; the caller frees it. */
char *sim_engine_lane_name(const SimEngine *self, SimLane lane);

/* SIM_LANE_OFF where nobody watches. */
SimLaneLevel sim_engine_lane_level(const SimEngine *self, SimLane lane);

/* The edge, in places, of the squares that lanes of SIM_LANE_BLOCKS are put together
 * in: the smallest power of two with few enough of them. The lane of a record of use is
 * that of the square's first place. */
guint sim_engine_lane_edge(const SimEngine *self, SimLane lane);
