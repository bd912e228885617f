/* A timeline while its trace is read: in the order of the file, by track. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "traces/perfetto.pb-c.h"
#include "traces/reading/timeline.h"
#include "traces/reading/timeline/sources.h"

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
