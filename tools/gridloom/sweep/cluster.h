/* All who do runs of a sweep: the pool of this process, and those of other ranks. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/pool.h"
#include "tools/gridloom/sweep/ranks.h"

typedef struct {
    CmdSweepPool *pool;
    CmdSweepRanks *ranks; /* NULL: none but this process */
    guint jobs;           /* of each rank */
} CmdSweepCluster;

typedef struct {
    /* Is told of every answer, in the order in which they come. False, with the error
     * set, stops it. */
    bool (*answer)(gpointer data, const CmdSweepAnswer *answer, GError **error);
    /* Is asked several times a second: true stops it. */
    bool (*is_stopping)(gpointer data);
    /* A rank is gone; its runs are lost. */
    void (*gone)(gpointer data, int rank);
    gpointer data;
} CmdSweepClusterCalls;

/* Does all tasks of an array of CmdSweepTask, in any order. Fails as `answer` does, or
 * where no process can be had. True, too, where it was stopped: look at answers. */
bool cmd_sweep_cluster_do(const CmdSweepCluster *self,
                          const GArray *tasks,
                          const CmdSweepClusterCalls *calls,
                          GError **error);

/* On rank 0: hears whether all ranks will do the same. Fails where one does not. */
bool cmd_sweep_cluster_meet(const CmdSweepCluster *self,
                            const char *digest,
                            GError **error);

/* On all other ranks: does what rank 0 says, until that is all. */
bool cmd_sweep_cluster_serve(const CmdSweepCluster *self, GError **error);
