/* Times DRAM channels: requests are pipelined, data is paced. */
#include "arch/noc/dram_channel.h"

#include "arch/noc/cost.h"
#include "sim/narrow.h"

NocDramNumbers noc_dram_numbers_read(const ArchParams *params)
{
    NocDramNumbers self = {
        .read_cost = noc_cost_of(params, "dram.read_cycles_per_flit"),
        .write_cost = noc_cost_of(params, "dram.write_cycles_per_flit"),
        .read_latency = arch_params_uint(params, "dram.read_latency_cycles"),
        .page_read_latency = arch_params_uint(params, "dram.page_read_latency_cycles"),
        .write_ack = arch_params_uint(params, "dram.write_ack_cycles"),
        .page_write_ack = arch_params_uint(params, "dram.page_write_ack_cycles"),
        .buffer_flits = arch_params_uint(params, "dram.write_buffer_flits"),
        .queue_commands = sim_u32(arch_params_uint(params, "dram.queue_commands")),
    };
    gsize cycles_count = 0;

    self.small_bytes =
        arch_params_list(params, "dram.small_write_bytes", &self.small_count);
    self.small_cycles =
        arch_params_list(params, "dram.small_write_cycles", &cycles_count);
    self.small_count = MIN(self.small_count, cycles_count);
    return self;
}

SimTime noc_dram_channel_read(NocDramChannel *self,
                              const NocDramNumbers *numbers,
                              SimTime now,
                              guint flits,
                              bool is_page)
{
    SimTime latency = is_page ? numbers->page_read_latency : numbers->read_latency;
    uint64_t start = MAX((now + latency) * NOC_CYCLE, self->read_free);

    self->read_free = start + (uint64_t) flits * numbers->read_cost;
    return (start + NOC_CYCLE - 1) / NOC_CYCLE;
}

uint32_t noc_dram_channel_write_flit(NocDramChannel *self,
                                     const NocDramNumbers *numbers,
                                     SimTime now)
{
    uint64_t present = now * NOC_CYCLE;
    uint64_t buffer = numbers->buffer_flits * numbers->write_cost;

    self->write_done = MAX(self->write_done, present) + numbers->write_cost;
    /* The next flit waits until the buffer has room for it. */
    return self->write_done > present + buffer + NOC_CYCLE
               ? sim_u32(self->write_done - present - buffer)
               : NOC_CYCLE;
}

SimTime noc_dram_channel_write_end(NocDramChannel *self,
                                   const NocDramNumbers *numbers,
                                   SimTime now,
                                   uint64_t bytes,
                                   bool is_page)
{
    uint64_t done = MAX(self->write_done, now * NOC_CYCLE);

    /* Seen on writes to one address only, not on pages. */
    for (gsize i = 0; i < numbers->small_count && !is_page; i++) {
        if (bytes == numbers->small_bytes[i]) {
            uint64_t flits = (bytes + 31) / 32;
            uint64_t least = numbers->small_cycles[i] * NOC_CYCLE;
            uint64_t paid = flits * numbers->write_cost;

            done += least > paid ? least - paid : 0;
        }
    }
    self->write_done = done;
    return (done + NOC_CYCLE - 1) / NOC_CYCLE +
           (is_page ? numbers->page_write_ack : numbers->write_ack);
}
