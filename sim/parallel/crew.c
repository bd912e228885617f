/* Hands out jobs by tickets: a call's number, how many jobs it has, and the next one. A
 * thread that comes late finds a ticket without jobs, or one of a later call. */
#include "sim/crew.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/narrow.h"
#include "sim/parallel/chores.h"
#include "sim/parallel/patience.h"

enum {
    COUNT_SHIFT = 16,
    CALL_SHIFT = 32,
    MOST_JOBS = UINT16_MAX,
    PAUSES = 1000, /* before a thread sleeps */
    PAUSE_US = 30,
};

struct SimCrew {
    guint thread_count;
    GThread **threads;
    SimCrewFunc func;
    gpointer data;
    _Atomic uint64_t ticket;
    atomic_uint done; /* jobs of this call */
    atomic_uint sleepers;
    atomic_bool is_over;
    atomic_bool is_resting;
    Chores chores;
    Patience for_work;
    Patience for_ends;
    GMutex mutex;
    GCond cond;
};

static guint job_of(uint64_t ticket)
{
    return sim_u32(ticket & MOST_JOBS);
}

static guint count_of(uint64_t ticket)
{
    return sim_u32(ticket >> COUNT_SHIFT & MOST_JOBS);
}

static void wake(SimCrew *self)
{
    if (atomic_load(&self->sleepers) > 0) {
        g_mutex_lock(&self->mutex);
        g_cond_broadcast(&self->cond);
        g_mutex_unlock(&self->mutex);
    }
}

/* Does jobs until none is left to begin. */
static void work(SimCrew *self)
{
    /* A look before the ticket is taken keeps its number from running over. */
    for (uint64_t seen = atomic_load(&self->ticket); job_of(seen) < count_of(seen);
         seen = atomic_load(&self->ticket)) {
        const uint64_t ticket = atomic_fetch_add(&self->ticket, 1);

        if (job_of(ticket) >= count_of(ticket)) {
            return;
        }
        /* Its caller waits for this job, so that these are still the call's. */
        self->func(self->data, job_of(ticket));
        if (atomic_fetch_add(&self->done, 1) + 1 == count_of(ticket)) {
            wake(self);
        }
    }
}

typedef bool (*Condition)(SimCrew *self);

static bool has_work(SimCrew *self)
{
    const uint64_t ticket = atomic_load(&self->ticket);

    return job_of(ticket) < count_of(ticket) || chores_are_waiting(&self->chores) ||
           atomic_load(&self->is_over);
}

static bool is_done(SimCrew *self)
{
    return atomic_load(&self->done) == count_of(atomic_load(&self->ticket));
}

/* Spins, then sleeps. A sleeper counts itself before it looks, so either it is seen or
 * it sees what it waits for. */
static void wait_until(SimCrew *self, Condition holds, Patience *patience)
{
    const guint spins = patience_spins(patience);

    for (guint i = 0; i < spins; i++) {
        if (holds(self)) {
            patience_learn(patience, spins, true);
            return;
        }
        patience_pause();
    }
    if (holds(self)) {
        return;
    }
    patience_learn(patience, spins, false);
    g_mutex_lock(&self->mutex);
    atomic_fetch_add(&self->sleepers, 1);
    while (!holds(self)) {
        g_cond_wait(&self->cond, &self->mutex);
    }
    atomic_fetch_sub(&self->sleepers, 1);
    g_mutex_unlock(&self->mutex);
}

static gpointer help(gpointer data)
{
    SimCrew *self = data;

    while (!atomic_load(&self->is_over)) {
        wait_until(self, has_work, &self->for_work);
        work(self);
        (void) chores_do_some(&self->chores);
    }
    return NULL;
}

SimCrew *sim_crew_new(guint thread_count)
{
    SimCrew *self = g_new0(SimCrew, 1);

    self->thread_count = MAX(thread_count, 1);
    chores_init(&self->chores);
    patience_init(&self->for_work, self->thread_count);
    patience_init(&self->for_ends, self->thread_count);
    g_mutex_init(&self->mutex);
    g_cond_init(&self->cond);
    self->threads = g_new(GThread *, self->thread_count);
    for (guint i = 1; i < self->thread_count; i++) {
        self->threads[i] = g_thread_new("sim-crew", help, self);
    }
    return self;
}

void sim_crew_free(SimCrew *self)
{
    if (self == NULL) {
        return;
    }
    atomic_store(&self->is_over, true);
    wake(self);
    for (guint i = 1; i < self->thread_count; i++) {
        g_thread_join(self->threads[i]);
    }
    g_free(self->threads);
    chores_clear(&self->chores);
    g_mutex_clear(&self->mutex);
    g_cond_clear(&self->cond);
    g_free(self);
}

guint sim_crew_threads(const SimCrew *self)
{
    return self->thread_count;
}

void sim_crew_rest(SimCrew *self, bool is_resting)
{
    atomic_store_explicit(&self->is_resting, is_resting, memory_order_relaxed);
}

bool crew_puts_off(const SimCrew *self)
{
    return self->thread_count > 1 &&
           !atomic_load_explicit(&self->is_resting, memory_order_relaxed);
}

bool crew_has_sleepers(const SimCrew *self)
{
    return atomic_load_explicit(&self->sleepers, memory_order_relaxed) > 0;
}

Chores *crew_chores(SimCrew *self)
{
    return &self->chores;
}

void crew_wake_for_chores(SimCrew *self)
{
    wake(self);
}

/* All jobs, on the caller's thread. */
static void work_alone(guint count, SimCrewFunc func, gpointer data)
{
    for (guint job = 0; job < count; job++) {
        func(data, job);
    }
}

void sim_crew_run(SimCrew *self, guint count, SimCrewFunc func, gpointer data)
{
    if (crew_puts_off(self)) {
        sim_crew_run_long(self, count, func, data);
    } else {
        work_alone(count, func, data);
    }
}

void sim_crew_run_long(SimCrew *self, guint count, SimCrewFunc func, gpointer data)
{
    const uint64_t call = (atomic_load(&self->ticket) >> CALL_SHIFT) + 1;

    g_return_if_fail(count <= MOST_JOBS);

    self->func = func;
    self->data = data;
    atomic_store(&self->done, 0);
    atomic_store(&self->ticket, call << CALL_SHIFT | (uint64_t) count << COUNT_SHIFT);
    wake(self);
    work(self);
    while (!is_done(self) && chores_do_some(&self->chores)) {
    }
    wait_until(self, is_done, &self->for_ends);
}

void sim_crew_pause(guint times)
{
    if (times < PAUSES) {
        patience_pause();
    } else {
        g_usleep(PAUSE_US); /* who does that job may need this processor */
    }
}
