/* Merges spans of one call and reason into slices. */
#include "arch/tensix/lane_probe.h"

void tensix_lane_probe_open(TensixLaneProbe *self,
                            TensixLane *lane,
                            SimRegion *region,
                            SimLane number)
{
    if (SIM_PROBES && sim_region_wants(region, number)) {
        *self = (TensixLaneProbe){.region = region, .number = number};
        lane->probe = self;
    }
}

void tensix_lane_probe_flush(TensixLaneProbe *self)
{
    if (self->end == self->begin) {
        return;
    }
    if (self->reason == TENSIX_LANE_BUSY) {
        sim_region_slice(self->region, self->number, self->call, self->begin, self->end,
                         &self->detail);
    } else {
        sim_region_stall(self->region, self->number,
                         tensix_lane_reason_name(self->reason), self->begin, self->end);
    }
    self->begin = self->end;
}

void tensix_lane_probe_span(TensixLaneProbe *self,
                            SimTime begin,
                            SimTime end,
                            TensixLaneReason reason)
{
    if (reason == TENSIX_LANE_IDLE) {
        return;
    }
    if (begin != self->end || reason != self->reason) {
        tensix_lane_probe_flush(self);
        self->begin = begin;
        self->reason = reason;
    }
    self->end = end;
}

void tensix_lane_probe_call(TensixLaneProbe *self,
                            const char *name,
                            const SimProbeDetail *detail)
{
    if (self->reason == TENSIX_LANE_BUSY) {
        tensix_lane_probe_flush(self);
    }
    self->call = name;
    self->detail = detail != NULL ? *detail : (SimProbeDetail){0};
}
