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
} CmdSweepCommon;

/* What is to be done. */
typedef struct {
    guint32 run;
    guint32 is_check; /* only see whether it could be done */
} CmdSweepTask;

typedef struct {
    pid_t pid; /* 0: none */
    int pipe;  /* what it has to say; ends when it does */
    int complaints;
    GByteArray *bytes;
    CmdSweepTask task;
    gint64 start;
} CmdSweepRun;

void cmd_sweep_run_init(CmdSweepRun *self);
/* Ends its process. */
void cmd_sweep_run_clear(CmdSweepRun *self);

/* False where there is no process or memory to be had. */
bool cmd_sweep_run_start(CmdSweepRun *self,
                         const CmdSweepCommon *common,
                         CmdSweepTask task);

/* Reads what has come through the pipe; true when that has ended. */
bool cmd_sweep_run_read(CmdSweepRun *self);

/* Waits for the process and says what came of it; the run can start another one. */
CmdSweepAnswer cmd_sweep_run_end(CmdSweepRun *self);
