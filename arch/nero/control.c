/* Writes the registers of windows over the control bus and carries notifications back.
 */
#include "arch/nero/control.h"

struct NeroControl {
    NeroServer bus;
    SimKey key;
    SimTime register_cycles;
    SimTime job_cycles; /* of the bus, for one window */
    SimTime dispatch_cycles;
    SimTime notify_cycles;
    void (*notified)(gpointer data);
    gpointer data;
};

NeroControl *
nero_control_new(SimRegion *region, SimKey key, SimLane lane, const ArchParams *params)
{
    NeroControl *self = g_new0(NeroControl, 1);

    nero_server_init(&self->bus, region, lane, "bytes");
    self->key = key;
    self->register_cycles = arch_params_uint(params, "control.register_cycles");
    self->job_cycles =
        self->register_cycles * arch_params_uint(params, "control.job_registers");
    self->dispatch_cycles = arch_params_uint(params, "control.dispatch_cycles");
    self->notify_cycles = arch_params_uint(params, "control.notify_cycles");
    return self;
}

void nero_control_free(NeroControl *self)
{
    g_free(self);
}

void nero_control_listen(NeroControl *self,
                         void (*notified)(gpointer data),
                         gpointer data)
{
    self->notified = notified;
    self->data = data;
}

static void give(SimRegion *region, gpointer data)
{
    const NeroAsker *asker = data;

    (void) region;
    asker->given(asker->data);
}

static void write_registers(SimRegion *region, gpointer data)
{
    NeroControl *self = ((NeroAsker *) data)->control;

    sim_region_at(region,
                  nero_server_serve(&self->bus, "window", 0, self->job_cycles, 0),
                  self->key, give, data);
}

void nero_control_ask(NeroControl *self, NeroAsker *asker)
{
    SimRegion *region = self->bus.region;
    SimTime ahead =
        self->dispatch_cycles - MIN(self->job_cycles, self->dispatch_cycles);

    asker->control = self;
    sim_region_at(region, sim_region_now(region) + ahead, self->key, write_registers,
                  asker);
}

static void reach_host(SimRegion *region, gpointer data)
{
    const NeroControl *self = data;

    (void) region;
    self->notified(self->data);
}

void nero_control_notify(NeroControl *self)
{
    SimTime end = nero_server_serve(&self->bus, "notify", 0, self->register_cycles, 0);

    sim_region_at(self->bus.region, end + self->notify_cycles, self->key, reach_host,
                  self);
}

uint64_t nero_control_busy_cycles(const NeroControl *self)
{
    return self->bus.busy_cycles;
}

void nero_control_flush(NeroControl *self)
{
    nero_server_flush(&self->bus);
}
