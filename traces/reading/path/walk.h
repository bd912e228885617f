/* The walk of a critical path, from the end to the beginning. */
#pragma once

#include "traces/reading/path.h"
#include "traces/reading/path/actors.h"

/* Adds the steps of the region of `path`, last ones first. Returns NULL, or the name of
 * the lane that the trace lacks. */
const char *trace_walk(const TraceActors *actors, TracePath *path);
