/* A timeline while its trace is read: in the order of the file, by track. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/perfetto.pb-c.h"
#include "traces/reading/timeline.h"

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

/* A track, as far as the file has told of it. */
typedef struct {
    uint64_t id;
    const char *name; /* "" where it has none */
    uint64_t parent;
    bool is_process;
    bool is_thread;
    bool is_counter;
    bool is_incremental;
    bool has_events;
    int64_t process; /* numbers of process and thread; -1: none */
    int64_t thread;
    const char *unit; /* of a counter */
    guint32 counter;  /* TRACE_NONE: it has no value yet */
    int64_t value;    /* the last one */
    GArray *open;     /* of DraftOpen: slices without an end, outer ones first */
} DraftTrack;

typedef struct {
    guint32 slice;
    guint32 source;
} DraftOpen;

/* An event that has a flow. */
typedef struct {
    uint64_t id;
    SimTime at;
    bool is_end;
    bool is_mark;
    guint32 event; /* slice or mark */
    guint32 order;
} DraftFlow;

typedef struct {
    TraceTimeline *timeline; /* lanes of its events are numbers of tracks; a sample's
                              * counter is in `sample_counters` */
    Sources *sources;
    GArray *tracks; /* of DraftTrack */
    GHashTable *track_numbers;
    GArray *sample_counters; /* of guint32 */
    GArray *counter_tracks;  /* of guint32 */
    GArray *flows;           /* of DraftFlow */
} Draft;

void draft_init(Draft *self, TraceTimeline *timeline);
void draft_clear(Draft *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Draft, draft_clear)

void draft_describe(Draft *self, const Perfetto__TrackDescriptor *descriptor);

/* The event of a packet. Returns false where there are more of them than can be
 * counted.
 */
bool draft_event(Draft *self,
                 const TraceSource *source,
                 const Perfetto__TracePacket *packet);

/* Makes the timeline of it: everything in its place and in the order of time. */
void draft_arrange(Draft *self);

/* The place of a name: core[3,4], pe[0:15,16:31], or a word. Its strings are in
 * `strings`, which outlives it. */
TracePlace place_name_read(const char *name, GStringChunk *strings);
