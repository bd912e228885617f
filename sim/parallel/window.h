/* Advances all regions together, window by window, on one thread or several. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"

/* Runs until no event is left or something stops it; false with `error` set. */
bool windows_run(SimEngine *engine, SimTime limit, GError **error);
