/* Named totals of a run (bytes moved, operations done), kept per region and added up.
 */
#pragma once

#include <glib.h>

#include "sim/engine.h"

typedef guint SimCounter;

/* Returns the counter called `name` and creates it on first use. Call it only before or
 * between runs. */
SimCounter sim_engine_counter(SimEngine *self, const char *name);

guint sim_engine_counter_count(const SimEngine *self);
const char *sim_engine_counter_name(const SimEngine *self, SimCounter counter);

/* Sum over all regions. Not to be called from inside an event. */
uint64_t sim_engine_counter_total(const SimEngine *self, SimCounter counter);

void sim_region_count(SimRegion *self, SimCounter counter, uint64_t amount);
