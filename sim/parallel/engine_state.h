/* Inside of the engine: its regions and what they share between windows. */
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

struct SimEngine {
    SimEngineConfig config;
    SimRegion *regions;
    GArray *audits;      /* of Audit, in the order they were added */
    GPtrArray *counters; /* names */
    GPtrArray *lanes;    /* names */
    GHashTable *lane_by_name;
    SimMonitorFunc monitor;
    gpointer monitor_data;
    uint64_t monitored_events; /* at the last call of the monitor */
    SimProbeFunc probe;
    gpointer probe_data;
    bool is_spent; /* a run failed: there is no going on */
};

/* Hands buffered sightings of all regions to the watcher in their order. */
void engine_flush_probes(SimEngine *self);
