/* The search of windows: steps between them, and the front of those that ran. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "workloads/tune_place.h"

guint wl_tune_space_size_count(const WlTuneSpace *self, guint index);

/* The number of the window with another size along one axis: the size with index
 * `place`. */
uint64_t
wl_tune_space_move(const WlTuneSpace *self, uint64_t number, guint index, guint place);
/* The index of a window's size among the sizes of an axis. */
guint wl_tune_space_place(const WlTuneSpace *self, uint64_t number, guint index);

typedef struct WlTuneSearch WlTuneSearch;

/* Searches as wl_tune_budget() describes. Never asks for a window twice. Its requests
 * depend only on the space, the limit, the seed and the fronts. Borrows `space`. */
WlTuneSearch *wl_tune_search_new(const WlTuneSpace *space, guint limit, uint64_t seed);
void wl_tune_search_free(WlTuneSearch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlTuneSearch, wl_tune_search_free)

/* The numbers of the windows to run next, as uint64_t; empty at the end. `front` holds
 * the numbers on the front so far. The caller frees it. */
GArray *wl_tune_search_next(WlTuneSearch *self, const GArray *front);

/* The candidates on the front, as indices (guint), the best by the first goal first.
 * The caller frees it. */
GArray *wl_tune_front_new(const GArray *points, const WlTuneGoal goals[2]);

/* An index of `points`; -1 if the front is empty. */
int wl_tune_front_choose(const GArray *points,
                         const GArray *front,
                         const WlTuneGoal goals[2],
                         double within_percent);

/* The place of any point, without `is_on_front`. */
WlTunePlace wl_tune_front_place(const GArray *points,
                                const GArray *front,
                                const WlTuneGoal goals[2],
                                const WlTunePoint *point);
