/* Accounts for the cycles of a PE's part by state, with slices and stalls. */
#include "arch/nero/part.h"

static const char *const names[NERO_STATES] = {
    "idle",   "busy",  "control",    "link",  "memory",
    "buffer", "input", "recurrence", "drain",
};

const char *nero_state_name(NeroState state)
{
    return names[state];
}

void nero_part_init(NeroPart *self, SimRegion *region, SimLane lane, const char *name)
{
    *self = (NeroPart){
        .region = region,
        .lane = lane,
        .name = name,
        .since = sim_region_now(region),
    };
}

void nero_part_count(NeroPart *self,
                     const char *counters,
                     uint64_t flops,
                     uint64_t sram_bytes)
{
    self->flops_counters = counters;
    self->flops += flops;
    self->sram_bytes += sram_bytes;
}

static void tell_busy(NeroPart *self, SimTime when)
{
    const SimProbeDetail detail = {
        .argument_count = self->flops_counters != NULL ? 3 : 1,
        .arguments = {{"window", (int64_t) self->window},
                      {self->flops_counters, (int64_t) self->flops},
                      {"sram_bytes", (int64_t) self->sram_bytes}}};

    sim_region_slice(self->region, self->lane, self->name, self->since, when, &detail);
    self->flops = 0;
    self->sram_bytes = 0;
}

static void tell(NeroPart *self, SimTime when)
{
    if (self->state == NERO_IDLE || when == self->since) {
        return;
    }
    if (self->state == NERO_BUSY) {
        tell_busy(self, when);
    } else {
        sim_region_stall(self->region, self->lane, names[self->state], self->since,
                         when, NULL);
    }
}

/* What it did ends at `when`. */
static void settle(NeroPart *self, SimTime when)
{
    if (SIM_PROBES && G_UNLIKELY(sim_region_is_watched(self->region))) {
        tell(self, when);
    }
    self->cycles[self->state] += when - self->since;
    self->since = when;
}

/* Is in `state` from `when` on, which is not before the last change. */
static void enter_at(NeroPart *self, NeroState state, SimTime when)
{
    if (state != self->state) {
        settle(self, when);
        self->state = state;
    }
}

void nero_part_enter(NeroPart *self, NeroState state)
{
    enter_at(self, state, sim_region_now(self->region));
}

void nero_part_pass(NeroPart *self, NeroState wait, SimTime begin, uint64_t window)
{
    if (self->state == NERO_BUSY && self->busy_until < begin) {
        enter_at(self, wait, self->busy_until);
    } else if (window != self->window) {
        settle(self, begin);
    }
    self->window = window;
    enter_at(self, NERO_BUSY, begin);
    self->busy_until = sim_region_now(self->region);
}

void nero_part_close(NeroPart *self)
{
    if (self->state == NERO_BUSY && self->busy_until > 0) {
        enter_at(self, NERO_IDLE, self->busy_until);
    } else {
        nero_part_enter(self, NERO_IDLE);
    }
}
