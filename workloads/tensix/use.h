/* The work of programs on cores, added up over a run. */
#pragma once

#include "arch/tensix.h"
#include "workloads/host/session.h"

/* Adds the program that has just ended. */
void core_use_add(Session *session, const ArchTensix *tensix);

/* At the end, adds the bytes that network links carried to the counters. */
void core_use_report(SessionRun *run);
