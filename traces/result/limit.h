/* What limits a run, by its result: its distance to the chip's roofs, the busiest
 * parts, and the reasons for waiting. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

/* How near a run came to a roof. The name is borrowed from the result. */
typedef struct {
    const char *name;
    double percent;
} TraceRoofUse;

/* The roofs whose achieved rate the result gives, in order, without units that computed
 * nothing. The caller frees the array of TraceRoofUse. */
GArray *trace_limit_roofs(JsonObject *result);

/* One line, which the caller frees. `nearest` is the roof that a roofline of the run
 * names as its fullest; NULL takes it from the result, by the same rule, so that a page
 * says one thing:
 *   the fullest roof, if it is at least half full: "L1: 73 % of its roof";
 *   else the busiest part, if it is busy half of the time: "unpack: busy 70 %";
 *   else "latency: no roof and no part above 50 %, the fullest is L1 with 7 %".
 * If starting programs is part of the measured time and took longer than running them,
 * that comes first: "starting programs, 88 % of the time; then ...". */
char *trace_limit_text(JsonObject *result, const TraceRoofUse *nearest);

/* The largest of the result's stalls in words, "circular buffers, 35 % of all waits";
 * NULL if there are none. The caller frees it. */
char *trace_limit_waits(JsonObject *result);
