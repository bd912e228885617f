/* What the boards of a run did, summed over its chips. */
#pragma once

#include "workloads/host/session.h"

/* Joules that boards of the run have taken so far. */
double board_use_joules(const SessionRun *run);

/* At the end: cycles of PEs' parts as units, energy. Before usage_report(). */
void board_use_report(SessionRun *run);
