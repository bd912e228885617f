/* Tracks: a process for each place, a thread for each lane, and the lane's counters. */
#pragma once

#include <glib.h>

#include "sim/lane.h"
#include "traces/writing/pftrace.h"
#include "traces/writing/pftrace/sequence.h"

/* A counter of a lane. Several changes at one time are written as one value. */
typedef struct {
    guint32 name; /* its number */
    Sequence sequence;
    SimTime at;
    int64_t value;
    bool is_due;  /* `value` has not been written yet */
    bool is_told; /* for a counter of use: it has a value */
} Counter;

typedef struct {
    uint64_t id;
    /* Enough sequences to keep time stamps ascending: the first, and more of them. */
    Sequence sequence;
    GArray *more;               /* of Sequence; NULL: none */
    const char **counter_names; /* side by side, since they are searched */
    Counter *counters;
    guint counter_count;
} Track;

typedef struct Tracks Tracks;

enum {
    TRACKS_OUTSIDE =
        TRACE_PFTRACE_ENGINES, /* the engine number of tracks without an engine */
};

/* The tracks of one engine; `number` counts engines from 0. The names of its places get
 * `prefix`. All arguments must outlive it. An engine of NULL has named tracks only. */
Tracks *
tracks_new(const SimEngine *engine, guint number, const char *prefix, Packets *packets);
void tracks_free(Tracks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tracks, tracks_free)

/* The track of a lane. */
Track *tracks_lane(Tracks *self, SimLane lane);

/* The name of the argument that holds when that lane did what ended a wait: by
 * core[3,4].math. */
Name *tracks_cause(Tracks *self, SimLane lane);

/* The track of an activity outside any engine, by the names of its place and lane. */
Track *tracks_named(Tracks *self, const char *place, const char *lane);

/* The track of the square of places whose first lane is `lane`. Call it after the last
 * run. */
Track *tracks_block(Tracks *self, SimLane lane);

/* The same after the track's first sequence. */
Sequence *tracks_later_sequence(Tracks *self, Track *track, SimTime at);

/* The first sequence of the track whose last stamp is not after `at`. */
static inline Sequence *tracks_sequence(Tracks *self, Track *track, SimTime at)
{
    return G_LIKELY(track->sequence.last <= at)
               ? &track->sequence
               : tracks_later_sequence(self, track, at);
}

/* NULL if the track has no such counter. It is there until another one is added. */
Counter *tracks_find_counter(Tracks *self, const Track *track, const char *name);
/* `unit` may be NULL. */
Counter *
tracks_add_counter(Tracks *self, Track *track, const char *name, const char *unit);

/* Calls func for all counters of lanes, in a fixed order. */
typedef void (*CounterFunc)(gpointer data, Counter *counter);
void tracks_each_counter(Tracks *self, CounterFunc func, gpointer data);
