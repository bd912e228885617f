/* One element of a trace: an event or a zone, its fields checked. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/reading/noc_events.h"
#include "traces/reading/noc_events/scanner.h"

typedef struct {
    uint64_t stamp;
    gint64 device;       /* -1 is not recorded */
    char *unknown;       /* the type of an event that is unknown, else NULL; owned */
    TraceNocEvent event; /* without time and place; empty when the type is unknown */
} TraceNocElement;

void trace_noc_element_clear(TraceNocElement *self);

/* Reads the object that is next. Names of zones go to `names`. The message of an error
 * says field and value, not file and place. */
bool trace_noc_element_read(Scanner *scanner,
                            GStringChunk *names,
                            TraceNocElement *element,
                            GError **error);

/* Does the kind keep target and bytes for later, or use what was kept? */
bool trace_noc_kind_sets_state(TraceNocKind kind);
bool trace_noc_kind_uses_state(TraceNocKind kind);
