/* A run of a sweep in a process of its own, which is forked and not started anew: what
 * all runs need is loaded already. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include <glib.h>

#include "tools/gridloom/sweep/answer.h"
#include "workloads/sweep.h"

/* What all runs have in common. */
typedef struct {
    const WlSweep *sweep;
    const char *limit_seconds; /* NULL: none */
} SweepCommon;

/* What is to be done. */
typedef struct {
    guint32 run;
    guint32 is_check; /* only see whether it could be done */
} SweepTask;

typedef struct {
    pid_t pid; /* 0: none */
    int pipe;  /* what it has to say; ends when it does */
    int complaints;
    GByteArray *bytes;
    SweepTask task;
    gint64 start;
} SweepRun;

void sweep_run_init(SweepRun *self);
/* Ends its process. */
void sweep_run_clear(SweepRun *self);

/* False where there is no process or memory to be had. */
bool sweep_run_start(SweepRun *self, const SweepCommon *common, SweepTask task);

/* Reads what has come through the pipe; true when that has ended. */
bool sweep_run_read(SweepRun *self);

/* Waits for the process and says what came of it; the run can start another one. */
SweepAnswer sweep_run_end(SweepRun *self);
