/* How windows are searched: steps between them, and the front of those that ran. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "workloads/tune_place.h"

guint wl_tune_space_size_count(const WlTuneSpace *self, guint index);

/* The number of the window that has another size along one axis: that of this place
 * among its sizes. */
uint64_t
wl_tune_space_move(const WlTuneSpace *self, uint64_t number, guint index, guint place);
/* Which place a window's size along an axis has. */
guint wl_tune_space_place(const WlTuneSpace *self, uint64_t number, guint index);

typedef struct WlTuneSearch WlTuneSearch;

/* As wl_tune_budget() says. No window is asked for twice. What it asks for depends on
 * the space, the limit, the seed and the fronts alone. Borrows `space`. */
WlTuneSearch *wl_tune_search_new(const WlTuneSpace *space, guint limit, uint64_t seed);
void wl_tune_search_free(WlTuneSearch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlTuneSearch, wl_tune_search_free)

/* Numbers of the windows to run next, as uint64_t; empty where it is over. `front` has
 * those of the windows on the front of all that have run. The caller frees it. */
GArray *wl_tune_search_next(WlTuneSearch *self, const GArray *front);

/* Candidates on the front, as indices (guint), the best of the first goal first. The
 * caller frees it. */
GArray *wl_tune_front_new(const GArray *points, const WlTuneGoal goals[2]);

/* An index of `points`; -1 where the front is empty. */
int wl_tune_front_choose(const GArray *points,
                         const GArray *front,
                         const WlTuneGoal goals[2],
                         double within_percent);

/* Of any point, but for whether it is on the front. */
WlTunePlace wl_tune_front_place(const GArray *points,
                                const GArray *front,
                                const WlTuneGoal goals[2],
                                const WlTunePoint *point);
