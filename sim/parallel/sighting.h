/* The observations of regions: compact while they are kept, and put in order when
 * shown. */
#pragma once

#include <glib.h>

#include "sim/probe.h"

/* A probe record without its details, and with what orders it. */
typedef struct {
    SimKey key;
    SimTime now;
    SimTime begin;
    SimTime end;
    const char *name;
    int64_t value;
    SimLane lane;
    guint32 detail; /* its number in the region's details, from 1; 0: none */
    SimProbeKind kind;
} Sighting;

/* What a region saw, in the order of time. All zero is nothing. */
typedef struct {
    Sighting *all;
    SimProbeDetail *details;
    guint count;
    guint room;
    guint detail_count;
    guint detail_room;
} Sightings;

void sightings_clear(Sightings *self);

/* `detail` may be NULL. */
void sightings_add(Sightings *self,
                   const Sighting *sighting,
                   const SimProbeDetail *detail);

/* One of those that are put in order. */
typedef struct {
    const Sighting *sighting;
    guint32 lane;
    guint32 region;
} SightingEntry;

/* What putting them in order takes, from one time to the next. All zero is nothing. */
typedef struct {
    SightingEntry *entries; /* of one cycle */
    SightingEntry *spare;
    guint count; /* of entries */
    guint room;
    guint *nexts; /* where each region is */
} SightingOrder;

void sighting_order_clear(SightingOrder *self);

/* Shows all that the regions saw, and then forgets it. By time; in a cycle by lane,
 * because regions are cut differently for different numbers of threads, while what a
 * lane's place does is always in one order; then by key. */
void sighting_order_show(SightingOrder *self,
                         SimRegion *regions,
                         guint region_count,
                         const SimWatch *watch);
