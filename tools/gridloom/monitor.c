/* A watchdog and a progress line for simulations. */
#include "tools/gridloom/monitor.h"

#include "tools/gridloom/progress.h"

struct Monitor {
    Watchdog *watchdog;
    Progress *progress;
    double hertz;
    gint64 start;
    SimTime cycles;  /* of the simulations that have ended */
    uint64_t events; /* theirs */
    double fraction; /* of the simulations, negative where there is but one */
};

Monitor *
monitor_new(const char *name, double hertz, double limit_seconds, bool is_shown)
{
    Monitor *self = g_new0(Monitor, 1);

    watchdog_block_signals();
    self->watchdog = watchdog_new(limit_seconds);
    self->progress = progress_new(name, is_shown);
    self->hertz = hertz;
    self->start = g_get_monotonic_time();
    self->fraction = -1;
    return self;
}

void monitor_free(Monitor *self)
{
    if (self == NULL) {
        return;
    }
    monitor_silence(self);
    watchdog_free(self->watchdog);
    g_free(self);
}

Watchdog *monitor_watchdog(Monitor *self)
{
    return self->watchdog;
}

void monitor_begin(Monitor *self, guint index, guint count)
{
    self->fraction = count > 1 ? (double) index / count : -1;
}

bool monitor_observe(gpointer data, SimTime now, uint64_t events)
{
    Monitor *self = data;
    const SimTime cycles = self->cycles + now;

    progress_update(self->progress,
                    &(WlProgress){cycles, (double) cycles / self->hertz,
                                  self->events + events, self->fraction});
    return !watchdog_is_stopping(self->watchdog);
}

void monitor_end(Monitor *self, SimTime cycles, uint64_t events)
{
    self->cycles += cycles;
    self->events += events;
}

uint64_t monitor_events(const Monitor *self)
{
    return self->events;
}

double monitor_seconds(const Monitor *self)
{
    return (double) (g_get_monotonic_time() - self->start) / G_USEC_PER_SEC;
}

int monitor_complain(Monitor *self, const GError *error)
{
    monitor_silence(self);
    return watchdog_complain(self->watchdog, error);
}

void monitor_silence(Monitor *self)
{
    g_clear_pointer(&self->progress, progress_free);
}
