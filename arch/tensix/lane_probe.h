/* What a watcher sees of a lane: a slice for each call, a stall for each wait. */
#pragma once

#include <glib.h>

#include "arch/tensix/lane.h"
#include "sim/probe.h"

/* What follows without a gap, for the same reason, is one slice or stall: the last one
 * is kept until it is known where it ends. */
struct LaneProbe {
    SimRegion *region;
    SimLane number;
    const char *call; /* the present one: the name of its slices */
    SimProbeDetail detail;
    LaneReason reason; /* of what is kept */
    SimTime begin;
    SimTime end; /* `begin`: nothing is kept */
};

/* `lane` is seen by `self` as lane `number` of the engine, if anybody wants that. In an
 * event of `region`, or before the run. */
void lane_probe_open(LaneProbe *self, Lane *lane, SimRegion *region, SimLane number);

/* Another call begins. `detail`, which may be NULL, is that of all its slices: one with
 * a flow has but one. */
void lane_probe_call(LaneProbe *self, const char *name, const SimProbeDetail *detail);

/* Hands over what is kept. At the end of a kernel, or when nothing more of it comes. */
void lane_probe_flush(LaneProbe *self);

static inline void lane_flush(const Lane *lane)
{
    if (SIM_PROBES && G_UNLIKELY(lane->probe != NULL)) {
        lane_probe_flush(lane->probe);
    }
}
