/* A timeline under construction: events in file order, by track. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/perfetto.pb-c.h"
#include "traces/reading/timeline.h"

typedef struct {
    guint32 id;
    uint64_t track; /* default for events; 0: none */
    guint32 clock;  /* default for time stamps; 0: the trace's clock */
    GHashTable *categories;
    GHashTable *events;
    GHashTable *arguments;
} TraceSource;

typedef struct Sources Sources;

/* Names are stored in `strings`, which must outlive the result. */
Sources *sources_new(GStringChunk *strings);
void sources_free(Sources *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sources, sources_free)

/* The source of a packet, updated with the names and defaults that the packet
 * carries. */
TraceSource *sources_hear(Sources *self, const Perfetto__TracePacket *packet);

/* Converts a number to a key for a hash table with direct keys. */
gpointer sources_key(uint64_t number);

/* A copy of `text` as valid UTF-8 that lives as long as the strings. */
const char *sources_keep(Sources *self, const char *text);

/* The name of an event or an argument, given directly or by number; "" if it has
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

/* A track, as described so far in the file. */
typedef struct {
    uint64_t id;
    const char *name; /* "" if it has none */
    uint64_t parent;
    bool is_process;
    bool is_thread;
    bool is_counter;
    bool is_incremental;
    bool has_events;
    int64_t process; /* numbers of process and thread; -1: none */
    int64_t thread;
    const char *unit; /* of a counter */
    guint32 counter;  /* TRACE_NONE: no value yet */
    int64_t value;    /* the last one */
    GArray *open;     /* of DraftOpen: slices without an end, outermost first */
} DraftTrack;

typedef struct {
    guint32 slice;
    guint32 source;
} DraftOpen;

/* An event that is part of a flow. */
typedef struct {
    uint64_t id;
    SimTime at;
    bool is_end;
    bool is_mark;
    guint32 event; /* slice or mark */
    guint32 order;
} DraftFlow;

typedef struct {
    TraceTimeline *timeline; /* its events hold track numbers as lanes; the counter of a
                                sample is in `sample_counters` */
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

/* Adds the event of a packet. Returns false if there are too many events to count. */
bool draft_event(Draft *self,
                 const TraceSource *source,
                 const Perfetto__TracePacket *packet);

/* Turns the draft into the final timeline: everything in its lane, sorted by time. */
void draft_arrange(Draft *self);

/* Parses the name of a place: core[3,4], pe[0:15,16:31], or a word. Its strings are
 * stored in `strings`, which must outlive it. */
TracePlace place_name_read(const char *name, GStringChunk *strings);
