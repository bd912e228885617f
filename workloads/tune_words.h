/* The words of a tuning: axes and windows as users type them, and descriptions of the
 * search for people. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/tune.h"

/* Parses axes, "x,y", into a mask of 1 << axis. False if the text is malformed. */
bool wl_tune_axes_parse(const char *text, guint *mask);
#define WL_TUNE_AXES_ALLOWED "axes of x, y, z, each once: x,y or x,y,z"

/* Parses "32x8", a size for each tuned axis, or for each of x, y and z. False if the
 * text is malformed. */
bool wl_tune_window_parse(WlTuneWindow *self,
                          const WlTuneSpace *space,
                          const char *text);

/* The caller frees these. */

/* The allowed form of a window: "a size for each axis, as 64x2 or 64x2x64". */
char *wl_tune_window_allowed(const WlTuneSpace *space);
/* "x, y" */
char *wl_tune_axes_text(const WlTuneSpace *space);
/* "all 81 windows of powers of two, up to 256 x 256", or a description of the search;
 * `by` is the word whose values are searched separately, or NULL. */
char *wl_tune_search_text(const WlTuneTask *task, WlTuneSizes sizes, const char *by);
/* "the least resources within 2 % of the most performance on the front". */
char *wl_tune_rule_text(const WlTuneTask *task);

/* "most" or "least". */
const char *wl_tune_goal_way(const WlTuneGoal *self);
