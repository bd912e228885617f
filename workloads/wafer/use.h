/* What launches of wafers took: cycles by reason, energy, counters. */
#pragma once

#include <stdint.h>

#include "arch/wse.h"
#include "workloads/host/session.h"

/* A launch that went on beyond what was simulated, in the same way. 1 and 1: it did
 * not. */
typedef struct {
    double cycles;     /* of the whole over those simulated */
    double iterations; /* the same */
} WaferWhole;

/* Adds the launch that has just ended. */
void wafer_use_add(Session *session, const ArchWse *wse, WaferWhole whole);

/* Of all chips so far. */
WaferUse wafer_use_of_all(const SessionRun *run);

/* Into the outcome: busy, stalls, and energy_joules unless a measured region has set
 * it. */
void wafer_use_report(const SessionRun *run);
