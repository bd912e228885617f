/* A counting semaphore whose waiters are served first come first served. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"
#include "sim/process.h"

typedef struct SimSemaphore SimSemaphore;

/* `name` is copied. */
SimSemaphore *sim_semaphore_new(const char *name, uint64_t value);
void sim_semaphore_free(SimSemaphore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimSemaphore, sim_semaphore_free)

/* Takes `amount`, at least 1, if the value allows it and nobody waits ahead of
 * `process`. Otherwise returns false; `process`, if not NULL, is woken when its turn
 * has come. */
bool sim_semaphore_take(SimSemaphore *self, uint64_t amount, SimProcess *process);

void sim_semaphore_give(SimSemaphore *self, uint64_t amount);
