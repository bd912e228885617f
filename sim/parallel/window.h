/* Advances all regions together, window by window, on one thread or several. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"

/* Runs until no event before `end` is left or something stops it; false with `error`
 * set. */
bool windows_run(SimEngine *engine, SimTime end, SimTime limit, GError **error);
