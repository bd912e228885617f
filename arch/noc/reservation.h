/* Reserved trees: a wave goes out from the sender and takes channel after channel, and
 * what follows it meets nobody. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/time.h"

typedef struct NocReservations NocReservations;
typedef struct NocHold NocHold; /* the channels of one tree, taken or waited for */

enum {
    NOC_RESERVATION_PLACES = 2,
};

/* A channel of a tree, which lists each after the one that leads to it. */
typedef struct {
    uint32_t channel; /* 0..channel_count-1 */
    guint parent;     /* its place in the list; its own for the first ones */
    guint hops;       /* links from the sender to its far end */
} NocTreeChannel;

/* All of the tree is taken: the wave reaches its last channel and the news of that is
 * back at `when`, which may be later than now. */
typedef void (*NocReservedFunc)(gpointer data, NocHold *hold, SimTime when);

/* A wave takes `out` cycles a link, the news `back`. What follows another waits for
 * `handover` at each channel. */
typedef struct {
    SimTime out;
    SimTime back;
    SimTime handover;
} NocReservationTimes;

NocReservations *noc_reservations_new(guint channel_count, NocReservationTimes times);
void noc_reservations_free(NocReservations *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NocReservations, noc_reservations_free)

/* Trees that are not wholly taken yet. */
guint noc_reservations_waiting(const NocReservations *self);

typedef struct {
    GArray *tree; /* of NocTreeChannel; a reference is taken */
    uint32_t owner;
    bool is_alone;
    SimTime start; /* when its wave sets out, now or later */
    NocReservedFunc granted;
    gpointer data;
} NocTreeRequest;

/* Asks for all channels of a tree. A channel has two places. A hold takes the same one
 * in all of its channels, or both if it is to be alone. Each place goes to those who
 * ask for it in their order, so a tree can follow another channel by channel, and no
 * trees wait for each other. Calls `granted` now or within the functions below. The
 * hold ends when all of its channels have been passed. */
void noc_reservations_ask(NocReservations *self, const NocTreeRequest *request);

/* The place that it takes, 0 or 1. */
guint noc_hold_place(const NocHold *self);

/* It was asked for alone. */
bool noc_hold_is_alone(const NocHold *self);

/* When the news is back if the owner of a granted hold, none of which was passed, sends
 * out its wave again at `start`. */
SimTime noc_reservations_ask_again(const NocReservations *self,
                                   const NocHold *hold,
                                   SimTime start);

/* What follows the wave has passed `channel` at `now` and needs it no more. */
void noc_reservations_pass(NocReservations *self,
                           NocHold *hold,
                           uint32_t channel,
                           SimTime now);

/* Gives back at `now` all channels of a granted hold, of which none was passed. */
void noc_reservations_drop(NocReservations *self, NocHold *hold, SimTime now);
