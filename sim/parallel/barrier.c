/* The barrier: a generation counter to spin on, a condition to sleep on. */
#include "sim/parallel/barrier.h"

#include <stdatomic.h>

#include "sim/parallel/patience.h"

struct Barrier {
    guint thread_count;
    Patience patience;
    atomic_uint arrived;
    atomic_uint generation;
    atomic_uint sleepers;
    GMutex mutex;
    GCond cond;
};

Barrier *barrier_new(guint thread_count)
{
    Barrier *self = g_new0(Barrier, 1);

    self->thread_count = thread_count;
    patience_init(&self->patience, thread_count);
    g_mutex_init(&self->mutex);
    g_cond_init(&self->cond);
    return self;
}

void barrier_free(Barrier *self)
{
    if (self != NULL) {
        g_mutex_clear(&self->mutex);
        g_cond_clear(&self->cond);
        g_free(self);
    }
}

static void sleep_until_released(Barrier *self, guint generation)
{
    g_mutex_lock(&self->mutex);
    atomic_fetch_add(&self->sleepers, 1);
    while (atomic_load(&self->generation) == generation) {
        g_cond_wait(&self->cond, &self->mutex);
    }
    atomic_fetch_sub(&self->sleepers, 1);
    g_mutex_unlock(&self->mutex);
}

static void release(Barrier *self)
{
    atomic_store(&self->arrived, 0);
    atomic_fetch_add(&self->generation, 1);
    /* A sleeper counts itself before it looks at the generation, so either it is
     * seen here or it sees the new generation. */
    if (atomic_load(&self->sleepers) > 0) {
        g_mutex_lock(&self->mutex);
        g_cond_broadcast(&self->cond);
        g_mutex_unlock(&self->mutex);
    }
}

void barrier_wait(Barrier *self, BarrierFunc func, gpointer data)
{
    guint generation = atomic_load(&self->generation);

    if (atomic_fetch_add(&self->arrived, 1) + 1 == self->thread_count) {
        if (func != NULL) {
            func(data);
        }
        release(self);
        return;
    }
    const guint spins = patience_spins(&self->patience);

    for (guint i = 0; i < spins; i++) {
        if (atomic_load(&self->generation) != generation) {
            patience_learn(&self->patience, spins, true);
            return;
        }
        patience_pause();
    }
    patience_learn(&self->patience, spins, false);
    sleep_until_released(self, generation);
}
