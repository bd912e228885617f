/* The events in which a Gridloom trace says what ran and how it ended. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "sim/time.h"
#include "traces/perfetto.pb-c.h"
#include "traces/reading/timeline/sources.h"

typedef struct {
    bool is_ours; /* the first event was there */
    bool has_end; /* and the last one */
    uint64_t track;
    int64_t format;
    double clock_hz;
    SimTime cut;    /* from which on slices are missing; SIM_TIME_NEVER: none are */
    bool lacks_use; /* of blocks, for want of room */
    char *failure;
    JsonObject *start;
    JsonObject *result;
} TraceRunNotes;

void trace_run_notes_clear(TraceRunNotes *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TraceRunNotes, trace_run_notes_clear)

/* Whether the event is one of them, which is then read. */
bool trace_run_notes_hear(TraceRunNotes *self,
                          Sources *sources,
                          const TraceSource *source,
                          const Perfetto__TrackEvent *event);
