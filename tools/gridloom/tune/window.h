/* Windows and their axes as users give them. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/tune.h"

/* Which axes "x,y" names, as a mask of 1 << axis. Fails with G_OPTION_ERROR. */
bool tune_axes_parse(const char *text, guint *mask, GError **error);

/* "32x8", a size for each axis that is tuned, or one for each of x, y and z. Fails with
 * G_OPTION_ERROR. */
bool tune_window_parse(WlTuneWindow *self,
                       const WlTuneSpace *space,
                       const char *option,
                       const char *text,
                       GError **error);
