/* What launches of wafers took: cycles by reason, energy, counters. */
#pragma once

#include "arch/wse.h"
#include "workloads/host/session.h"

/* A launch that went on beyond what was simulated, in the same way. 1 and 1: it did
 * not. */
typedef struct {
    double cycles;     /* of the whole over those simulated */
    double iterations; /* the same */
} WaferWhole;

/* What all launches of a wafer took together. */
typedef struct {
    double pe_cycles;
    double busy; /* PE cycles */
    double memory_idle;
    double joules;
} WaferUse;

/* Adds the launch that has just ended. */
void wafer_use_add(Session *session, const ArchWse *wse, WaferWhole whole);

/* HostFamily.joules, HostFamily.report: busy, stalls, and energy_joules unless a
 * measured region has set it. */
double wafer_use_joules(const Session *session);
void wafer_use_report(SessionRun *run);
