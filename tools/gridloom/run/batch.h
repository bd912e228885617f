/* Many runs of this program, each a process of its own, several at a time. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/run/process.h"
#include "tools/gridloom/watchdog.h"

/* One run begins. */
typedef void (*CmdRunBatchBegun)(gpointer data, guint index);

/* One run has ended; it may take what it wants out of `process`. On the thread that
 * began the batch, in the order in which runs end. */
typedef void (*CmdRunBatchDone)(gpointer data, guint index, CmdRunProcess *process);

typedef struct {
    GPtrArray *runs;        /* of char **: the command and its words */
    guint jobs;             /* at a time, at least 1 */
    CmdRunBatchBegun begun; /* or NULL */
    CmdRunBatchDone done;
    Watchdog *watchdog;                 /* stops it; or NULL */
    bool (*is_stopping)(gpointer data); /* asked many times a second; or NULL: never */
    gpointer data;                      /* of all functions */
} CmdRunBatch;

/* Begins them in their order. False where it was to stop: runs under way are ended, and
 * none of them is reported. */
bool cmd_run_batch_do(const CmdRunBatch *self);
