/* What a watcher sees of a lane: a slice for each call, a stall for each wait. */
#pragma once

#include <glib.h>

#include "arch/place.h"
#include "arch/tensix/lane.h"
#include "sim/probe.h"

/* Adjacent spans with the same reason form one slice or stall, up to one whose cause is
 * known. The last one is kept until its end is known. */
struct TensixLaneProbe {
    SimRegion *region;
    SimLane number;
    const char *call; /* the present one: the name of its slices */
    SimProbeDetail detail;
    ArchPlaceFunc place; /* of the call, asked for where it waits; NULL: unknown */
    gpointer data;
    const char *file; /* of the last such place, and the name of the argument */
    const char *line_name;
    SimProbeDetail wait; /* of the stall that is kept */
    TensixCause cause;   /* of the end of a wait that goes on, set by whom it is for */
    TensixLaneReason reason; /* of what is kept */
    SimTime begin;
    SimTime end; /* `begin`: nothing is kept */
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

/* Hands the kept slice to the watcher. Call it at the end of a kernel, or when nothing
 * more follows. */
void tensix_lane_probe_flush(TensixLaneProbe *self);

static inline void tensix_lane_flush(const TensixLane *lane)
{
    if (SIM_PROBES && G_UNLIKELY(lane->probe != NULL)) {
        tensix_lane_probe_flush(lane->probe);
    }
}
