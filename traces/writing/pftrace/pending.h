/* Records ahead of the engine's time, held until it has passed theirs. */
#pragma once

#include <glib.h>

#include "sim/probe.h"

typedef struct Pending Pending;

Pending *pending_new(void);
void pending_free(Pending *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Pending, pending_free)

void pending_add(Pending *self, const SimProbeRecord *record);

/* Takes the first by `begin`, of several the one added first, if it is before `before`.
 */
bool pending_take(Pending *self, SimTime before, SimProbeRecord *record);
