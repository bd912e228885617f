/* Bytes that move as bursts through a chain of stages (channel, port, host link), with
 * a limit on how many are under way. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"

enum {
    NERO_HOPS = 2, /* places on the way, at most */
};

/* A burst comes to a place in the region's present. As soon as the place knows when it
 * leaves, it calls nero_move_leave(); bursts leave in the order in which they came. */
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
    void (*begun)(gpointer data); /* all that was added is on its way; may be NULL */
    gpointer data;
} NeroMoveConfig;

typedef struct {
    NeroMoveConfig config;
    uint64_t *sizes;        /* of bursts under way, a ring */
    guint begin;            /* of the next burst */
    guint heads[NERO_HOPS]; /* of the next one to leave each place */
    guint under_way;
    uint64_t waiting_bytes; /* added, and not on their way */
    bool is_whole;          /* what is left is the end: a short burst may go */
    bool is_held;           /* a burst waits for others to arrive */
} NeroMove;

void nero_move_init(NeroMove *self, const NeroMoveConfig *config);
void nero_move_clear(NeroMove *self);

/* More bytes. A burst leaves when it is full, or with `is_whole`, which says that these
 * are the last of what belongs together. */
void nero_move_add(NeroMove *self, uint64_t bytes, bool is_whole);

/* The next burst at place `hop` leaves it at `when`, which is not in the past. */
void nero_move_leave(NeroMove *self, guint hop, SimTime when);

/* Nothing waits for its beginning but what does not fill a burst. */
bool nero_move_is_begun(const NeroMove *self);
