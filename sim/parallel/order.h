/* The order of sightings: finds it, and hands them to a watcher as records. */
#pragma once

#include <glib.h>

#include "sim/parallel/sighting.h"
#include "sim/probe.h"

/* Sightings of one lane in one event. A thread that computes ahead sees hundreds of
 * things in a cycle, and most of them many in a row on a lane. */
typedef struct {
    SimTime now;
    SimKey key;
    const uint64_t *words; /* of its region */
    guint32 first;         /* words of its sightings: a list by `next` */
    guint32 last;
    SimLane lane;
} SightingRun;

/* Working memory, reused from call to call. Zero-initialised means empty. */
typedef struct {
    SightingRun *runs; /* region by region, in the order of time */
    guint run_count;
    guint run_room;
    GPtrArray *pages; /* by lane: its last run; NULL where there are none */
    guint turn;       /* which region of which call it is that finds its runs */
    guint *nexts;     /* of each region: the next run, and where they end */
    guint *ends;
    const SightingRun **sorted; /* of one cycle */
    const SightingRun **spare;
    guint sorted_count;
    guint sorted_room;
} SightingOrder;

void sighting_order_clear(SightingOrder *self);

/* Hands all sightings of `count` regions, the same in each call, to the watcher and
 * empties them. The order is by time, then lane, then key. Lane comes before key
 * because the cut into regions depends on the number of threads, while the order within
 * one lane never does. */
void sighting_order_show(SightingOrder *self,
                         Sightings *sightings,
                         guint count,
                         const SimWatch *watch);
