/* How much of which lane a trace has. */
#pragma once

#include "sim/lane.h"
#include "traces/pftrace.h"

SimLaneLevel choice_level(const TracePftraceConfig *config, const SimLanePlace *place);
