/* All workers of a sweep: the pool of this process, and those of other ranks. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/sweep/pool.h"
#include "workloads/sweep/ranks.h"

struct WlSweepEngine {
    SweepCommon common;
    guint jobs;        /* of each rank */
    SweepPool *pool;   /* NULL: not started */
    SweepRanks *ranks; /* NULL: only this process */
};

/* The receiver of answers. */
typedef struct {
    /* Called for every answer, in order of arrival. Returning false, with the error
     * set, stops the work. */
    bool (*answer)(gpointer data, const WlSweepAnswer *answer, GError **error);
    /* Called several times a second: true stops the work. */
    bool (*is_stopping)(gpointer data);
    const WlSweepKeeper *keeper;
    gpointer data;
} SweepTaker;

/* Waits a moment, at most until the pool has an answer. */
void sweep_cluster_wait(const WlSweepEngine *self);

/* Does all tasks of an array of SweepTask, in any order. Fails as `answer` does, or
 * if no process can be created. Also returns true if it was stopped: look at the
 * answers. */
bool sweep_cluster_do(const WlSweepEngine *self,
                      const GArray *tasks,
                      const SweepTaker *taker,
                      GError **error);
