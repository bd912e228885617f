/* What a watcher sees of a lane: a slice for each call, a stall for each wait. */
#pragma once

#include <glib.h>

#include "arch/tensix/lane.h"
#include "sim/probe.h"

/* What follows without a gap, for the same reason, is one slice or stall: the last one
 * is kept until it is known where it ends. */
struct TensixLaneProbe {
    SimRegion *region;
    SimLane number;
    const char *call; /* the present one: the name of its slices */
    SimProbeDetail detail;
    TensixLaneReason reason; /* of what is kept */
    SimTime begin;
    SimTime end; /* `begin`: nothing is kept */
};

/* `lane` is seen by `self` as lane `number` of the engine, if anybody wants that. In an
 * event of `region`, or before the run. */
void tensix_lane_probe_open(TensixLaneProbe *self,
                            TensixLane *lane,
                            SimRegion *region,
                            SimLane number);

/* Another call begins. `detail`, which may be NULL, is that of all its slices: one with
 * a flow has but one. */
void tensix_lane_probe_call(TensixLaneProbe *self,
                            const char *name,
                            const SimProbeDetail *detail);

/* Hands over what is kept. At the end of a kernel, or when nothing more of it comes. */
void tensix_lane_probe_flush(TensixLaneProbe *self);

static inline void tensix_lane_flush(const TensixLane *lane)
{
    if (SIM_PROBES && G_UNLIKELY(lane->probe != NULL)) {
        tensix_lane_probe_flush(lane->probe);
    }
}
