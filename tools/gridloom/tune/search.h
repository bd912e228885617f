/* Which windows to run: all of them, or those that a search comes by. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "tools/gridloom/tune/space.h"

enum {
    TUNE_GENERATION = 16, /* windows that a search asks for at a time */
};

typedef struct TuneSearch TuneSearch;

/* All windows where those are at most `limit`. Otherwise an elitist search of `limit`
 * windows: a quarter of them, a generation at least, at random, then generations of
 * TUNE_GENERATION, each window made of one on the front so far by another size along
 * one axis, half of the time the next one up or down. None is asked for twice. What it
 * asks for depends on the space, the limit, the seed and the fronts alone. Borrows
 * `space`. */
TuneSearch *tune_search_new(const TuneSpace *space, guint limit, uint64_t seed);
void tune_search_free(TuneSearch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TuneSearch, tune_search_free)

bool tune_search_is_exhaustive(const TuneSearch *self);
/* How many windows it will ask for, and how many of a search are drawn blindly. */
guint tune_search_budget(const TuneSearch *self);
guint tune_search_first(const TuneSearch *self);

/* Numbers of the windows to run next, as uint64_t; empty where it is over. `front` has
 * those of the windows on the front of all that have run. The caller frees it. */
GArray *tune_search_next(TuneSearch *self, const GArray *front);
