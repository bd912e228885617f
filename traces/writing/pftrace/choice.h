/* How much of each lane a trace holds. */
#pragma once

#include <stdbool.h>

#include "sim/lane.h"
#include "traces/writing/pftrace.h"

/* Whether the place is one of the chosen cores. */
bool choice_is_core(const TracePftraceConfig *config, const SimLanePlace *place);

SimLaneLevel choice_level(const TracePftraceConfig *config, const SimLanePlace *place);
