/* Zones that one thread marks in its kernel, and the time it spent in each. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/tensix.h"
#include "sim/lane.h"

/* All 0 is none. */
typedef struct {
    GArray *totals;    /* of ArchTensixZone */
    GArray *open;      /* of what has begun: place in `totals`, and when */
    SimRegion *region; /* NULL: nobody watches */
    SimLane lane;
    SimTime shown; /* until then */
} TensixZones;

/* Shows whoever wants that lane the zone in which the thread is, the innermost one. */
void tensix_zones_watch(TensixZones *self, SimRegion *region, SimLane lane);

void tensix_zones_clear(TensixZones *self);

/* `name` is interned. One in another counts for both. */
void tensix_zones_begin(TensixZones *self, const char *name, SimTime now);
/* Fails with ARCH_ERROR_INVALID when none has begun. */
bool tensix_zones_end(TensixZones *self, SimTime now, GError **error);

/* The zone that has begun last; NULL when none. */
const char *tensix_zones_inside(const TensixZones *self);

/* Puts into `by_name` (of ArchTensixZone by its name, which the table frees) the zones
 * in which this thread spent more than those that are in it. */
void tensix_zones_collect(const TensixZones *self, GHashTable *by_name);
