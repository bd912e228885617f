/* Sequences of packets while a trace is read: their names by number, and their track.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/perfetto.pb-c.h"

typedef struct {
    guint32 id;
    uint64_t track; /* of events that name none; 0: none */
    guint32 clock;  /* of stamps that name none; 0: that of the trace */
    GHashTable *categories;
    GHashTable *events;
    GHashTable *arguments;
} TraceSource;

typedef struct Sources Sources;

/* Names go to `strings`, which outlives it. */
Sources *sources_new(GStringChunk *strings);
void sources_free(Sources *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sources, sources_free)

/* The source of a packet, once it knows what the packet tells of names and defaults. */
TraceSource *sources_hear(Sources *self, const Perfetto__TracePacket *packet);

/* A number as the key of a hash table without functions. */
gpointer sources_key(uint64_t number);

/* Text that lives as long as the strings, and is UTF-8. */
const char *sources_keep(Sources *self, const char *text);

/* The name of an event or an argument, by itself or by its number; "" where there is
 * none. */
const char *sources_event_name(Sources *self,
                               const TraceSource *source,
                               const Perfetto__TrackEvent *event);
const char *sources_argument_name(Sources *self,
                                  const TraceSource *source,
                                  const Perfetto__DebugAnnotation *argument);

bool sources_has_category(const TraceSource *source,
                          const Perfetto__TrackEvent *event,
                          const char *category);
