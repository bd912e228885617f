/* The chores of a crew that somebody could do something for. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/chore.h"

typedef struct {
    pthread_mutex_t mutex; /* the thread sanitizer does not see GLib's */
    GQueue waiting;        /* of SimChore, linked by themselves */
    atomic_uint count;
} Chores;

struct SimChore {
    SimCrew *crew;
    SimChoreFunc func;
    gpointer data;
    GList link;
    atomic_bool is_listed;  /* among the crew's, or just taken from there */
    atomic_bool is_claimed; /* somebody does a piece */
    _Atomic uint64_t added;
    _Atomic uint64_t done;
};

void chores_init(Chores *self);
void chores_clear(Chores *self);

static inline bool chores_are_waiting(Chores *self)
{
    return atomic_load_explicit(&self->count, memory_order_relaxed) > 0;
}

/* Does some pieces of the chore that has waited longest; false if there is none. */
bool chores_do_some(Chores *self);

/* Of a crew: its chores, whether it has other threads and does not rest, whether some
 * of them sleep, and waking these. */
Chores *crew_chores(SimCrew *self);
bool crew_puts_off(const SimCrew *self);
bool crew_has_sleepers(const SimCrew *self);
void crew_wake_for_chores(SimCrew *self);
