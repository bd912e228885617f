/* Lanes: places where things happen one after another, KIND[x,y].UNIT. */
#pragma once

#include <stdbool.h>

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
    SIM_LANE_BLOCKS, /* for each square of places and each unit: cycles of slices and of
                      * stalls over time */
} SimLaneLevel;

/* Registers a grid and returns its first lane. Lanes of one place are adjacent, and
 * places follow row by row: lane = first + (x + columns * y) * units + unit. A kind
 * that is already registered keeps its lanes. Call it only before or between runs. */
SimLane sim_engine_lanes(SimEngine *self, const SimLaneGrid *grid);

/* Registers a single lane, such as pcie. */
SimLane sim_engine_lane(SimEngine *self, const char *name);

guint sim_engine_lane_count(const SimEngine *self);
SimLanePlace sim_engine_lane_place(const SimEngine *self, SimLane lane);
/* core[3,4].math; the caller frees it. */
char *sim_engine_lane_name(const SimEngine *self, SimLane lane);

/* SIM_LANE_OFF if nobody watches the lane. */
SimLaneLevel sim_engine_lane_level(const SimEngine *self, SimLane lane);

/* The edge, in places, of the squares in which SIM_LANE_BLOCKS groups lanes: the
 * smallest power of two that keeps the number of squares within the watcher's limit. A
 * SIM_PROBE_USE record carries the lane of its square's first place. */
guint sim_engine_lane_edge(const SimEngine *self, SimLane lane);

/* Columns, or rows, of a grid that do the same: `period` of them from `first` on stand
 * for the next ones, too, so many times. */
typedef struct {
    guint first;
    guint period;
    guint repeats;
} SimLaneFold;

/* Those of one axis. They do not overlap. */
typedef struct {
    const SimLaneFold *folds;
    guint count;
} SimLaneFolds;

/* Whether a place of the grid that begins with this lane may stand for another: all are
 * watched alike, and none in full. */
bool sim_engine_can_fold(const SimEngine *self, SimLane first);

/* From now on a place whose column or row stands for others counts for all of them, and
 * nothing is seen at those. Call it only while nothing else uses these lanes. */
void sim_engine_fold_lanes(SimEngine *self,
                           SimLane first,
                           SimLaneFolds columns,
                           SimLaneFolds rows);
