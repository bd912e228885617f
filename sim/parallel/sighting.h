/* Sightings: probe records of regions, stored compactly and sorted when handed to the
 * watcher. */
#pragma once

#include <glib.h>

#include "sim/probe.h"

enum {
    /* Kept before a watcher gets them, cycles being whole: enough that they and what
     * writes them find each other in the host's caches, few enough to stay there. */
    SIGHTINGS_MANY = 1 << 12,
};

/* A probe record without its details, with the time and key that order it. */
typedef struct {
    SimKey key;
    SimTime now;
    SimTime begin;
    SimTime end;
    const char *name;
    int64_t value;
    SimLane lane;
    guint8 argument_count; /* of its detail */
    bool has_detail;
    SimProbeKind kind;
} Sighting;

/* The sightings of a region, in time order. Zero-initialised means empty. One lies
 * after another, each with its detail, which is only as large as its arguments need. */
typedef struct {
    uint64_t *words;
    guint used; /* of them */
    guint room;
    guint count; /* of sightings */
} Sightings;

void sightings_clear(Sightings *self);

/* `detail` may be NULL. */
void sightings_add(Sightings *self,
                   const Sighting *sighting,
                   const SimProbeDetail *detail);

/* A sighting while it is sorted. */
typedef struct {
    const Sighting *sighting;
    SimLane lane;
} SightingEntry;

/* Working memory for sorting, reused from call to call. Zero-initialised means empty.
 */
typedef struct {
    SightingEntry *entries; /* of one cycle */
    SightingEntry *spare;
    guint count; /* of entries */
    guint room;
    guint *nexts; /* where the next sighting of each region begins */
} SightingOrder;

void sighting_order_clear(SightingOrder *self);

/* Hands all sightings of the regions to the watcher and clears them. The order is by
 * time, then lane, then key. Lane comes before key because the cut into regions depends
 * on the number of threads, while the order within one lane never does. */
void sighting_order_show(SightingOrder *self,
                         SimRegion *regions,
                         guint region_count,
                         const SimWatch *watch);
