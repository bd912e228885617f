/* What users type of a tuning: goals, axes and windows. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/tune.h"

/* All of them fail with G_OPTION_ERROR. */

/* "performance,resources", or any two of the known names and of formulas with max: or
 * min: before them. The first is the one that a choice stays near the best of. */
bool tune_goals_parse(WlTuneGoal goals[2], const char *text, GError **error);
void tune_goals_clear(WlTuneGoal goals[2]);

/* "most" or "least". */
const char *tune_goal_way(const WlTuneGoal *self);

/* Its name with the unit, for an axis of a picture. */
const char *tune_goal_words(const WlTuneGoal *self);

/* Which axes "x,y" names, as a mask of 1 << axis. */
bool tune_axes_parse(const char *text, guint *mask, GError **error);

/* "32x8", a size for each axis that is tuned, or one for each of x, y and z. */
bool tune_window_parse(WlTuneWindow *self,
                       const WlTuneSpace *space,
                       const char *option,
                       const char *text,
                       GError **error);
