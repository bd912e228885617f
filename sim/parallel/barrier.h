/* A meeting point of threads where the last to arrive does something for all. */
#pragma once

#include <glib.h>

typedef struct Barrier Barrier;

typedef void (*BarrierFunc)(gpointer data);

Barrier *barrier_new(guint thread_count);
void barrier_free(Barrier *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Barrier, barrier_free)

/* Waits for all threads. The last one calls `func` (may be NULL) before any continues.
 * A thread spins briefly and then sleeps, see patience.h; it sleeps at once when there
 * are more threads than processors. */
void barrier_wait(Barrier *self, BarrierFunc func, gpointer data);
