/* Runs a sweep, each run in its own process: several at a time on this machine and,
 * under mpirun, on every rank. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/sweep.h"

typedef enum {
    WL_SWEEP_MISSING,
    WL_SWEEP_DONE,
    WL_SWEEP_FAILED, /* it ended with an error */
    WL_SWEEP_LOST,   /* its process was killed; the outcome is unknown */
} WlSweepStatus;

enum {
    WL_SWEEP_INTERRUPTED =
        130, /* exit code of a run that was interrupted from outside */
};

/* The outcome of a run. */
typedef struct {
    guint run;
    WlSweepStatus status;
    char *error;         /* one line; NULL if it is done */
    char **metrics;      /* one per recorded value, "" for nothing; NULL: none at all */
    char *worker;        /* "RANK.JOB" */
    double wall_seconds; /* of its process, from its start to its end */
} WlSweepAnswer;

/* The number of runs of each status. */
typedef struct {
    guint done;
    guint failed;
    guint lost;
    guint missing;
} WlSweepTally;

/* The work done in this session. */
typedef struct {
    guint task_count; /* runs to do; those tried again count twice */
    guint run_count;  /* of them, those that have ended */
    WlSweepTally tally;
    double run_seconds;  /* of all runs' processes together */
    double wall_seconds; /* from the first start to the last end, or until now */
    bool is_stopped;     /* by the keeper */
} WlSweepWork;

/* The functions that make a run. */
typedef struct {
    /* Makes the run in its own process and prints its result; gets a command with its
     * words. Returns the exit code, 0 on success. */
    int (*run)(int argc, char **argv);
    /* The recorded values of that result. NULL, after saying why, if it is not a
     * result. The caller frees it. */
    char **(*metrics)(const WlSweep *sweep, const char *result);
} WlSweepRunner;

/* Stores the outcomes of runs and says when to stop. */
typedef struct {
    WlSweepStatus (*status)(gpointer data, guint run);
    /* Returning false, with the error set, stops everything. */
    bool (*put)(gpointer data, const WlSweepAnswer *answer, GError **error);
    void (*tell)(gpointer data, const WlSweepWork *work); /* several times a second */
    bool (*is_stopping)(gpointer data);                   /* likewise */
    void (*gone)(gpointer data, int rank); /* a rank is gone; its runs are lost */
    gpointer data;
} WlSweepKeeper;

typedef struct WlSweepEngine WlSweepEngine;

/* Did mpirun start this process, and as which rank? 0 without mpirun. */
bool wl_sweep_is_rank(void);
int wl_sweep_own_rank(void);

/* Makes `jobs` runs at a time on each rank. Borrows the runner. */
WlSweepEngine *wl_sweep_engine_new(const WlSweepRunner *runner, guint jobs);
/* Ends all runs, then the connection to the other ranks: together with them, unless one
 * is gone. */
void wl_sweep_engine_free(WlSweepEngine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlSweepEngine, wl_sweep_engine_free)

/* Forks the process that forks runs. Call it while nothing is open and there is one
 * thread. `sweep` and `limit_seconds`, of each run or NULL, are borrowed. Fails if no
 * process can be created. */
bool wl_sweep_engine_start(WlSweepEngine *self,
                           const WlSweep *sweep,
                           const char *limit_seconds,
                           GError **error);

/* Opens the MPI module. Fails if there is none: the program was built without MPI. */
bool wl_sweep_engine_join(WlSweepEngine *self, GError **error);
int wl_sweep_engine_rank(const WlSweepEngine *self);
guint wl_sweep_engine_rank_count(const WlSweepEngine *self);

/* On rank 0: checks that all ranks have the same digest. Fails if one differs. */
bool wl_sweep_engine_meet(WlSweepEngine *self, const char *digest, GError **error);
/* At the end: tells the ranks that there is no more to do. */
void wl_sweep_engine_dismiss(WlSweepEngine *self);
/* Gives the other ranks up: mpirun ends them. */
void wl_sweep_engine_abandon(WlSweepEngine *self);

/* On all other ranks: makes the runs that rank 0 sends, until the end. `failure` is the
 * reason, sent to rank 0, why this rank cannot work; NULL: it can. */
bool wl_sweep_engine_serve(WlSweepEngine *self,
                           const char *digest,
                           const char *failure,
                           GError **error);

/* Tries every value of every axis (of many values some, including the first and the
 * last) in a run that is only checked. A value is wrong if it works with no other
 * values. Fails with the first complaint. Also returns true if it was stopped. */
bool wl_sweep_engine_check(WlSweepEngine *self,
                           const WlSweepKeeper *keeper,
                           GError **error);

/* The number of runs to do: missing and lost ones and, with `is_retrying`, failed
 * ones. */
guint wl_sweep_to_do(const WlSweep *sweep,
                     const WlSweepKeeper *keeper,
                     bool is_retrying);
WlSweepTally wl_sweep_tally(const WlSweep *sweep, const WlSweepKeeper *keeper);

/* Makes these runs. Lost runs are tried once more at the end. Fails as the keeper does,
 * or if no process can be created. */
bool wl_sweep_engine_do(WlSweepEngine *self,
                        const WlSweepKeeper *keeper,
                        bool is_retrying,
                        WlSweepWork *work,
                        GError **error);
