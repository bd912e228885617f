/* The zones of a timeline's kernels, as .npeviz nests them. */
#pragma once

#include "traces/file/stream.h"
#include "traces/reading/timeline.h"
#include "traces/writing/npeviz/tiles.h"

/* Writes the value of `zones`, a list of roots; times are cycles from `origin` on. */
void npe_zones_write(const TraceTimeline *timeline,
                     const NpeTiles *tiles,
                     SimTime origin,
                     TraceStream *stream);
