/* What a watcher sees of a lane: a slice for each call, a stall for each wait. */
#pragma once

#include <glib.h>

#include "arch/place.h"
#include "arch/tensix/lane.h"
#include "sim/probe.h"

enum {
    TENSIX_LANE_COUNTED = 2, /* names of counters that a call adds to */
};

/* Adjacent spans with the same reason form one slice or stall, up to one whose cause is
 * known. The last one is kept until its end is known. What every call needs comes
 * first: there are hundreds of probes, in turn. */
struct TensixLaneProbe {
    SimRegion *region;
    SimLane number;
    TensixLaneReason reason; /* of what is kept */
    SimTime begin;
    SimTime end;            /* `begin`: nothing is kept */
    const char *call;       /* the present one: names its slices */
    SimProbeDetail *detail; /* of the call: `own`, or of several lanes */
    const ArchPlace *at;    /* of the call; NULL: `place` is asked */
    guint8 counted_count;
    SimProbeArgument counted[TENSIX_LANE_COUNTED]; /* for the next slice */
    const char *file; /* of the last such place, and the name of the argument */
    const char *line_name;
    SimProbeDetail wait; /* of the stall that is kept */
    SimProbeDetail own;
    ArchPlaceFunc place; /* of the call, asked for where it waits; NULL: unknown */
    gpointer data;
    TensixCause cause; /* of the end of a wait that goes on, set by whom it is for */
};

/* Attaches `self` to `lane`, shown as lane `number` of the engine if anybody watches
 * it. Call it in an event of `region` or before the run. */
void tensix_lane_probe_open(TensixLaneProbe *self,
                            TensixLane *lane,
                            SimRegion *region,
                            SimLane number);

/* Begins another call. `detail`, which may be NULL, applies to all its slices; a detail
 * with a flow applies to one slice only. */
void tensix_lane_probe_call(TensixLaneProbe *self,
                            const char *name,
                            const SimProbeDetail *detail);

/* Hands over a slice, or a stall: there is one. */
void tensix_lane_probe_hand_over(TensixLaneProbe *self);

/* Hands what is kept to the watcher. Call it at the end of a kernel, or when nothing
 * more follows. */
static inline void tensix_lane_probe_flush(TensixLaneProbe *self)
{
    if (self->end != self->begin) {
        tensix_lane_probe_hand_over(self);
    }
}

/* Begins another call of a lane whose detail is that of several lanes, which all begin
 * it before the detail changes. */
static inline void tensix_lane_probe_begin(TensixLaneProbe *self, const char *name)
{
    if (self->reason == TENSIX_LANE_BUSY) {
        tensix_lane_probe_flush(self);
    }
    self->call = name;
}

/* The call adds `amount` to counters: `names` is a literal, see SimProbeArgument. One
 * of its slices says so. */
void tensix_lane_probe_count(TensixLaneProbe *self, const char *names, uint64_t amount);

static inline void
tensix_lane_count(const TensixLane *lane, const char *names, uint64_t amount)
{
    if (SIM_PROBES && G_UNLIKELY(lane->probe != NULL)) {
        tensix_lane_probe_count(lane->probe, names, amount);
    }
}

static inline void tensix_lane_flush(const TensixLane *lane)
{
    if (SIM_PROBES && G_UNLIKELY(lane->probe != NULL)) {
        tensix_lane_probe_flush(lane->probe);
    }
}
