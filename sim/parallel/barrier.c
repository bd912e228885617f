/* The barrier: a generation counter to spin on, a condition to sleep on. */
#include "sim/parallel/barrier.h"

#include <stdatomic.h>

enum {
    BARRIER_SPINS = 4000, /* a few microseconds: longer than a usual window's skew */
};

struct Barrier {
    guint thread_count;
    guint spins;
    atomic_uint arrived;
    atomic_uint generation;
    atomic_uint sleepers;
    GMutex mutex;
    GCond cond;
};

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

Barrier *barrier_new(guint thread_count)
{
    Barrier *self = g_new0(Barrier, 1);

    self->thread_count = thread_count;
    self->spins = thread_count <= g_get_num_processors() ? BARRIER_SPINS : 0;
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
    for (guint i = 0; i < self->spins; i++) {
        if (atomic_load(&self->generation) != generation) {
            return;
        }
        pause_briefly();
    }
    sleep_until_released(self, generation);
}
