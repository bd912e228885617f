/* Times DRAM channels: requests are pipelined, the bus is shared.
 *
 * The bus serves requests in the order they come. While reads are booked, writes wait
 * for their turn, and what they take delays the reads behind them. */
#include "arch/noc/dram_channel.h"

#include "arch/noc/cost.h"
#include "sim/narrow.h"

enum {
    COST_MOST = 1000000000, /* of a flit: 100,000 cycles */
};

static uint32_t bus_cost(const ArchParams *params)
{
    const uint64_t flit = arch_params_uint(params, "noc.flit_bytes");
    const uint64_t clock = arch_params_uint(params, "chip.clock_hz");
    const uint64_t rate = arch_params_uint(params, "dram.channel_bytes_per_second");
    const double cycles = (double) flit * (double) clock / (double) rate;

    return sim_u32((uint64_t) MIN(cycles * NOC_CYCLE + 0.5, (double) COST_MOST));
}

NocDramNumbers noc_dram_numbers_read(const ArchParams *params)
{
    return (NocDramNumbers){
        .flit_cost = bus_cost(params),
        .read_latency = arch_params_uint(params, "dram.read_latency_cycles"),
        .write_ack = arch_params_uint(params, "dram.write_ack_cycles"),
        .turnaround = arch_params_uint(params, "dram.turnaround_cycles"),
        .turn_flits = sim_u32(arch_params_uint(params, "dram.turn_flits")),
        .refresh_interval = arch_params_uint(params, "dram.refresh_interval_cycles"),
        .refresh = arch_params_uint(params, "dram.refresh_cycles"),
        .buffer_flits = sim_u32(arch_params_uint(params, "dram.write_buffer_flits")),
        .queue_commands = sim_u32(arch_params_uint(params, "dram.queue_commands")),
        .burst_bytes = arch_params_uint(params, "dram.burst_bytes"),
        .partial_write = arch_params_uint(params, "dram.partial_write_cycles"),
    };
}

static uint64_t cycles_up(uint64_t time)
{
    return (time + NOC_CYCLE - 1) / NOC_CYCLE;
}

/* The first time from `start` on at which the bus does not rest. */
static uint64_t past_refresh(const NocDramNumbers *numbers, uint64_t start)
{
    const uint64_t interval = numbers->refresh_interval * NOC_CYCLE;
    const uint64_t into = start % interval;
    const uint64_t rest = numbers->refresh * NOC_CYCLE;

    return start >= interval && into < rest ? start - into + rest : start;
}

/* When the bus has worked for `work` from `start` on, at which it does not rest. */
static uint64_t work_from(const NocDramNumbers *numbers, uint64_t start, uint64_t work)
{
    const uint64_t interval = numbers->refresh_interval * NOC_CYCLE;
    const uint64_t rest = numbers->refresh * NOC_CYCLE;
    const uint64_t left = interval - start % interval; /* before the next rest */

    return work <= left
               ? start + work
               : start + work + rest * (1 + (work - left - 1) / (interval - rest));
}

SimTime noc_dram_channel_read(NocDramChannel *self,
                              const NocDramNumbers *numbers,
                              SimTime now,
                              guint flits)
{
    const uint64_t ready = (now + numbers->read_latency) * NOC_CYCLE;
    uint64_t start = MAX(ready, self->read_free);

    if (self->is_writing) {
        const uint64_t turned = self->write_done + numbers->turnaround * NOC_CYCLE;

        start = MAX(start, turned);
        self->is_writing = false;
    }
    start = past_refresh(numbers, start);
    self->read_free = work_from(numbers, start, (uint64_t) flits * numbers->flit_cost);
    return cycles_up(start);
}

/* When the bus can write what came at `present`. */
static uint64_t
write_start(NocDramChannel *self, const NocDramNumbers *numbers, uint64_t present)
{
    const uint64_t turnaround = numbers->turnaround * NOC_CYCLE;
    const uint64_t turn = (uint64_t) numbers->turn_flits * numbers->flit_cost;
    uint64_t start = MAX(self->write_done, present);

    if (self->read_free <= start) {
        if (!self->is_writing && self->read_free > 0) {
            start = MAX(start, self->read_free + turnaround);
        }
        self->turn_written = 0;
    } else if (!self->is_writing || self->turn_written >= numbers->turn_flits) {
        /* Reads are booked: they have a turn first, and the bus turns twice. */
        start += MIN(turn, self->read_free - start) + turnaround;
        self->read_free += 2 * turnaround;
        self->turn_written = 0;
    }
    self->is_writing = true;
    return past_refresh(numbers, start);
}

/* The bus writes for `work`, which delays the reads that are booked behind it. */
static void write_for(NocDramChannel *self,
                      const NocDramNumbers *numbers,
                      uint64_t start,
                      uint64_t work)
{
    self->write_done = work_from(numbers, start, work);
    if (self->read_free > start) {
        self->read_free += work;
    }
}

/* When a flit's place in the buffer is free again. */
static uint64_t *drain_of(NocDramChannel *self, guint flit)
{
    return &self->drains[flit % NOC_DRAM_BUFFER_MOST];
}

uint32_t noc_dram_channel_write_flit(NocDramChannel *self,
                                     const NocDramNumbers *numbers,
                                     SimTime now)
{
    const uint64_t present = now * NOC_CYCLE;

    write_for(self, numbers, write_start(self, numbers, present), numbers->flit_cost);
    self->turn_written++;
    *drain_of(self, self->written++) = self->write_done;
    /* The next flit waits until the one whose place it takes has drained. */
    const uint64_t room = *drain_of(self, self->written - numbers->buffer_flits);

    return room > present + NOC_CYCLE ? sim_u32(room - present) : NOC_CYCLE;
}

/* Pieces of memory of which a write changes a part only. */
static guint partial_pieces(uint64_t address, uint64_t bytes, uint64_t piece)
{
    const uint64_t end = address + bytes;
    const bool is_one = address / piece == (end - 1) / piece;
    const guint ends = (address % piece != 0 ? 1U : 0U) + (end % piece != 0 ? 1U : 0U);

    return is_one ? MIN(ends, 1U) : ends;
}

SimTime noc_dram_channel_write_end(NocDramChannel *self,
                                   const NocDramNumbers *numbers,
                                   SimTime now,
                                   uint64_t address,
                                   uint64_t bytes)
{
    const uint64_t done = MAX(self->write_done, now * NOC_CYCLE);
    const guint pieces =
        bytes == 0 ? 0 : partial_pieces(address, bytes, numbers->burst_bytes);

    if (pieces > 0) {
        write_for(self, numbers, past_refresh(numbers, self->write_done),
                  pieces * numbers->partial_write * NOC_CYCLE);
        *drain_of(self, self->written - 1) = self->write_done;
    }
    return cycles_up(done) + numbers->write_ack;
}
