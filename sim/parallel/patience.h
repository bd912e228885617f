/* How long a thread spins before it sleeps. Spinning pays only while the thread that it
 * waits for runs; on a busy machine that thread often does not. So who waited in vain
 * spins half as long the next time, and twice as long after a success. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

#include <glib.h>

enum {
    PATIENCE_LEAST = 16,
    PATIENCE_MOST = 4000, /* a few microseconds: longer than a usual window's skew */
};

/* Of one place where threads wait. */
typedef struct {
    atomic_uint spins; /* 0: nobody ever spins */
} Patience;

/* Threads that have no processor of their own never spin. */
static inline void patience_init(Patience *self, guint thread_count)
{
    atomic_init(&self->spins,
                thread_count <= g_get_num_processors() ? PATIENCE_MOST : 0);
}

static inline void patience_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* The wait that began with so many spins allowed is over. */
static inline void patience_learn(Patience *self, guint spins, bool was_enough)
{
    guint next =
        was_enough ? MIN(2 * spins, PATIENCE_MOST) : MAX(spins / 2, PATIENCE_LEAST);

    if (spins != 0 && next != spins) {
        atomic_store_explicit(&self->spins, next, memory_order_relaxed);
    }
}

static inline guint patience_spins(Patience *self)
{
    return atomic_load_explicit(&self->spins, memory_order_relaxed);
}
