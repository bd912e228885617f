/* What the lanes of the cores did with their time, added up over the programs of a run.
 */
#pragma once

#include "arch/tensix.h"
#include "workloads/script/session.h"

/* Adds the program that has just ended. */
void usage_add(Session *session, const ArchTensix *tensix);

/* Into the outcome: metrics.units, busy and stalls; what links carried, into the
 * counters. */
void usage_report(Session *session);
