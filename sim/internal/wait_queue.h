/* Processes that wait for the same thing, first come first served. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/process.h"

typedef struct {
    GQueue processes;
    const char *what; /* stands in deadlock reports; the owner keeps it */
} WaitQueue;

void wait_queue_init(WaitQueue *self, const char *what);

/* Lets go of whoever still waits. */
void wait_queue_clear(WaitQueue *self);

/* Nobody else waits before `process` (which may be NULL). */
bool wait_queue_is_turn(const WaitQueue *self, const SimProcess *process);

/* Puts `process` at the end, unless it is NULL or waits here already. */
void wait_queue_join(WaitQueue *self, SimProcess *process);

/* `process` got what it wanted. */
void wait_queue_leave(WaitQueue *self, SimProcess *process);

/* `process` goes without; if it was the first, the next one may try. */
void wait_queue_abandon(WaitQueue *self, SimProcess *process);

/* Wakes the first, which stays first until it leaves. */
void wait_queue_wake(WaitQueue *self);
