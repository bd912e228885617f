/* A watcher for tests: keeps all records of a run, and says what was seen. */
#pragma once

#include "sim/probe.h"
#include "tests/arch/wse/run.h"

typedef struct {
    WseRun *run;
    GArray *records; /* of SimProbeRecord, in the order they came in */
    GString *text;   /* all of them, in one text */
} WseSight;

/* Everything of the run that comes, in full. */
void wse_sight_open(WseSight *self, WseRun *run);
void wse_sight_close(WseSight *self);

/* The lane of a PE's unit. */
SimLane wse_sight_lane(const WseSight *self, guint x, guint y, const char *unit);

/* What a lane had, " name@begin-end" each, "!name" for stalls and "name@when" for
 * marks, in cycles after the start. */
void wse_sight_assert(
    const WseSight *self, guint x, guint y, const char *unit, const char *expected);

/* Cycles of all slices, or stalls, of a PE's unit. */
uint64_t wse_sight_cycles(
    const WseSight *self, guint x, guint y, const char *unit, SimProbeKind kind);

/* Slices and stalls of each lane come in the order of time and do not overlap; flows
 * have a beginning and one end, which comes later. Returns how many flows there are. */
guint wse_sight_check(const WseSight *self);
