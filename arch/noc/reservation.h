/* Reserved paths: a holder owns all channels from end to end, so nothing can block it.
 */
#pragma once

#include <stdint.h>

#include <glib.h>

typedef struct NocReservations NocReservations;

typedef void (*NocReservedFunc)(gpointer data);

/* Channels are numbered 0..channel_count-1. */
NocReservations *noc_reservations_new(guint channel_count);
void noc_reservations_free(NocReservations *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NocReservations, noc_reservations_free)

/* Owners that still wait for a path. */
guint noc_reservations_waiting(const NocReservations *self);

/* Asks for all channels of `path`, an array of uint32_t, of which it takes a reference.
 * Calls `granted` when no other owner holds one of them and no earlier request waits
 * for one: at once, or later within noc_reservations_release(). An owner may hold a
 * channel several times, because its own packets follow each other. */
void noc_reservations_ask(NocReservations *self,
                          uint32_t owner,
                          GArray *path,
                          NocReservedFunc granted,
                          gpointer data);

/* Adds another hold to a path that `owner` already holds, ahead of all waiters. */
void noc_reservations_hold_again(NocReservations *self, uint32_t owner, GArray *path);

/* Gives back a path that was granted to `owner`, or held again. */
void noc_reservations_release(NocReservations *self, uint32_t owner, GArray *path);
