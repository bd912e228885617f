/* Hardware that serves requests in order of arrival. A request learns its end at once:
 * the requests before it are known, and later ones do not matter. */
#pragma once

#include <glib.h>

#include "sim/lane.h"
#include "sim/probe.h"

typedef struct {
    SimRegion *region;
    SimLane lane;
    SimTime free_at;
    uint64_t busy_cycles;
    /* Slices of the same name that follow each other are one. */
    const char *name; /* NULL: none yet */
    SimTime begin;
    uint64_t bytes;
} NeroServer;

void nero_server_init(NeroServer *self, SimRegion *region, SimLane lane);

/* Comes in the region's present, or at `earliest` if that is later, is served for
 * `cycles` as what is called `name`, and moves `bytes`. Returns when it is over. */
SimTime nero_server_serve(NeroServer *self,
                          const char *name,
                          SimTime earliest,
                          SimTime cycles,
                          uint64_t bytes);

/* It stands still for `cycles` behind what it serves now, for that reason. */
void nero_server_stall(NeroServer *self, const char *reason, SimTime cycles);

/* Tells the watcher of the slice that may not have ended yet. */
void nero_server_flush(NeroServer *self);
