/* Probes of lanes: spans of one call and reason are put together. */
#include "arch/tensix/lane_probe.h"

void lane_probe_open(LaneProbe *self, Lane *lane, SimRegion *region, SimLane number)
{
    if (SIM_PROBES && sim_region_wants(region, number)) {
        *self = (LaneProbe){.region = region, .number = number};
        lane->probe = self;
    }
}

void lane_probe_flush(LaneProbe *self)
{
    if (self->end == self->begin) {
        return;
    }
    if (self->reason == LANE_BUSY) {
        sim_region_slice(self->region, self->number, self->call, self->begin, self->end,
                         &self->detail);
    } else {
        sim_region_stall(self->region, self->number, lane_reason_name(self->reason),
                         self->begin, self->end);
    }
    self->begin = self->end;
}

void lane_probe_span(LaneProbe *self, SimTime begin, SimTime end, LaneReason reason)
{
    if (reason == LANE_IDLE) {
        return;
    }
    if (begin != self->end || reason != self->reason) {
        lane_probe_flush(self);
        self->begin = begin;
        self->reason = reason;
    }
    self->end = end;
}

void lane_probe_call(LaneProbe *self, const char *name, const SimProbeDetail *detail)
{
    if (self->reason == LANE_BUSY) {
        lane_probe_flush(self);
    }
    self->call = name;
    self->detail = detail != NULL ? *detail : (SimProbeDetail){0};
}
