/* Where windows stand that were tuned: beside the front, and why some did not run. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/tune.h"

/* A window beside the front. Percents are NaN where it did not run, or numbers are not
 * above 0. */
typedef struct {
    bool is_on_front;
    guint beaten_by; /* candidates as good in both goals and better in one */
    double percent;  /* by which both values would have to be better for no window of
                      * the front to beat it: 0 where none does */
    double percent_alone[2]; /* the same for one value, the other being as it is */
} WlTunePlace;

bool wl_tune_group_has_front(const WlTuneGroup *self, guint index);

/* Of a point of the group. */
WlTunePlace
wl_tune_place(const WlTuneGroup *group, const WlTuneGoal goals[2], guint index);

/* Why candidates did not run: reasons that differ in numbers alone are one. */
typedef struct {
    const char *example; /* of the first such window; borrowed */
    WlTuneStatus status;
    guint count;
} WlTuneReason;

/* The most frequent ones first; the caller frees the array of WlTuneReason. */
GArray *wl_tune_reasons(const WlTuneGroup *group);
