/* A run of a sweep in a process of its own, which is forked and not started anew: what
 * all runs need is loaded already. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include <glib.h>

#include "workloads/sweep_engine.h"

/* What all runs share. */
typedef struct {
    const WlSweep *sweep;
    const WlSweepRunner *runner;
    const char *limit_seconds; /* NULL: none */
} SweepCommon;

/* What is to be done. */
typedef struct {
    guint32 run;
    guint32 is_check; /* only see whether it could be done */
} SweepTask;

/* The words of its process, as main() would have them; the caller frees them. */
char **sweep_words_of_task(const SweepCommon *common, SweepTask task);

/* An answer on its way from the process that did a run to the one that keeps it. */
void sweep_answer_clear(WlSweepAnswer *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WlSweepAnswer, sweep_answer_clear)

/* Of a run that nobody ended: why, in one line. The caller clears it. */
WlSweepAnswer sweep_answer_lost(guint run, const char *why);

/* The caller frees it. */
GBytes *sweep_answer_pack(const WlSweepAnswer *self);

/* False, and nothing is set, where the bytes are no answer. */
bool sweep_answer_unpack(WlSweepAnswer *self, gconstpointer bytes, gsize count);

typedef struct {
    pid_t pid; /* 0: none */
    int pipe;  /* what it has to say; ends when it does */
    int complaints;
    GByteArray *bytes;
    SweepTask task;
    gint64 start;
    const WlSweepRunner *runner;
} SweepRun;

void sweep_run_init(SweepRun *self);
/* Ends its process. */
void sweep_run_clear(SweepRun *self);

/* False where there is no process or memory to be had. */
bool sweep_run_start(SweepRun *self, const SweepCommon *common, SweepTask task);

/* Reads what has come through the pipe; true when that has ended. */
bool sweep_run_read(SweepRun *self);

/* Waits for the process and says what came of it; the run can start another one. */
WlSweepAnswer sweep_run_end(SweepRun *self);

/* The process that forks runs: takes tasks from the socket, does `jobs` of them at a
 * time, and sends an answer for each, until the other end is closed; then it ends all
 * runs and itself. */
_Noreturn void sweep_spawner_work(const SweepCommon *common, guint jobs, int socket);
