/* Processes: resumption events, and what a process waits for. */
#include "sim/process.h"

#include "sim/internal/process_state.h"

static void audit(gpointer data, GPtrArray *lines)
{
    const SimProcess *self = data;

    if (self->role == SIM_PROCESS_SERVICE || self->is_finished || !self->is_started) {
        return;
    }
    g_ptr_array_add(
        lines, self->what == NULL
                   ? g_strdup_printf("%s goes on", self->name)
                   : g_strdup_printf("%s waits for %s since cycle %" G_GUINT64_FORMAT,
                                     self->name, self->what, self->since));
}

SimProcess *sim_process_new(SimRegion *region,
                            SimKey key,
                            const char *name,
                            SimProcessRole role,
                            SimResumeFunc resume,
                            gpointer data)
{
    SimProcess *self = g_new0(SimProcess, 1);

    self->region = region;
    self->key = key;
    self->name = g_strdup(name);
    self->role = role;
    self->resume = resume;
    self->data = data;
    sim_engine_add_audit(sim_region_engine(region), audit, self);
    return self;
}

/* Nobody will resume it any more. */
static void retire(SimProcess *self)
{
    if (self->queue != NULL) {
        wait_queue_abandon(self->queue, self);
    }
    if (self->event != 0) {
        sim_region_cancel(self->region, self->event);
    }
    self->event = 0;
    self->what = NULL;
}

void sim_process_free(SimProcess *self)
{
    if (self != NULL) {
        retire(self);
        sim_engine_remove_audit(sim_region_engine(self->region), audit, self);
        g_free(self->name);
        g_free(self);
    }
}

SimRegion *sim_process_region(const SimProcess *self)
{
    return self->region;
}

SimKey sim_process_key(const SimProcess *self)
{
    return self->key;
}

bool sim_process_is_finished(const SimProcess *self)
{
    return self->is_finished;
}

static void resume(SimRegion *region, gpointer data)
{
    SimProcess *self = data;

    (void) region;
    self->event = 0;
    self->what = NULL;
    if (self->resume(self, self->data) == SIM_PROCESS_FINISHED) {
        self->is_finished = true;
        retire(self);
        return;
    }
    /* A process that blocks for no reason would never be heard of again. */
    g_assert(self->event != 0 || self->what != NULL);
}

static void resume_after(SimProcess *self, SimTime delay)
{
    self->event = sim_region_at(self->region, sim_region_now(self->region) + delay,
                                self->key, resume, self);
}

void sim_process_start(SimProcess *self, SimTime delay)
{
    g_return_if_fail(!self->is_started);

    self->is_started = true;
    resume_after(self, delay);
}

void sim_process_sleep(SimProcess *self, SimTime cycles)
{
    g_return_if_fail(self->event == 0 && !self->is_finished);

    resume_after(self, cycles);
}

void sim_process_wait(SimProcess *self, const char *what)
{
    g_return_if_fail(what != NULL);

    self->what = what;
    self->since = sim_region_now(self->region);
}

void sim_process_wake(SimProcess *self)
{
    if (self->what != NULL && self->event == 0) {
        resume_after(self, 0);
    }
}
