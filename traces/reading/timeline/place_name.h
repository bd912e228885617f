/* Names of places: core[3,4], pe[0:15,16:31], or a word. */
#pragma once

#include <glib.h>

#include "traces/reading/timeline.h"

/* A place of that name; its strings are in `strings`, which outlives it. */
TracePlace place_name_read(const char *name, GStringChunk *strings);
