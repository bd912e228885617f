/* Hardware that serves requests in order of arrival. A request learns its end at once:
 * the requests before it are known, and later ones do not matter. */
#pragma once

#include <glib.h>

#include "sim/lane.h"
#include "sim/probe.h"

typedef struct {
    SimRegion *region;
    SimLane lane;
    const char *counter;
    SimTime free_at;
    uint64_t busy_cycles;
    /* Adjacent slices of the same name are joined. */
    const char *name; /* NULL: none yet */
    SimTime begin;
    uint64_t bytes;
} NeroServer;

/* `counter`, a literal, is what its bytes are called in traces: a counter's name, or
 * "bytes" where none counts them. */
void nero_server_init(NeroServer *self,
                      SimRegion *region,
                      SimLane lane,
                      const char *counter);

/* Serves a request that arrives at the region's current time, or at `earliest` if that
 * is later. It takes `cycles`, moves `bytes`, and is called `name` in traces. Returns
 * when it is over. */
SimTime nero_server_serve(NeroServer *self,
                          const char *name,
                          SimTime earliest,
                          SimTime cycles,
                          uint64_t bytes);

/* Stalls for `cycles` after the current request, for `reason`. */
void nero_server_stall(NeroServer *self, const char *reason, SimTime cycles);

/* Hands the open slice to the watcher. */
void nero_server_flush(NeroServer *self);
