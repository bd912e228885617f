/* The inside of the engine: its regions and what they share between windows. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"
#include "sim/internal/lane_spread.h"
#include "sim/parallel/company.h"
#include "sim/parallel/region.h"
#include "sim/parallel/showing.h"
#include "sim/probe.h"

typedef struct {
    SimAuditFunc func;
    gpointer data;
} Audit;

typedef struct {
    SimLaneGrid *grid;
    SimLane first;
    guint edge_bits; /* its blocks have an edge of 1 << edge_bits places */
    guint block_columns;
    guint32 first_series; /* of the use of its blocks, see probe.c */
    LaneSpread *columns;  /* NULL: every place stands for itself */
    LaneSpread *rows;
} LaneGrid;

struct SimEngine {
    SimEngineConfig config;
    SimRegion *regions;
    GArray *audits; /* of Audit, in the order they were added */
    GArray *checks; /* likewise */
    bool is_checking;
    uint64_t checked_events; /* events run at the last self-check */
    GPtrArray *counters;     /* names */
    GArray *grids;           /* of LaneGrid, by their first lane */
    GByteArray *levels;      /* of SimLaneLevel, by lane */
    SimMonitorFunc monitor;
    gpointer monitor_data;
    uint64_t monitored_events; /* events run at the last call of the monitor */
    uint64_t monitor_interval; /* events until its next call */
    gint64 monitored_at;       /* host time of the last call, in us */
    SimTime pulse_cycles;
    SimTime pulse_at; /* the next one; SIM_TIME_NEVER: none */
    SimPulseFunc pulse;
    gpointer pulse_data;
    SimCrew *crew;   /* NULL until somebody asks for it */
    Company company; /* of the threads that run windows */
    SimWatch watch;  /* nobody watches if its function is NULL */
    Showing showing; /* to the watcher, what all regions see */
    bool is_spent;   /* a run failed: the engine cannot run again */
};

const LaneGrid *engine_lane_grid(const SimEngine *self, SimLane lane);

/* Lets every place of all grids stand for itself. */
void engine_unfold_lanes(SimEngine *self);

/* Asks the watcher, if there is one, for the levels from lane `first` on. */
void engine_choose_levels(SimEngine *self, SimLane first);

/* Starts the intervals of use at the current time, unless use was recorded already.
 * Call it before a run. */
void engine_begin_use(SimEngine *self);

/* Hands buffered sightings of all regions to the watcher in their order, if there are
 * many, or at the end of a run. */
void engine_flush_probes(SimEngine *self, bool is_end);

/* Runs the self-checks now. */
bool engine_check(SimEngine *self, GError **error);

/* Runs until no event before `end` is left. Returns false with `error` set if something
 * stops it earlier. */
bool windows_run(SimEngine *engine, SimTime end, SimTime limit, GError **error);
