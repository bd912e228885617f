/* Counts, as a process of the engine. */
#include "tests/toy/arch/counter.h"

#include "sim/counter.h"
#include "sim/process.h"

struct ToyCounter {
    SimRegion *region;
    SimProcess *process; /* of the last count, or NULL */
    uint64_t left;       /* ticks of it */
    SimTime tick_cycles;
    uint64_t tick_flops;
    uint64_t tick_bytes;
    SimCounter flops;
    SimCounter bytes;
};

ToyCounter *toy_counter_new(SimEngine *engine, const ArchParams *params)
{
    ToyCounter *self = g_new0(ToyCounter, 1);

    self->region = sim_engine_region(engine, 0);
    self->tick_cycles = arch_params_uint(params, "tick.cycles");
    self->tick_flops = arch_params_uint(params, "tick.flops");
    self->tick_bytes = arch_params_uint(params, "tick.bytes");
    self->flops = sim_engine_counter(engine, "flops");
    self->bytes = sim_engine_counter(engine, "sram_bytes");
    return self;
}

void toy_counter_free(ToyCounter *self)
{
    sim_process_free(self->process);
    g_free(self);
}

static SimProcessStatus tick(SimProcess *process, gpointer data)
{
    ToyCounter *self = data;

    if (self->left == 0) {
        return SIM_PROCESS_FINISHED;
    }
    self->left--;
    sim_region_count(self->region, self->flops, self->tick_flops);
    sim_region_count(self->region, self->bytes, self->tick_bytes);
    sim_process_sleep(process, self->tick_cycles);
    return SIM_PROCESS_BLOCKED;
}

void toy_counter_start(ToyCounter *self, uint64_t ticks)
{
    sim_process_free(self->process);
    self->process = sim_process_new(self->region, sim_key(1, 0), "counter",
                                    SIM_PROCESS_WORKER, tick, self);
    self->left = ticks;
    sim_process_start(self->process, 0);
}
