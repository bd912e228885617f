/* Tracks: a process for each place, a thread for each lane, and the lane's counters. */
#pragma once

#include <glib.h>

#include "sim/lane.h"
#include "traces/writing/pftrace.h"
#include "traces/writing/pftrace/sequence.h"

/* A counter of a lane. Changes at one time are one value. */
typedef struct {
    guint32 name; /* its number */
    Sequence sequence;
    SimTime at;
    int64_t value;
    bool is_due;  /* `value` has not been written yet */
    bool is_told; /* of a counter of use: it has a value */
} Counter;

typedef struct {
    uint64_t id;
    GArray *sequences; /* of Sequence: as many as it takes to have stamps in order */
    GPtrArray *counters;
} Track;

typedef struct Tracks Tracks;

enum {
    TRACKS_OUTSIDE = TRACE_PFTRACE_ENGINES, /* the number of tracks without an engine */
};

/* Of one engine of a run; `number` counts them from 0. `prefix` is put before the names
 * of its places. All outlive it. The engine may be NULL: it has named tracks only. */
Tracks *
tracks_new(const SimEngine *engine, guint number, const char *prefix, Packets *packets);
void tracks_free(Tracks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tracks, tracks_free)

/* The track of a lane. */
Track *tracks_lane(Tracks *self, SimLane lane);

/* The track of what no engine does, by the names of its place and lane. */
Track *tracks_named(Tracks *self, const char *place, const char *lane);

/* That of the square of places that the lane is the first of. After the last run. */
Track *tracks_block(Tracks *self, SimLane lane);

/* The first sequence of the track whose last stamp is not behind `at`. */
Sequence *tracks_sequence(Tracks *self, Track *track, SimTime at);

/* NULL where the track has no such counter. */
Counter *tracks_find_counter(Tracks *self, const Track *track, const char *name);
/* `unit` may be NULL. */
Counter *
tracks_add_counter(Tracks *self, Track *track, const char *name, const char *unit);

/* Calls func for all counters of lanes, in a fixed order. */
typedef void (*CounterFunc)(gpointer data, Counter *counter);
void tracks_each_counter(Tracks *self, CounterFunc func, gpointer data);
