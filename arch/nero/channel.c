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
                       NeroChannelPlace place,
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
    nero_banks_init(&self->banks, params, place.index, place.count);
    for (guint i = 0; i < NERO_DIRECTIONS; i++) {
        self->waiting[i] = g_array_new(FALSE, FALSE, sizeof(NeroBurst));
    }
}

void nero_channel_clear(NeroChannel *self)
{
    nero_banks_clear(&self->banks);
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

/* Stalls until `until`, if that is later than the channel could begin. */
static void stall(NeroChannel *self, const char *reason, SimTime until)
{
    const SimTime begin =
        MAX(sim_region_now(self->server.region), self->server.free_at);

    if (until > begin) {
        nero_server_stall(&self->server, reason, until - begin);
    }
}

/* Waits for refreshes that are due, and for the rows of the burst. */
static void wait_for_banks(NeroChannel *self, const NeroBurst *burst)
{
    NeroBanks *banks = &self->banks;
    const SimTime now = sim_region_now(self->server.region);

    stall(self, "refresh",
          nero_banks_refresh(banks, self->server.free_at,
                             MAX(now, self->server.free_at)));
    stall(self, "bank",
          nero_banks_open(banks, burst->address, burst->bytes, burst->since,
                          MAX(now, self->server.free_at)));
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
    wait_for_banks(self, burst);
    self->bytes[burst->direction] += burst->bytes;
    sim_region_count(self->server.region, self->counter, burst->bytes);
    end =
        self->latency_cycles + nero_server_serve(&self->server, names[burst->direction],
                                                 0, cycles, burst->bytes);
    nero_banks_close(&self->banks, burst->address, burst->bytes, self->server.free_at);
    burst->served(burst->data, burst->bytes,
                  (NeroSpan){.begin = end - cycles, .end = end});
}

/* When the first burst of a direction can have the data bus. */
static SimTime ready_at(const NeroChannel *self, NeroDirection direction)
{
    const NeroBurst *burst;

    if (!is_waiting(self, direction)) {
        return SIM_TIME_NEVER;
    }
    burst = &g_array_index(self->waiting[direction], NeroBurst, self->next[direction]);
    return nero_banks_ready(&self->banks, burst->address, burst->bytes, burst->since);
}

/* Reads first, but not while their row is opened and that of a write is not. */
static NeroDirection next_direction(const NeroChannel *self, SimTime now)
{
    const SimTime read = MAX(ready_at(self, NERO_READ), now);
    const SimTime write = MAX(ready_at(self, NERO_WRITE), now);

    return write < read ? NERO_WRITE : NERO_READ;
}

static void go_on(SimRegion *region, gpointer data);

/* Schedules an event only if a burst waits: later ones find out themselves. */
static void arrange(NeroChannel *self)
{
    SimRegion *region = self->server.region;
    const SimTime now = MAX(sim_region_now(region), self->server.free_at);
    SimTime when;

    if (!is_waiting(self, NERO_READ) && !is_waiting(self, NERO_WRITE)) {
        return;
    }
    when = MAX(now, ready_at(self, next_direction(self, now)));
    if (self->event != 0 && self->event_at <= when) {
        return;
    }
    if (self->event != 0) {
        sim_region_cancel(region, self->event);
    }
    self->event_at = when;
    self->event = sim_region_at(region, when, self->key, go_on, self);
}

static void go_on(SimRegion *region, gpointer data)
{
    NeroChannel *self = data;
    const NeroBurst burst = take(self, next_direction(self, sim_region_now(region)));

    self->event = 0;
    serve(self, &burst);
    arrange(self);
}

void nero_channel_request(NeroChannel *self, const NeroBurst *burst)
{
    NeroBurst one = *burst;

    one.since = sim_region_now(self->server.region);
    if (self->event == 0 && self->server.free_at <= one.since &&
        nero_banks_ready(&self->banks, one.address, one.bytes, one.since) <=
            one.since) {
        serve(self, &one);
        return;
    }
    g_array_append_val(self->waiting[burst->direction], one);
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
