/* Moves cache lines over the host link. */
#include "arch/nero/link.h"

#include "sim/narrow.h"

static const char *const names[NERO_DIRECTIONS] = {"to board", "to host"};

void nero_link_init(NeroLink *self,
                    SimRegion *region,
                    SimLane lane,
                    const ArchParams *params)
{
    *self = (NeroLink){
        .cycles_per_byte = nero_cycles_per_byte(params, "link.bytes_per_second"),
        .line_bytes = arch_params_uint(params, "link.line_bytes"),
        .slot_count = sim_u32(arch_params_uint(params, "link.buffer_lines")),
        .latency_cycles = arch_params_uint(params, "link.latency_cycles"),
        .counter = sim_engine_counter(sim_region_engine(region), "link_bytes"),
    };
    for (guint i = 0; i < NERO_DIRECTIONS; i++) {
        nero_server_init(&self->ways[i].server, region, lane + i, "link_bytes");
        self->ways[i].slots = g_new0(SimTime, self->slot_count);
    }
}

void nero_link_clear(NeroLink *self)
{
    for (guint i = 0; i < NERO_DIRECTIONS; i++) {
        g_clear_pointer(&self->ways[i].slots, g_free);
    }
}

SimTime nero_link_request(NeroLink *self, NeroDirection direction, uint64_t bytes)
{
    NeroLinkWay *way = &self->ways[direction];
    const uint64_t lines = (bytes + self->line_bytes - 1) / self->line_bytes;
    SimTime arrival = sim_region_now(way->server.region);

    for (uint64_t i = 0; i < lines; i++) {
        SimTime *slot = &way->slots[way->next];
        SimTime cycles =
            sim_ratio_charge(self->cycles_per_byte, self->line_bytes, &way->remainder);

        arrival = nero_server_serve(&way->server, names[direction], *slot, cycles,
                                    self->line_bytes) +
                  self->latency_cycles;
        *slot = arrival;
        way->next = (way->next + 1) % self->slot_count;
    }
    self->bytes += lines * self->line_bytes;
    sim_region_count(way->server.region, self->counter, lines * self->line_bytes);
    return arrival;
}
