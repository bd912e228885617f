/* What limits a run, according to its result: its distance to the roofs of its chip,
 * what was busy, and the reasons for waiting. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

/* How near a run came to a roof. The name is borrowed from the result. */
typedef struct {
    const char *name;
    double percent;
} TraceRoofUse;

/* The roofs of a result of which it says what was achieved, in their order, without
 * units that computed nothing. The caller frees the array of TraceRoofUse. */
GArray *trace_limit_roofs(JsonObject *result);

/* One line, which the caller frees:
 *   the fullest roof, where it is at least half full: "L1: 73 % of its roof";
 *   else the busiest part, where it is busy half of the time: "unpack: busy 70 %";
 *   else "latency: no roof and no part above 50 %, the fullest is L1 with 7 %".
 * Where starting programs took longer than they ran, and is part of what was measured,
 * that comes first: "starting programs, 88 % of the time; then ...". */
char *trace_limit_text(JsonObject *result);

/* The largest of the result's stalls in words, "circular buffers, 35 % of all waits";
 * NULL where there are none. The caller frees it. */
char *trace_limit_waits(JsonObject *result);
