/* What a window is tuned for: two numbers of a run, and which way each is better. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct {
    char *name;    /* as the user gave it, without max: and min: */
    char *formula; /* of members of a result */
    bool is_maximum;
} TuneGoal;

/* "performance,resources", or any two of the known names and of formulas with max: or
 * min: before them. The first is the one that a choice stays near the best of. Fails
 * with G_OPTION_ERROR. */
bool tune_goals_parse(TuneGoal goals[2], const char *text, GError **error);
void tune_goals_clear(TuneGoal goals[2]);

/* "most" or "least". */
const char *tune_goal_way(const TuneGoal *self);

/* Is `a` better than `b`? */
bool tune_goal_is_better(const TuneGoal *self, double a, double b);

/* How many times better `a` is than `b`; NaN where one of them is not above 0. */
double tune_goal_times(const TuneGoal *self, double a, double b);
