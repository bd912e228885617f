/* One element of a trace: an event or a zone, with its fields checked. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/reading/noc_events.h"
#include "traces/reading/noc_events/scanner.h"

typedef struct {
    uint64_t stamp;
    gint64 device;       /* -1: not recorded */
    char *unknown;       /* the type, if it is unknown; else NULL. Owned */
    TraceNocEvent event; /* without time and place; empty if the type is unknown */
} TraceNocElement;

void trace_noc_element_clear(TraceNocElement *self);

/* Reads the next object. Zone names are stored in `names`. An error message names the
 * field and the value, but not the file and position. */
bool trace_noc_element_read(Scanner *scanner,
                            GStringChunk *names,
                            TraceNocElement *element,
                            GError **error);

/* Does this kind of event set the stored target and byte count, or use them? */
bool trace_noc_kind_sets_state(TraceNocKind kind);
bool trace_noc_kind_uses_state(TraceNocKind kind);
