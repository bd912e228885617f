/* What the boards of a run did, summed over its chips. */
#pragma once

#include "workloads/host/session.h"

/* HostFamily.joules, HostFamily.report: cycles of PEs' parts as units, energy. */
double board_use_joules(const Session *session);
void board_use_report(SessionRun *run);
