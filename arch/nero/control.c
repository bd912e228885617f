/* Takes requests of PEs over the control bus and the link to threads of the host, which
 * write the registers of windows, and carries notifications back. */
#include "arch/nero/control.h"

#include "sim/narrow.h"

struct NeroControl {
    NeroServer bus;
    SimKey key;
    SimTime register_cycles;
    SimTime job_cycles;   /* of the bus, for one window */
    SimTime cross_cycles; /* from the board to the host, or back */
    SimTime host_cycles;  /* of a thread, for one window */
    SimTime *threads;     /* when each is free */
    guint thread_count;
    uint64_t host_busy_cycles;
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
    self->cross_cycles = arch_params_uint(params, "link.latency_cycles");
    self->host_cycles = arch_params_uint(params, "control.host_cycles");
    self->thread_count = sim_u32(arch_params_uint(params, "control.host_thread_count"));
    self->threads = g_new0(SimTime, self->thread_count);
    self->notify_cycles = arch_params_uint(params, "control.notify_cycles");
    return self;
}

void nero_control_free(NeroControl *self)
{
    if (self != NULL) {
        g_free(self->threads);
        g_free(self);
    }
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

/* The thread that is free first. */
static SimTime *next_thread(const NeroControl *self)
{
    SimTime *first = &self->threads[0];

    for (guint i = 1; i < self->thread_count; i++) {
        if (self->threads[i] < *first) {
            first = &self->threads[i];
        }
    }
    return first;
}

/* A request has reached the host. */
static void choose_window(SimRegion *region, gpointer data)
{
    NeroControl *self = ((NeroAsker *) data)->control;
    SimTime *thread = next_thread(self);

    *thread = MAX(*thread, sim_region_now(region)) + self->host_cycles;
    self->host_busy_cycles += self->host_cycles;
    sim_region_at(region, *thread + self->cross_cycles, self->key, write_registers,
                  data);
}

void nero_control_ask(NeroControl *self, NeroAsker *asker)
{
    SimRegion *region = self->bus.region;

    asker->control = self;
    sim_region_at(region, sim_region_now(region) + self->cross_cycles, self->key,
                  choose_window, asker);
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

uint64_t nero_control_host_cycles(const NeroControl *self)
{
    return self->host_busy_cycles;
}

void nero_control_flush(NeroControl *self)
{
    nero_server_flush(&self->bus);
}
