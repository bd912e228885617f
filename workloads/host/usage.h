/* How the lanes of cores and boards spent their time, summed over the programs and
 * chips of a run. */
#pragma once

#include "workloads/host/session.h"

/* Adds cycles of a lane by activity or reason for waiting. */
void usage_add_cycles(SessionRun *run,
                      const char *lane,
                      const char *reason,
                      uint64_t cycles);

/* Sets metrics.units, busy and stalls of the outcome. */
void usage_report(SessionRun *run);
