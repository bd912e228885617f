/* A watchdog and a progress line for simulations. */
#include "tools/gridloom/vigil.h"

#include "tools/gridloom/progress.h"

struct Vigil {
    Watchdog *watchdog;
    Progress *progress;
    double hertz;
    gint64 start;
    SimTime cycles;  /* of the simulations that have ended */
    uint64_t events; /* theirs */
    double fraction; /* of the simulations, negative where there is but one */
};

Vigil *vigil_new(const char *name, double hertz, double limit_seconds, bool is_shown)
{
    Vigil *self = g_new0(Vigil, 1);

    watchdog_block_signals();
    self->watchdog = watchdog_new(limit_seconds);
    self->progress = progress_new(name, is_shown);
    self->hertz = hertz;
    self->start = g_get_monotonic_time();
    self->fraction = -1;
    return self;
}

void vigil_free(Vigil *self)
{
    if (self == NULL) {
        return;
    }
    vigil_hush(self);
    watchdog_free(self->watchdog);
    g_free(self);
}

Watchdog *vigil_watchdog(Vigil *self)
{
    return self->watchdog;
}

void vigil_begin(Vigil *self, guint index, guint count)
{
    self->fraction = count > 1 ? (double) index / count : -1;
}

bool vigil_observe(gpointer data, SimTime now, uint64_t events)
{
    Vigil *self = data;

    progress_update(self->progress, (double) (self->cycles + now) / self->hertz,
                    self->events + events, self->fraction);
    return !watchdog_is_stopping(self->watchdog);
}

void vigil_end(Vigil *self, SimTime cycles, uint64_t events)
{
    self->cycles += cycles;
    self->events += events;
}

uint64_t vigil_events(const Vigil *self)
{
    return self->events;
}

double vigil_seconds(const Vigil *self)
{
    return (double) (g_get_monotonic_time() - self->start) / G_USEC_PER_SEC;
}

int vigil_complain(Vigil *self, const GError *error)
{
    vigil_hush(self);
    return watchdog_complain(self->watchdog, error);
}

void vigil_hush(Vigil *self)
{
    g_clear_pointer(&self->progress, progress_free);
}
