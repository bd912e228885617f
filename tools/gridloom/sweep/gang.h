/* All who do runs of a sweep: the crew of this process, and those of other ranks. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/crew.h"
#include "tools/gridloom/sweep/ranks.h"

typedef struct {
    SweepCrew *crew;
    SweepRanks *ranks; /* NULL: none but this process */
    guint jobs;        /* of each rank */
} SweepGang;

typedef struct {
    /* Is told of every answer, in the order in which they come. False, with the error
     * set, stops it. */
    bool (*answer)(gpointer data, const SweepAnswer *answer, GError **error);
    /* Is asked several times a second: true stops it. */
    bool (*is_stopping)(gpointer data);
    /* A rank is gone; its runs are lost. */
    void (*gone)(gpointer data, int rank);
    gpointer data;
} SweepGangCalls;

/* Does all tasks of an array of SweepTask, in any order. Fails as `answer` does, or
 * where no process can be had. True, too, where it was stopped: look at answers. */
bool sweep_gang_do(const SweepGang *self,
                   const GArray *tasks,
                   const SweepGangCalls *calls,
                   GError **error);

/* On rank 0: hears whether all ranks will do the same. Fails where one does not. */
bool sweep_gang_meet(const SweepGang *self, const char *digest, GError **error);

/* On all other ranks: does what rank 0 says, until that is all. */
bool sweep_gang_serve(const SweepGang *self, GError **error);
