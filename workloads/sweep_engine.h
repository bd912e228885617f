/* Does the runs of a sweep, each in a process of its own: some of this machine at a
 * time, and under mpirun some of every rank. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/sweep.h"

typedef enum {
    WL_SWEEP_MISSING,
    WL_SWEEP_DONE,
    WL_SWEEP_FAILED, /* it ended with an error */
    WL_SWEEP_LOST,   /* its process was killed; nobody knows what would have come */
} WlSweepStatus;

enum {
    WL_SWEEP_INTERRUPTED =
        130, /* the exit code of a run that somebody else has ended */
};

/* What came of a run. */
typedef struct {
    guint run;
    WlSweepStatus status;
    char *error;    /* one line; NULL where it is done */
    char **metrics; /* as many as are recorded, "" for nothing; NULL: none at all */
    char *worker;   /* "RANK.JOB" */
    double wall_seconds; /* of its process, from its start to its end */
} WlSweepAnswer;

/* So many runs of each status. */
typedef struct {
    guint done;
    guint failed;
    guint lost;
    guint missing;
} WlSweepTally;

/* What was done this time. */
typedef struct {
    guint task_count; /* runs to do, those that are tried again twice */
    guint run_count;  /* of them those that are over */
    WlSweepTally tally;
    double run_seconds;  /* of all processes of runs together */
    double wall_seconds; /* from the first that began to the last that ended, or now */
    bool is_stopped;     /* by the keeper */
} WlSweepWork;

/* How a run is done. */
typedef struct {
    /* Does it, in its own process, and prints its result: a command with its words.
     * Returns its exit code, 0 where it is done. */
    int (*run)(int argc, char **argv);
    /* What is recorded of that; NULL, after it has said why, where it is no result. The
     * caller frees it. */
    char **(*metrics)(const WlSweep *sweep, const char *result);
} WlSweepRunner;

/* Who keeps what came of runs, and says when to stop. */
typedef struct {
    WlSweepStatus (*status)(gpointer data, guint run);
    /* False, with the error set, stops it all. */
    bool (*put)(gpointer data, const WlSweepAnswer *answer, GError **error);
    void (*tell)(gpointer data, const WlSweepWork *work); /* several times a second */
    bool (*is_stopping)(gpointer data);                   /* likewise */
    void (*gone)(gpointer data, int rank); /* a rank is; its runs are lost */
    gpointer data;
} WlSweepKeeper;

typedef struct WlSweepEngine WlSweepEngine;

/* Has mpirun started this process, and as which rank? 0 without it. */
bool wl_sweep_is_rank(void);
int wl_sweep_own_rank(void);

/* Of `jobs` runs at a time, on each rank. Borrows the runner. */
WlSweepEngine *wl_sweep_engine_new(const WlSweepRunner *runner, guint jobs);
/* Ends all runs, then the connection with other ranks: together with them, unless one
 * is gone. */
void wl_sweep_engine_free(WlSweepEngine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlSweepEngine, wl_sweep_engine_free)

/* Forks the process that will fork runs: while nothing is open and there is one thread.
 * `limit_seconds` of each run, NULL for none, and `sweep` are borrowed. Fails where
 * there is no process to be had. */
bool wl_sweep_engine_start(WlSweepEngine *self,
                           const WlSweep *sweep,
                           const char *limit_seconds,
                           GError **error);

/* Opens the module for MPI. Fails where there is none: the program was built without.
 */
bool wl_sweep_engine_join(WlSweepEngine *self, GError **error);
int wl_sweep_engine_rank(const WlSweepEngine *self);
guint wl_sweep_engine_rank_count(const WlSweepEngine *self);

/* On rank 0: hears whether all ranks will do the same. Fails where one does not. */
bool wl_sweep_engine_meet(WlSweepEngine *self, const char *digest, GError **error);
/* Then, at the end: tells them that there is no more to do. */
void wl_sweep_engine_dismiss(WlSweepEngine *self);
/* Or that nobody waits for the others any more: mpirun ends them. */
void wl_sweep_engine_abandon(WlSweepEngine *self);

/* On all other ranks: does what rank 0 says, until that is all. `failure` is why this
 * rank can do nothing, which rank 0 is told; NULL: it can. */
bool wl_sweep_engine_serve(WlSweepEngine *self,
                           const char *digest,
                           const char *failure,
                           GError **error);

/* Tries every value of every axis (of many some, the first and the last among them) in
 * a run that is checked and not done; a value is wrong that nothing goes with. Fails
 * with what the first of them complains of. True, too, where it was stopped. */
bool wl_sweep_engine_check(WlSweepEngine *self,
                           const WlSweepKeeper *keeper,
                           GError **error);

/* How many runs there are to do: those that are missing or lost, and with `is_retrying`
 * those that failed. */
guint wl_sweep_to_do(const WlSweep *sweep,
                     const WlSweepKeeper *keeper,
                     bool is_retrying);
WlSweepTally wl_sweep_tally(const WlSweep *sweep, const WlSweepKeeper *keeper);

/* Does them. Runs that are lost are tried once more at the end. Fails as the keeper
 * does, or where no process can be had. */
bool wl_sweep_engine_do(WlSweepEngine *self,
                        const WlSweepKeeper *keeper,
                        bool is_retrying,
                        WlSweepWork *work,
                        GError **error);
