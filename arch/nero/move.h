/* Bytes that move as bursts through a chain of stages (channel, port, host link), with
 * a limit on how many are under way. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"

enum {
    NERO_HOPS = 2, /* places on the way, at most */
};

/* Called when a burst arrives at a place, at the region's current time. The place calls
 * nero_move_leave() as soon as it knows when the burst leaves. Bursts leave in order of
 * arrival. */
typedef void (*NeroHopFunc)(gpointer data, uint64_t bytes);

typedef struct {
    SimRegion *region;
    SimKey key;
    uint64_t burst_bytes;
    guint limit; /* bursts under way, at least 1 */
    guint hop_count;
    NeroHopFunc hops[NERO_HOPS];
    void (*left)(gpointer data, uint64_t bytes);    /* the first place; may be NULL */
    void (*arrived)(gpointer data, uint64_t bytes); /* a burst, behind the last */
    void (*begun)(gpointer data); /* all added bytes are on their way; may be NULL */
    gpointer data;
} NeroMoveConfig;

typedef struct {
    NeroMoveConfig config;
    uint64_t *sizes;        /* of bursts under way, a ring */
    guint begin;            /* of the next burst */
    guint heads[NERO_HOPS]; /* of the next one to leave each place */
    guint under_way;
    uint64_t waiting_bytes; /* added but not yet on their way */
    bool is_whole;          /* the waiting bytes are the last: a short burst may go */
    bool is_held;           /* a burst waits for others to arrive */
} NeroMove;

void nero_move_init(NeroMove *self, const NeroMoveConfig *config);
void nero_move_clear(NeroMove *self);

/* Adds bytes. A burst starts when it is full, or if `is_whole` says that these bytes
 * end a unit. */
void nero_move_add(NeroMove *self, uint64_t bytes, bool is_whole);

/* The next burst at place `hop` leaves it at `when`, which is not in the past. */
void nero_move_leave(NeroMove *self, guint hop, SimTime when);

/* Whether all full bursts have started. */
bool nero_move_is_begun(const NeroMove *self);
