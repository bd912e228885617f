/* The distance of tuned windows from the front, and the reasons why some did not
 * run. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/tune.h"

/* A window compared with the front. Percentages are NaN if it did not run, or if
 * numbers are not above 0. */
typedef struct {
    bool is_on_front;
    guint beaten_by; /* candidates at least as good in both goals and better in one */
    double percent;  /* by how much both values would have to improve so that no window
                        of the front beats it; 0 if none does */
    double percent_alone[2]; /* the same for one value, with the other unchanged */
} WlTunePlace;

bool wl_tune_group_has_front(const WlTuneGroup *self, guint index);

/* The place of a point of the group. */
WlTunePlace
wl_tune_place(const WlTuneGroup *group, const WlTuneGoal goals[2], guint index);

/* A reason why candidates did not run; reasons that differ only in numbers are one. */
typedef struct {
    const char *example; /* of the first such window; borrowed */
    WlTuneStatus status;
    guint count;
} WlTuneReason;

/* The reasons, the most frequent first; the caller frees the array of WlTuneReason. */
GArray *wl_tune_reasons(const WlTuneGroup *group);
