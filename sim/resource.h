/* A hardware resource with n equal slots that counts its busy cycles. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"
#include "sim/process.h"

typedef struct SimResource SimResource;

/* `name` is copied. */
SimResource *sim_resource_new(SimRegion *region, const char *name, guint slot_count);
void sim_resource_free(SimResource *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimResource, sim_resource_free)

/* Slot-cycles in use up to now: two slots held for three cycles count six. */
uint64_t sim_resource_busy_cycles(const SimResource *self);

/* Takes a slot if one is free and nobody waits ahead of `process`. Otherwise returns
 * false; `process`, if not NULL, is woken when its turn has come. */
bool sim_resource_acquire(SimResource *self, SimProcess *process);
void sim_resource_release(SimResource *self);
