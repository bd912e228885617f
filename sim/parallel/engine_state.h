/* The inside of the engine: its regions and what they share between windows. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"
#include "sim/parallel/region.h"
#include "sim/probe.h"

typedef struct {
    SimAuditFunc func;
    gpointer data;
} Audit;

typedef struct {
    SimLaneGrid *grid;
    SimLane first;
    guint edge_bits; /* its blocks have an edge of 1 << so many places */
    guint block_columns;
    guint32 first_series; /* of the use of its blocks, see probe.c */
} LaneGrid;

struct SimEngine {
    SimEngineConfig config;
    SimRegion *regions;
    GArray *audits;      /* of Audit, in the order they were added */
    GPtrArray *counters; /* names */
    GArray *grids;       /* of LaneGrid, by their first lane */
    GByteArray *levels;  /* of SimLaneLevel, by lane */
    SimMonitorFunc monitor;
    gpointer monitor_data;
    uint64_t monitored_events; /* at the last call of the monitor */
    uint64_t monitor_interval; /* in events, to the next */
    gint64 monitored_at;       /* of the host's clock, in us */
    SimWatch watch;            /* without a function: none */
    SightingOrder order;       /* of what its regions saw */
    bool is_spent;             /* a run failed: there is no going on */
};

const LaneGrid *engine_lane_grid(const SimEngine *self, SimLane lane);

/* Asks the watcher, if there is one, for the levels from lane `first` on. */
void engine_choose_levels(SimEngine *self, SimLane first);

/* Before a run: the intervals of use begin here, unless something was used already. */
void engine_begin_use(SimEngine *self);

/* Hands buffered sightings of all regions to the watcher in their order. */
void engine_flush_probes(SimEngine *self);

/* Runs until no event before `end` is left or something stops it; false with `error`
 * set. */
bool windows_run(SimEngine *engine, SimTime end, SimTime limit, GError **error);
