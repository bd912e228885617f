/* All who do runs of a sweep: the pool of this process, and those of other ranks. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/sweep/pool.h"
#include "workloads/sweep/ranks.h"

struct WlSweepEngine {
    SweepCommon common;
    guint jobs;        /* of each rank */
    SweepPool *pool;   /* NULL: not started */
    SweepRanks *ranks; /* NULL: none but this process */
};

/* Who takes answers. */
typedef struct {
    /* Is told of every answer, in the order in which they come. False, with the error
     * set, stops it. */
    bool (*answer)(gpointer data, const WlSweepAnswer *answer, GError **error);
    /* Is asked several times a second: true stops it. */
    bool (*is_stopping)(gpointer data);
    const WlSweepKeeper *keeper;
    gpointer data;
} SweepTaker;

/* Waits a moment, no longer than until the pool has something to say. */
void sweep_cluster_wait(const WlSweepEngine *self);

/* Does all tasks of an array of SweepTask, in any order. Fails as `answer` does, or
 * where no process can be had. True, too, where it was stopped: look at answers. */
bool sweep_cluster_do(const WlSweepEngine *self,
                      const GArray *tasks,
                      const SweepTaker *taker,
                      GError **error);
