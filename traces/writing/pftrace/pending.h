/* Holds records that lie ahead of the engine's time until it has passed them. */
#pragma once

#include <glib.h>

#include "sim/probe.h"

typedef struct Pending Pending;

Pending *pending_new(void);
void pending_free(Pending *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Pending, pending_free)

/* A change or a mark. */
void pending_add(Pending *self, const SimProbeRecord *record);

/* Takes the record with the earliest `begin`, the first added in a tie, if it is before
 * `before`, which never falls; NULL: none is. The record is there up to the next call.
 */
const SimProbeRecord *pending_take(Pending *self, SimTime before);
