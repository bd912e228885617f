/* What all chips of a run did together. */
#pragma once

#include <stdint.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "workloads/run.h"

/* Counters by name; the caller frees it. */
JsonObject *cmd_run_total_counters(const WlChip *chips, guint count);

/* Events of their engines. */
uint64_t cmd_run_total_events(const WlChip *chips, guint count);
