/* What the roofs of a machine allow for a problem that was not measured on it. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/roofline/machine.h"
#include "traces/roofline/set.h"

/* Adds the bound of a run's problem, once, with a note. Operations per byte are the
 * most that a result of this workload in `measured`, of TraceRun, counts, for numbers
 * of the run's format; where none does, or the machine has no roof for them, nothing is
 * added.
 */
void trace_roofline_bound_add(TraceRooflineSet *self,
                              const TraceMachine *machine,
                              JsonObject *run,
                              const GPtrArray *measured);
