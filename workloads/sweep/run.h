/* A run of a sweep in its own process, which is forked and not started anew, as
 * everything that runs share is already loaded. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include <glib.h>

#include "workloads/sweep_engine.h"

/* Shared by all runs. */
typedef struct {
    const WlSweep *sweep;
    const WlSweepRunner *runner;
    const char *limit_seconds; /* NULL: none */
} SweepCommon;

/* A task of a process. */
typedef struct {
    guint32 run;
    guint32 is_check; /* only check whether it could run */
} SweepTask;

/* The words of a task's process, as main() would get them; the caller frees them. */
char **sweep_words_of_task(const SweepCommon *common, SweepTask task);

/* An answer on its way from the process that did a run to the one that keeps it. */
void sweep_answer_clear(WlSweepAnswer *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WlSweepAnswer, sweep_answer_clear)

/* The answer for a lost run, with the reason in one line. The caller clears it. */
WlSweepAnswer sweep_answer_lost(guint run, const char *why);

/* The caller frees it. */
GBytes *sweep_answer_pack(const WlSweepAnswer *self);

/* Returns false and sets nothing if the bytes are not an answer. */
bool sweep_answer_unpack(WlSweepAnswer *self, gconstpointer bytes, gsize count);

typedef struct {
    pid_t pid; /* 0: none */
    int pipe;  /* its output; ends with the process */
    int complaints;
    GByteArray *bytes;
    SweepTask task;
    gint64 start;
    const WlSweepRunner *runner;
} SweepRun;

void sweep_run_init(SweepRun *self);
/* Ends its process. */
void sweep_run_clear(SweepRun *self);

/* Returns false if there is no process or memory left. */
bool sweep_run_start(SweepRun *self, const SweepCommon *common, SweepTask task);

/* Reads what is available from the pipe; true at its end. */
bool sweep_run_read(SweepRun *self);

/* Waits for the process and returns its answer; the run can then start another one. */
WlSweepAnswer sweep_run_end(SweepRun *self);

/* The process that forks runs: takes tasks from the socket, runs `jobs` of them at a
 * time, and sends an answer for each. When the other end is closed, it ends all runs
 * and itself. */
_Noreturn void sweep_spawner_work(const SweepCommon *common, guint jobs, int socket);
