/* What programs on cores did, added up over a run. */
#pragma once

#include "arch/tensix.h"
#include "workloads/host/session.h"

/* Adds the program that has just ended. */
void core_use_add(Session *session, const ArchTensix *tensix);

/* At the end: what links of the networks carried, into the counters. */
void core_use_report(SessionRun *run);
