/* What a window is tuned for: two numbers of a run, and which way each is better. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/tune.h"

/* "performance,resources", or any two of the known names and of formulas with max: or
 * min: before them. The first is the one that a choice stays near the best of. Fails
 * with G_OPTION_ERROR. */
bool tune_goals_parse(WlTuneGoal goals[2], const char *text, GError **error);
void tune_goals_clear(WlTuneGoal goals[2]);

/* "most" or "least". */
const char *tune_goal_way(const WlTuneGoal *self);
