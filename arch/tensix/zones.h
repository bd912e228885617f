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
} Zones;

/* Shows whoever wants that lane the zone in which the thread is, the innermost one. */
void zones_watch(Zones *self, SimRegion *region, SimLane lane);

void zones_clear(Zones *self);

/* `name` is interned. One in another counts for both. */
void zones_begin(Zones *self, const char *name, SimTime now);
/* Fails with ARCH_ERROR_INVALID when none has begun. */
bool zones_end(Zones *self, SimTime now, GError **error);

/* The zone that has begun last; NULL when none. */
const char *zones_inside(const Zones *self);

/* Puts into `by_name` (of ArchTensixZone by its name, which the table frees) the zones
 * in which this thread spent more than those that are in it. */
void zones_collect(const Zones *self, GHashTable *by_name);
