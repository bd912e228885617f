/* Work that an event puts off: pieces that come up one after another, and are done in
 * that order by threads of the crew that have nothing else to do, or by whoever needs
 * the results. Piece by piece, no two at the same time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "sim/crew.h"

typedef struct SimChore SimChore;

/* Does piece number `piece`, counted from 0. */
typedef void (*SimChoreFunc)(gpointer data, uint64_t piece);

SimChore *sim_chore_new(SimCrew *crew, SimChoreFunc func, gpointer data);
/* Pieces that nobody has begun are not done any more. */
void sim_chore_free(SimChore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimChore, sim_chore_free)

/* Whether somebody else should do the next piece: the crew has other threads and does
 * not rest; and no chore waits for them, or they sleep, or this one's pieces wait. */
bool sim_chore_is_put_off(const SimChore *self);

/* There is one piece more. One caller at a time. */
void sim_chore_add(SimChore *self);

/* Pieces that were added. */
uint64_t sim_chore_pieces(const SimChore *self);

/* Returns when the first `pieces` are done, and does those that nobody has begun. */
void sim_chore_finish(SimChore *self, uint64_t pieces);
