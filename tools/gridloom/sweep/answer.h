/* What came of a run of a sweep, on its way from the process that did it to the one
 * that keeps it. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "traces/table/sweep_store.h"

typedef struct {
    guint run;
    TraceRunStatus status;
    char *error;    /* one line; NULL where it is done */
    char **metrics; /* as many as are recorded, "" for nothing; NULL: nothing at all */
    char *worker;   /* "RANK.JOB" */
    double wall_seconds; /* of its process, from its start to its end */
} CmdSweepAnswer;

void cmd_sweep_answer_clear(CmdSweepAnswer *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdSweepAnswer, cmd_sweep_answer_clear)

/* Of a run that nobody ended: why, in one line. The caller clears it. */
CmdSweepAnswer cmd_sweep_answer_lost(guint run, const char *why);

/* The caller frees it. */
GBytes *cmd_sweep_answer_pack(const CmdSweepAnswer *self);

/* False, and nothing is set, where the bytes are no answer. */
bool cmd_sweep_answer_unpack(CmdSweepAnswer *self, gconstpointer bytes, gsize count);
