/* Judges whether anything has changed: on chips between windows of their engines, in
 * the host program between its calls. */
#include "workloads/host/livelock.h"

#include "sim/alike.h"
#include "sim/error.h"
#include "workloads/host/exchange_state.h"
#include "workloads/host/launch.h"
#include "workloads/host/transfer.h"

enum {
    SLEEP_CYCLES = 100, /* that a sleep counts at most: it may stand for work */
};

/* A number that changes whenever a chip of the run makes progress; false where programs
 * cannot poll. */
static bool measure(const SessionRun *run, SimTime now, uint64_t *progress)
{
    *progress = run->polling.work;
    for (guint i = 0; i < run->session_count; i++) {
        const Session *session = &run->sessions[i];
        uint64_t own = 0;

        if (!arch_chip_progress(session->chip, now, &own)) {
            return false;
        }
        *progress += own;
        if (session->launches->len > 0) {
            *progress += launch_progress(
                g_ptr_array_index(session->launches, session->launches->len - 1));
        }
    }
    return true;
}

guint livelock_list(const Session *self, GString *list)
{
    const SessionRun *run = self->run;
    const bool is_alone = self->driver == NULL;
    guint count = 0;

    for (guint i = 0; i < run->session_count; i++) {
        const Session *session = &run->sessions[i];
        g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *chip =
            is_alone ? g_strdup("") : g_strdup_printf("chip %u: ", i);

        if (is_alone && session != self) {
            continue;
        }
        sim_engine_list_waiters(arch_chip_engine(session->chip), lines);
        count += sim_alike_fold(lines);
        for (guint k = 0; k < lines->len; k++) {
            g_string_append_printf(list, "\n  %s%s", chip,
                                   (const char *) g_ptr_array_index(lines, k));
        }
    }
    return count;
}

/* `host` says what the host program does, or is NULL. */
static GError *describe(const Session *self, SimTime at, const char *host)
{
    g_autoptr(GString) list = g_string_new(NULL);

    if (host != NULL) {
        g_string_append_printf(list, "\n  %s", host);
    }
    (void) livelock_list(self, list);
    return g_error_new(SIM_ERROR, SIM_ERROR_LIVELOCK,
                       "livelock at cycle %" G_GUINT64_FORMAT
                       ": nothing has changed for %" G_GUINT64_FORMAT
                       " cycles (--livelock-cycles):%s",
                       at, self->machine->livelock_cycles, list->str);
}

/* Somebody beside the chips may still change something. */
static bool is_host_active(const Session *self)
{
    return self->driver != NULL &&
           (self->run->active_threads > 0 || self->driver->exchange->under_way > 0);
}

static GError *judge_chip(gpointer data, SimTime at, bool is_whole)
{
    Session *self = data;
    uint64_t progress = 0;
    const bool is_known = measure(self->run, at, &progress);
    const bool is_same = progress == self->progress;

    self->progress = progress;
    return is_known && is_whole && is_same && !is_host_active(self)
               ? describe(self, at, NULL)
               : NULL;
}

void livelock_watch(Session *self)
{
    sim_engine_set_pulse(arch_chip_engine(self->chip), self->machine->livelock_cycles,
                         judge_chip, self);
}

void livelock_host_worked(SessionRun *run)
{
    run->polling.work++;
    run->polling.cycles = 0;
}

/* The host program has spent `cycles` more on `call`, which changes nothing. Progress
 * is measured once in so many cycles: two times in a row without any are a livelock. */
static void add_poll(lua_State *L, Session *self, SimTime cycles, const char *call)
{
    SessionRun *run = self->run;
    uint64_t progress = 0;

    run->polling.cycles += MAX(cycles, 1);
    if (self->machine->livelock_cycles == 0 ||
        run->polling.cycles < self->machine->livelock_cycles) {
        return;
    }
    const bool is_known = measure(run, session_cycle(self), &progress);

    run->polling.cycles = 0;
    if (is_known && run->polling.moving == 0 && progress == run->polling.progress) {
        g_autofree char *host = g_strdup_printf(
            "%s spins on %s", sim_system_program(self->machine->system), call);
        GError *error = describe(self, session_cycle(self), host);

        g_clear_pointer(&host, g_free); /* session_fail() does not return */
        session_fail(L, self, error);
    }
    run->polling.progress = progress;
}

void livelock_host_slept(lua_State *L, Session *self, double seconds)
{
    add_poll(L, self, MIN(session_cycle_at(self, seconds), SLEEP_CYCLES), "host.sleep");
}

void livelock_host_read(
    lua_State *L, Session *self, double seconds, const char *call, uint64_t place)
{
    if (sim_polls_repeat(&self->run->polling.polls,
                         place ^ (uint64_t) self->index << 56, 0)) {
        add_poll(L, self, session_cycle_at(self, seconds), call);
    } else {
        livelock_host_worked(self->run);
    }
}
