/* Windows that ran, and which of them are worth having. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "tools/gridloom/tune/goal.h"
#include "tools/gridloom/tune/space.h"

typedef enum {
    TUNE_RAN,
    TUNE_REFUSED, /* the script or the chip says that it cannot be */
    TUNE_FAILED,  /* anything else */
} TuneStatus;

typedef struct {
    TuneWindow window; /* as it was asked for */
    TuneWindow whole;  /* with all sizes that runs tell */
    uint64_t number;   /* of the space; of a candidate */
    bool is_candidate; /* of the search; all others are only compared */
    bool is_hand;      /* the user's or the usual hand-picked ones */
    bool is_marked;    /* the user wants to know of it */
    TuneStatus status;
    char *name;       /* of `whole`: "64x2x64" */
    char *why;        /* it did not run; NULL where it did */
    double values[2]; /* of the goals; NaN where it did not run */
} TunePoint;

/* Frees what a point owns; a GDestroyNotify. */
void tune_point_clear(gpointer data);

/* Candidates on the front, as indices (guint), the best of the first goal first. The
 * caller frees it. */
GArray *tune_front_new(const GArray *points, const TuneGoal goals[2]);

/* Of the front the one that is best in the second goal among those within so many
 * percent of the best in the first. An index of `points`; -1 where the front is empty.
 */
int tune_front_choose(const GArray *points,
                      const GArray *front,
                      const TuneGoal goals[2],
                      double within_percent);

/* By how many percent both values of a point would have to be better for no window of
 * the front to beat it: 0 where none does. NaN where it did not run, or numbers are not
 * above 0. */
double tune_front_distance(const GArray *points,
                           const GArray *front,
                           const TuneGoal goals[2],
                           const TunePoint *point);

/* The same for one goal alone, the value of the other being as it is. */
double tune_front_distance_alone(const GArray *points,
                                 const GArray *front,
                                 const TuneGoal goals[2],
                                 const TunePoint *point,
                                 guint goal);

/* How many candidates are as good in both goals and better in one. */
guint tune_front_beaten_by(const GArray *points,
                           const TuneGoal goals[2],
                           const TunePoint *point);

const TunePoint *tune_point(const GArray *points, guint index);
