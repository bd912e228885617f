/* Slices of a lane, held back while they may still grow. */
#pragma once

#include "arch/wse/watch/watch.h"

static inline SimTime wse_watch_time(const WseRegion *region, uint32_t when)
{
    return region->fabric->start + when;
}

/* Hands over what has gone on so far. */
void wse_span_end(WseRegion *region, SimLane lane, WseSpan *self);

/* So many cycles from `begin` on. What is adjacent and of the same name and color is
 * one slice; nothing begins before the last has ended. */
void wse_span_add(WseRegion *region, SimLane lane, WseSpan *self, const WseSpan *added);
