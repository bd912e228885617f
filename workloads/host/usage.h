/* How the lanes of cores spent their time, summed over the programs and chips of a run.
 */
#pragma once

#include "arch/tensix.h"
#include "workloads/host/session.h"

/* Adds the program that has just ended. */
void usage_add(Session *session, const ArchTensix *tensix);

/* Adds cycles of a lane, by what it did or waited for. */
void usage_add_cycles(SessionRun *run,
                      const char *lane,
                      const char *reason,
                      uint64_t cycles);

/* Into the outcome: metrics.units, busy and stalls; what links carried, into the
 * counters. */
void usage_report(SessionRun *run);
