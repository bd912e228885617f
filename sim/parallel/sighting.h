/* Sightings: probe records of regions, kept by lane and put into order when handed to
 * the watcher. */
#pragma once

#include <glib.h>

#include "sim/probe.h"

enum {
    /* Kept before a watcher gets them, cycles being whole: enough that they and what
     * writes them find each other in the host's caches, few enough to stay there. */
    SIGHTINGS_MANY = 1 << 12,
};

/* A probe record with the key of its event. It is only as large as its arguments need.
 */
typedef struct {
    SimKey key;
    SimProbeRecord record;
} Sighting;

/* The sightings of one lane, one after another in the order of time. */
typedef struct {
    uint64_t *words;
    guint used; /* of them */
    guint room;
    SimTime now; /* of the last sighting, with its key */
    SimKey key;
} LaneSightings;

/* Sightings of one lane in one cycle, with keys that do not descend. A thread that
 * computes ahead sees hundreds of things in a cycle. */
typedef struct {
    SimTime now;
    const LaneSightings *place;
    guint begin; /* its first word; it ends where the next one begins */
    SimLane lane;
} SightingRun;

/* The sightings of a region. Zero-initialised means empty. */
typedef struct {
    GPtrArray *pages;  /* of LaneSightings, by lane; NULL where there are none */
    SightingRun *runs; /* in the order of time */
    guint run_count;
    guint run_room;
    guint count;         /* of sightings */
    LaneSightings *open; /* where the next one is */
} Sightings;

void sightings_clear(Sightings *self);

/* Room for the next sighting, at the present time and key of its region; they and the
 * lane are set. */
Sighting *sightings_open(Sightings *self, SimLane lane, SimTime now, SimKey key);

/* Keeps that sighting: all but the detail is set. `detail` may be NULL. */
void sightings_close(Sightings *self, Sighting *sighting, const SimProbeDetail *detail);

/* Working memory for sorting, reused from call to call. Zero-initialised means empty.
 */
typedef struct {
    const SightingRun **runs; /* of one cycle */
    const SightingRun **spare;
    guint count;
    guint room;
    guint *nexts;   /* the next run of each region */
    GArray *merged; /* of const Sighting *, from several runs of a lane */
} SightingOrder;

void sighting_order_clear(SightingOrder *self);

/* Hands all sightings of the regions to the watcher and clears them. The order is by
 * time, then lane, then key. Lane comes before key because the cut into regions depends
 * on the number of threads, while the order within one lane never does. */
void sighting_order_show(SightingOrder *self,
                         SimRegion *regions,
                         guint region_count,
                         const SimWatch *watch);
