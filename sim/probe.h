/* What can be seen of a run: slices, counters and marks on lanes, in a fixed order. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"

/* A lane is a place where things happen one after another: core[3,4].math. */
typedef guint32 SimLane;

typedef enum {
    SIM_PROBE_SLICE,   /* `name` lasted from `begin` to `end` */
    SIM_PROBE_COUNTER, /* `name` had `value` from `begin` on */
    SIM_PROBE_MARK,    /* `name` happened at `begin` */
} SimProbeKind;

/* `name` must outlive the engine (a literal or an interned string). */
typedef struct {
    SimProbeKind kind;
    SimLane lane;
    const char *name;
    SimTime begin;
    SimTime end;
    int64_t value;
} SimProbeRecord;

/* Receives records one at a time, on any thread, ordered by the time and key of the
 * event that made them: the same for any number of threads. */
typedef void (*SimProbeFunc)(gpointer data, const SimProbeRecord *record);

/* Before the first run. Without a watcher a probe costs one comparison. */
void sim_engine_watch(SimEngine *self, SimProbeFunc func, gpointer data);

/* The lane called `name`, made on first use; before or between runs only. */
SimLane sim_engine_lane(SimEngine *self, const char *name);
const char *sim_engine_lane_name(const SimEngine *self, SimLane lane);

bool sim_region_is_watched(const SimRegion *self);
void sim_region_slice(
    SimRegion *self, SimLane lane, const char *name, SimTime begin, SimTime end);
void sim_region_counter(SimRegion *self, SimLane lane, const char *name, int64_t value);
void sim_region_mark(SimRegion *self, SimLane lane, const char *name);
