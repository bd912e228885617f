/* The pending events of one region: near ones in a ring of buckets, far ones in a heap.
 */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/queue/cycle.h"
#include "sim/queue/entry.h"
#include "sim/queue/heap.h"
#include "sim/queue/ring.h"
#include "sim/queue/slots.h"
#include "sim/time.h"

typedef struct {
    SimTime now;     /* the ring covers [now, now + ring length) */
    Ring ring;       /* events within it */
    SimHeap far;     /* events beyond it */
    SimHeap late;    /* events scheduled for the running cycle while it runs */
    gsize dead_far;  /* cancelled ones in `far` */
    bool is_running; /* between queue_begin and queue_end */
    Slots slots;
    Cycle cycle;       /* the running cycle's events, sorted */
    RingBucket bucket; /* where they lie */
    gsize position;    /* of the next one */
} Queue;

void queue_init(Queue *self, guint ring_cycles);
void queue_clear(Queue *self);

/* `when` must not be before `now`. */
SimEvent
queue_push(Queue *self, SimTime when, SimKey key, SimEventFunc func, gpointer data);
bool queue_cancel(Queue *self, SimEvent event);

/* The next cycle with an event, or SIM_TIME_NEVER. Drops earlier cycles whose events
 * were all cancelled. Not while a cycle is running. */
SimTime queue_next(Queue *self);

/* Moves `now` to `when`, at most queue_next(), and makes its events ready. */
void queue_begin(Queue *self, SimTime when);

/* Removes the next live event of the running cycle, in key order. Returns false and
 * ends the cycle if none is left. */
bool queue_take(Queue *self, Entry *event);

/* While a cycle runs, after one of its events was taken: no event is left before this
 * cycle, which may be the running one. */
SimTime queue_left(const Queue *self);

/* Moves an idle queue forward; `when` must not pass a pending event. */
void queue_skip_to(Queue *self, SimTime when);
