/* Zones that one thread marks in its kernel, and the time it spent in each. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/tensix.h"
#include "sim/lane.h"

/* Zero-initialised means empty. */
typedef struct {
    GArray *totals;    /* of ArchTensixZone */
    GArray *open;      /* of open zones: index in `totals`, and begin */
    SimRegion *region; /* NULL: nobody watches */
    SimLane lane;
    SimTime shown; /* time up to which zones were shown */
} TensixZones;

/* Shows the innermost zone of the thread to the watcher of that lane. */
void tensix_zones_watch(TensixZones *self, SimRegion *region, SimLane lane);

void tensix_zones_clear(TensixZones *self);

/* `name` is interned. Time in a nested zone counts for both. */
void tensix_zones_begin(TensixZones *self, const char *name, SimTime now);
/* Fails with ARCH_ERROR_INVALID if no zone is open. */
bool tensix_zones_end(TensixZones *self, SimTime now, GError **error);

/* The innermost open zone; NULL if there is none. */
const char *tensix_zones_inside(const TensixZones *self);

/* Updates `by_name` (ArchTensixZone by name, freed by the table) with the zones in
 * which this thread spent more time than the entry there. */
void tensix_zones_collect(const TensixZones *self, GHashTable *by_name);
