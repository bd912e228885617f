/* Implements servers: when they are free, and what a watcher sees of it. */
#include "arch/nero/server.h"

void nero_server_init(NeroServer *self,
                      SimRegion *region,
                      SimLane lane,
                      const char *counter)
{
    *self = (NeroServer){.region = region, .lane = lane, .counter = counter};
}

void nero_server_flush(NeroServer *self)
{
    if (SIM_PROBES && self->name != NULL && sim_region_is_watched(self->region)) {
        sim_region_slice(
            self->region, self->lane, self->name, self->begin, self->free_at,
            &(SimProbeDetail){.argument_count = 1,
                              .arguments = {{.name = self->counter,
                                             .value = (int64_t) self->bytes}}});
    }
    self->name = NULL;
}

SimTime nero_server_serve(NeroServer *self,
                          const char *name,
                          SimTime earliest,
                          SimTime cycles,
                          uint64_t bytes)
{
    SimTime begin = MAX(MAX(sim_region_now(self->region), earliest), self->free_at);

    if (begin != self->free_at || self->name != name) {
        nero_server_flush(self);
        self->name = name;
        self->begin = begin;
        self->bytes = 0;
    }
    self->free_at = begin + cycles;
    self->busy_cycles += cycles;
    self->bytes += bytes;
    return self->free_at;
}

void nero_server_stall(NeroServer *self, const char *reason, SimTime cycles)
{
    SimTime begin = MAX(sim_region_now(self->region), self->free_at);

    nero_server_flush(self);
    if (SIM_PROBES && cycles > 0 && sim_region_is_watched(self->region)) {
        sim_region_stall(self->region, self->lane, reason, begin, begin + cycles, NULL);
    }
    self->free_at = begin + cycles;
}
