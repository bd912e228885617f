/* What a watcher sees of a run: slices, stalls, counters and marks on lanes, in a fixed
 * order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <glib.h>

#include "sim/engine.h"
#include "sim/lane.h"

/* 0 in a build without probes, which serves to measure what unwatched probes cost. */
#ifdef GRIDLOOM_WITHOUT_PROBES
#define SIM_PROBES 0
#else
#define SIM_PROBES 1
#endif

enum {
    SIM_PROBE_ARGUMENTS = 12,
};

typedef enum {
    SIM_PROBE_SLICE,   /* `name` lasted from `begin` to `end` */
    SIM_PROBE_STALL,   /* the lane stood still for the reason `name` */
    SIM_PROBE_COUNTER, /* `name` had `value` from `begin` on */
    SIM_PROBE_CHANGE,  /* `name` changes by `value` at `begin`, which is `now` or later,
                        * so records are not ordered by `begin`. Changes before the
                        * watcher's time are moved to its start */
    SIM_PROBE_MARK,    /* `name` happened at `begin` */
    SIM_PROBE_USE,     /* a block of lanes (sim/lane.h) was in use for `value` cycles
                        * between `begin` and `end` */
} SimProbeKind;

/* An argument whose name is that of a counter (sim/counter.h), or of several joined by
 * +, says how much the record adds to them. */
typedef struct {
    const char *name;
    int64_t value;
} SimProbeArgument;

/* More about a slice, a stall or a mark. A flow connects records with the same number,
 * from the first to the one that ends it. A flow whose first record begins outside the
 * watcher's time is left out; any other flow is complete, even if it ends after `to`.
 */
typedef struct {
    uint64_t flow;      /* 0: none; unique, and the same for any number of threads */
    SimTime flow_since; /* begin of the flow's first record; 0: `begin` of this one */
    /* Who ended the wait (or made the operation begin), and when it did what ended it.
     * A cause is never after the end of the record. */
    SimTime cause_at;
    SimLane cause;
    bool has_cause;
    bool is_flow_end;
    guint8 argument_count;
    SimProbeArgument arguments[SIM_PROBE_ARGUMENTS];
} SimProbeDetail;

/* Without the arguments that are not there: a record is copied several times on its way
 * to a watcher. `to` may lack room for those. */
static inline void sim_probe_detail_copy(SimProbeDetail *to, const SimProbeDetail *from)
{
    memcpy(to, from, offsetof(SimProbeDetail, arguments));
    for (guint i = 0; i < from->argument_count; i++) {
        to->arguments[i] = from->arguments[i];
    }
}

/* Names must outlive the engine (literals or interned strings). Slices and stalls of
 * one lane come in time order and do not overlap. A record that a watcher receives ends
 * with the last of its arguments, and with the call. */
typedef struct {
    SimProbeKind kind;
    SimLane lane;
    const char *name;
    SimTime now; /* time of the event that made it; SIM_PROBE_USE: end of the run */
    SimTime begin;
    SimTime end;
    int64_t value;
    SimProbeDetail detail;
} SimProbeRecord;

static inline void sim_probe_record_copy(SimProbeRecord *to, const SimProbeRecord *from)
{
    memcpy(to, from, offsetof(SimProbeRecord, detail));
    sim_probe_detail_copy(&to->detail, &from->detail);
}

/* Receives records one at a time, on any thread, ordered by the time and key of the
 * event that made them: the same for any number of threads. */
typedef void (*SimProbeFunc)(gpointer data, const SimProbeRecord *record);

/* Chooses the level of a lane. Called once, when both lane and watcher exist. */
typedef SimLaneLevel (*SimChoiceFunc)(gpointer data, const SimLanePlace *place);

typedef struct {
    SimProbeFunc func;
    gpointer data;
    SimTime from; /* records that end before it, or begin after `to`, are left out */
    SimTime to;
    SimChoiceFunc choose; /* NULL: everything of all lanes */
    guint block_limit;    /* most blocks for the lanes of one grid; 0: 4096 */
    bool is_beside;       /* records may come on another thread while the run goes on;
                           * when it returns, none is under way */
} SimWatch;

/* Call it before the first run. Without a watcher a probe costs one comparison. */
void sim_engine_watch(SimEngine *self, const SimWatch *watch);

/* Call it after the last run: it hands the use of blocks to the watcher. */
void sim_engine_finish_watch(SimEngine *self);

bool sim_region_is_watched(const SimRegion *self);
/* Whether anybody receives the records of a lane. */
bool sim_region_wants(const SimRegion *self, SimLane lane);

/* `detail` may be NULL. */
void sim_region_slice(SimRegion *self,
                      SimLane lane,
                      const char *name,
                      SimTime begin,
                      SimTime end,
                      const SimProbeDetail *detail);
void sim_region_stall(SimRegion *self,
                      SimLane lane,
                      const char *reason,
                      SimTime begin,
                      SimTime end,
                      const SimProbeDetail *detail);
void sim_region_counter(SimRegion *self, SimLane lane, const char *name, int64_t value);
void sim_region_change(
    SimRegion *self, SimLane lane, const char *name, SimTime when, int64_t change);
void sim_region_mark(SimRegion *self,
                     SimLane lane,
                     const char *name,
                     SimTime when,
                     const SimProbeDetail *detail);
