/* How the lanes of cores and boards spent their time, summed over the programs and
 * chips of a run. */
#pragma once

#include "workloads/host/session.h"

/* Adds cycles of a lane, by what it did or waited for. */
void usage_add_cycles(SessionRun *run,
                      const char *lane,
                      const char *reason,
                      uint64_t cycles);

/* Into the outcome: metrics.units, busy and stalls. */
void usage_report(SessionRun *run);
