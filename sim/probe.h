/* What can be seen of a run: slices, stalls, counters and marks on lanes, in a fixed
 * order. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"
#include "sim/lane.h"

/* 0 in a build without probes: what they cost when nobody watches is measured with it.
 */
#ifdef GRIDLOOM_WITHOUT_PROBES
#define SIM_PROBES 0
#else
#define SIM_PROBES 1
#endif

enum {
    SIM_PROBE_ARGUMENTS = 4,
};

typedef enum {
    SIM_PROBE_SLICE,   /* `name` lasted from `begin` to `end` */
    SIM_PROBE_STALL,   /* the lane stood still for the reason `name` */
    SIM_PROBE_COUNTER, /* `name` had `value` from `begin` on */
    SIM_PROBE_CHANGE,  /* `name` changes by `value` at `begin`, which is never behind
                        * `now` and may be ahead of it: not in the order of `begin`.
                        * What changes before the watcher's time does so when that
                        * begins */
    SIM_PROBE_MARK,    /* `name` happened at `begin` */
    SIM_PROBE_USE,     /* of a block of lanes, see sim/lane.h: `value` cycles between
                        * `begin` and `end` */
} SimProbeKind;

typedef struct {
    const char *name;
    int64_t value;
} SimProbeArgument;

/* More about a slice or a mark. A flow leads from what has its number first, by way of
 * others that have it, to what ends it. It is left out where what has it first begins
 * outside of the watcher's time; where that begins inside, its end is there, even later
 * than `to`. */
typedef struct {
    uint64_t flow; /* 0: none; unique, and the same for any number of threads */
    bool is_flow_end;
    SimTime flow_since; /* when what has it first began; 0: at `begin` */
    guint8 argument_count;
    SimProbeArgument arguments[SIM_PROBE_ARGUMENTS];
} SimProbeDetail;

/* Names must outlive the engine (literals or interned strings). Of one lane, slices and
 * stalls come in the order of time and do not overlap. */
typedef struct {
    SimProbeKind kind;
    SimLane lane;
    const char *name;
    SimTime
        now; /* of the event that made it; of SIM_PROBE_USE: of the end of the run */
    SimTime begin;
    SimTime end;
    int64_t value;
    SimProbeDetail detail;
} SimProbeRecord;

/* Receives records one at a time, on any thread, ordered by the time and key of the
 * event that made them: the same for any number of threads. */
typedef void (*SimProbeFunc)(gpointer data, const SimProbeRecord *record);

/* How much is wanted of a lane: asked once, when there is a lane and a watcher. */
typedef SimLaneLevel (*SimChoiceFunc)(gpointer data, const SimLanePlace *place);

typedef struct {
    SimProbeFunc func;
    gpointer data;
    SimTime from; /* what is over before, or begins later than `to`, is left out */
    SimTime to;
    SimChoiceFunc choose; /* NULL: everything of all lanes */
    guint block_limit;    /* at most so many blocks of a grid's lanes; 0: 4096 */
} SimWatch;

/* Before the first run. Without a watcher a probe costs one comparison. */
void sim_engine_watch(SimEngine *self, const SimWatch *watch);

/* After the last run: hands over the use of blocks. */
void sim_engine_finish_watch(SimEngine *self);

bool sim_region_is_watched(const SimRegion *self);
/* Whether records of a lane go anywhere. */
bool sim_region_wants(const SimRegion *self, SimLane lane);

/* `detail` may be NULL. */
void sim_region_slice(SimRegion *self,
                      SimLane lane,
                      const char *name,
                      SimTime begin,
                      SimTime end,
                      const SimProbeDetail *detail);
void sim_region_stall(
    SimRegion *self, SimLane lane, const char *reason, SimTime begin, SimTime end);
void sim_region_counter(SimRegion *self, SimLane lane, const char *name, int64_t value);
void sim_region_change(
    SimRegion *self, SimLane lane, const char *name, SimTime when, int64_t change);
void sim_region_mark(SimRegion *self,
                     SimLane lane,
                     const char *name,
                     SimTime when,
                     const SimProbeDetail *detail);
