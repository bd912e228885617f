/* Serves a memory channel: a queue for each direction, and a pause when the direction
 * changes. */
#include "arch/nero/channel.h"

#include <stdbool.h>

static const char *const names[NERO_DIRECTIONS] = {"read", "write"};

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

SimRatio nero_cycles_per_byte(const ArchParams *params, const char *key)
{
    const uint64_t clock_hz = arch_params_uint(params, "chip.clock_hz");
    const uint64_t bytes_per_second = arch_params_uint(params, key);
    const uint64_t divisor = common_divisor(clock_hz, bytes_per_second);

    return (SimRatio){.num = clock_hz / divisor, .den = bytes_per_second / divisor};
}

void nero_channel_init(NeroChannel *self,
                       SimRegion *region,
                       SimKey key,
                       SimLane lane,
                       const ArchParams *params)
{
    *self = (NeroChannel){
        .key = key,
        .cycles_per_byte =
            nero_cycles_per_byte(params, "memory.channel_bytes_per_second"),
        .latency_cycles = arch_params_uint(params, "memory.latency_cycles"),
        .turnaround_cycles = arch_params_uint(params, "memory.turnaround_cycles"),
        .counter = sim_engine_counter(sim_region_engine(region), "dram_bytes"),
    };
    nero_server_init(&self->server, region, lane, "dram_bytes");
    for (guint i = 0; i < NERO_DIRECTIONS; i++) {
        self->waiting[i] = g_array_new(FALSE, FALSE, sizeof(NeroBurst));
    }
}

void nero_channel_clear(NeroChannel *self)
{
    for (guint i = 0; i < NERO_DIRECTIONS; i++) {
        g_clear_pointer(&self->waiting[i], g_array_unref);
    }
}

static bool is_waiting(const NeroChannel *self, NeroDirection direction)
{
    return self->next[direction] < self->waiting[direction]->len;
}

static NeroBurst take(NeroChannel *self, NeroDirection direction)
{
    GArray *waiting = self->waiting[direction];
    const NeroBurst burst = g_array_index(waiting, NeroBurst, self->next[direction]++);

    if (2 * self->next[direction] >= waiting->len) {
        g_array_remove_range(waiting, 0, self->next[direction]);
        self->next[direction] = 0;
    }
    return burst;
}

static void serve(NeroChannel *self, const NeroBurst *burst)
{
    const SimTime cycles =
        sim_ratio_charge(self->cycles_per_byte, burst->bytes, &self->remainder);
    SimTime end;

    if (burst->direction != self->direction) {
        nero_server_stall(&self->server, "turnaround", self->turnaround_cycles);
        self->direction = burst->direction;
    }
    self->bytes[burst->direction] += burst->bytes;
    sim_region_count(self->server.region, self->counter, burst->bytes);
    end =
        self->latency_cycles + nero_server_serve(&self->server, names[burst->direction],
                                                 0, cycles, burst->bytes);
    burst->served(burst->data, burst->bytes,
                  (NeroSpan){.begin = end - cycles, .end = end});
}

static void go_on(SimRegion *region, gpointer data);

/* Schedules an event only if a burst waits: later ones find out themselves. */
static void arrange(NeroChannel *self)
{
    if (self->event == 0 &&
        (is_waiting(self, NERO_READ) || is_waiting(self, NERO_WRITE))) {
        self->event = sim_region_at(self->server.region, self->server.free_at,
                                    self->key, go_on, self);
    }
}

static void go_on(SimRegion *region, gpointer data)
{
    NeroChannel *self = data;
    const NeroBurst burst =
        take(self, is_waiting(self, NERO_READ) ? NERO_READ : NERO_WRITE);

    (void) region;
    self->event = 0;
    serve(self, &burst);
    arrange(self);
}

void nero_channel_request(NeroChannel *self, const NeroBurst *burst)
{
    if (self->event == 0 &&
        self->server.free_at <= sim_region_now(self->server.region)) {
        serve(self, burst);
        return;
    }
    g_array_append_val(self->waiting[burst->direction], *burst);
    arrange(self);
}

SimTime nero_port_cycles(const NeroPort *self, uint64_t bytes)
{
    return (bytes + self->beat_bytes - 1) / self->beat_bytes;
}

SimTime nero_port_pass(NeroPort *self, NeroSpan span, uint64_t bytes)
{
    SimTime begin = MAX(self->free_at, span.begin);

    self->free_at = MAX(begin + nero_port_cycles(self, bytes), span.end);
    return self->free_at;
}
