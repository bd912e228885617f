/* Merges spans of one call and reason into slices. */
#include "arch/tensix/lane_probe.h"

#include <string.h>

void tensix_lane_probe_open(TensixLaneProbe *self,
                            TensixLane *lane,
                            SimRegion *region,
                            SimLane number)
{
    if (SIM_PROBES && sim_region_wants(region, number)) {
        *self =
            (TensixLaneProbe){.region = region, .number = number, .detail = &self->own};
        lane->probe = self;
    }
}

void tensix_lane_probe_count(TensixLaneProbe *self, const char *names, uint64_t amount)
{
    guint i = 0;

    while (i < self->counted_count && self->counted[i].name != names) {
        i++;
    }
    g_return_if_fail(i < TENSIX_LANE_COUNTED);
    if (i == self->counted_count) {
        self->counted[self->counted_count++] = (SimProbeArgument){.name = names};
    }
    self->counted[i].value += (int64_t) amount;
}

/* A slice says the call's numbers, and what it adds to counters. */
static void hand_counted(TensixLaneProbe *self, SimTime begin)
{
    SimProbeDetail *detail = self->detail;
    const guint8 own = detail->argument_count;

    for (guint i = 0; i < self->counted_count; i++) {
        detail->arguments[detail->argument_count++] = self->counted[i];
    }
    self->counted_count = 0;
    sim_region_slice(self->region, self->number, self->call, begin, self->end, detail);
    detail->argument_count = own;
}

/* Each call is the last thing it does, and costs no more than a jump. */
void tensix_lane_probe_hand_over(TensixLaneProbe *self)
{
    const SimTime begin = self->begin;

    self->begin = self->end;
    if (self->reason != TENSIX_LANE_BUSY) {
        sim_region_stall(self->region, self->number,
                         tensix_lane_reason_name(self->reason), begin, self->end,
                         &self->wait);
    } else if (self->counted_count > 0) {
        hand_counted(self, begin);
    } else {
        sim_region_slice(self->region, self->number, self->call, begin, self->end,
                         self->detail);
    }
}

static void add_argument(SimProbeDetail *detail, const char *name, int64_t value)
{
    if (detail->argument_count < SIM_PROBE_ARGUMENTS - 1) { /* one is for the cause */
        detail->arguments[detail->argument_count++] =
            (SimProbeArgument){.name = name, .value = value};
    }
}

/* "line pcg.lua": the number is the argument's value. */
static void add_place(TensixLaneProbe *self)
{
    ArchPlace place = {0};

    if (self->at != NULL) {
        place = *self->at;
    } else if (self->place != NULL) {
        place = self->place(self->data);
    }
    if (place.file == NULL) {
        return;
    }
    if (self->line_name == NULL || place.file != self->file) {
        g_autofree char *file = g_path_get_basename(place.file);
        g_autofree char *name = g_strconcat("line ", file, NULL);

        self->file = place.file;
        self->line_name = g_intern_string(name);
    }
    add_argument(&self->wait, self->line_name, place.line);
}

/* A wait begins: the place in the script, and the buffer it is for. */
static void begin_wait(TensixLaneProbe *self)
{
    self->wait.flow = 0;
    self->wait.has_cause = false;
    self->wait.argument_count = 0;
    add_place(self);
    for (guint i = 0; self->reason == TENSIX_LANE_CIRCULAR_BUFFER &&
                      i < self->detail->argument_count;
         i++) {
        if (g_str_equal(self->detail->arguments[i].name, "cb")) {
            add_argument(&self->wait, "cb", self->detail->arguments[i].value);
        }
    }
}

/* The latest known cause ends the wait as a whole. */
void tensix_lane_probe_blame(TensixLaneProbe *self, TensixCause cause)
{
    if (cause.by == 0 || self->reason == TENSIX_LANE_BUSY) {
        return;
    }
    if (cause.bank > 0 && !self->wait.has_cause) {
        add_argument(&self->wait, "bank", (int64_t) cause.bank - 1);
    }
    self->wait.has_cause = true;
    self->wait.cause = cause.by - 1;
    self->wait.cause_at = MIN(cause.at, self->end);
}

TensixCause tensix_lane_probe_cause(const TensixLaneProbe *self, SimTime at)
{
    return (TensixCause){.at = at, .by = self->number + 1};
}

void tensix_lane_probe_span(TensixLaneProbe *self,
                            SimTime begin,
                            SimTime end,
                            TensixLaneReason reason)
{
    if (reason == TENSIX_LANE_IDLE) {
        return;
    }
    /* A wait whose end somebody is known for is one of its own. */
    const bool is_whole = reason != TENSIX_LANE_BUSY && self->wait.has_cause;

    if (begin != self->end || reason != self->reason || is_whole) {
        tensix_lane_probe_flush(self);
        self->begin = begin;
        self->reason = reason;
        if (reason != TENSIX_LANE_BUSY) {
            begin_wait(self);
        }
    }
    self->end = end;
}

void tensix_lane_probe_call(TensixLaneProbe *self,
                            const char *name,
                            const SimProbeDetail *detail)
{
    tensix_lane_probe_begin(self, name);
    if (detail != NULL) {
        sim_probe_detail_copy(self->detail, detail);
    } else {
        memset(self->detail, 0, offsetof(SimProbeDetail, arguments));
    }
}
