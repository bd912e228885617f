/* Processes that wait for the same thing, first come first served. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/process.h"

typedef struct {
    GQueue processes;
    const char *what; /* shown in deadlock reports; borrowed from the owner */
} WaitQueue;

void wait_queue_init(WaitQueue *self, const char *what);

/* Removes all waiters without waking them. */
void wait_queue_clear(WaitQueue *self);

/* Whether nobody waits ahead of `process`, which may be NULL. */
bool wait_queue_is_turn(const WaitQueue *self, const SimProcess *process);

/* Puts `process` at the end, unless it is NULL or waits here already. */
void wait_queue_join(WaitQueue *self, SimProcess *process);

/* Removes `process`, which got what it waited for. */
void wait_queue_leave(WaitQueue *self, SimProcess *process);

/* Removes `process`, which gives up. If it was the first, the next one may try. */
void wait_queue_abandon(WaitQueue *self, SimProcess *process);

/* Wakes the first process, which stays first until it leaves. */
void wait_queue_wake(WaitQueue *self);
