/* The ranks of a wafer. PEs whose next cycles are usual join theirs, where enough goes
 * on to be worth it, and leave it when something else is to happen; those are visited
 * one by one, as everywhere. What happens in a cycle is the same.
 *
 * A PE that is visited and its neighbours in step tell each other of tokens and of room
 * at the end of the cycle: whatever they do in a cycle depends on what was there at its
 * beginning. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/wse/region.h"

typedef struct WseRanks WseRanks;

/* For a wafer that the region visits as a whole; NULL if that has nothing usual. */
WseRanks *wse_ranks_new(WseRegion *region);
void wse_ranks_free(WseRanks *self); /* accepts NULL */

/* Forgets who is in step, before PEs begin anew. */
void wse_ranks_reset(WseRanks *self);

/* Whether PEs in step may do something in the cycle after the last. Accepts NULL. */
bool wse_ranks_are_awake(const WseRanks *self);

/* How many PEs are in step now. Accepts NULL. */
guint wse_ranks_in_step(const WseRanks *self);

/* As wse_wheel_next(), with those in step. Accepts NULL. */
uint32_t wse_ranks_next(const WseRanks *self, const WseWheel *wheel, uint32_t now);

/* Visits the PEs in this cycle: those that the region took from its wheel, and those
 * that are in step. True if one did something. */
bool wse_ranks_visit(WseRanks *self, uint32_t now);

/* The PE leaves at that cycle, between visits: something is to happen to it. Accepts
 * NULL, as the next one. */
void wse_ranks_call(WseRanks *self, uint32_t number, uint32_t when);

/* Brings the block of a PE up to date, for who looks at it between visits. */
void wse_ranks_show(const WseRanks *self, uint32_t number);

/* All PEs leave before the visits of cycle `now`. */
void wse_ranks_dissolve(WseRanks *self, uint32_t now);
