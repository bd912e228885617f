/* Many runs of this program, each a process of its own, several at a time. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/process.h"

/* One run begins. */
typedef void (*WlBatchBegun)(gpointer data, guint index);

/* One run has ended; it may take what it wants out of `process`. On the thread that
 * began the batch, in the order in which runs end. */
typedef void (*WlBatchDone)(gpointer data, guint index, WlProcess *process);

typedef struct {
    GPtrArray *runs;    /* of char **: the command and its words */
    guint jobs;         /* at a time, at least 1 */
    WlBatchBegun begun; /* or NULL */
    WlBatchDone done;
    bool (*is_stopping)(gpointer data); /* asked many times a second; or NULL: never */
    gpointer data;                      /* of all functions */
} WlBatch;

/* An array of such runs, which owns them. */
GPtrArray *wl_batch_runs_new(void);

/* Begins them in their order. False where it was to stop: runs under way are ended, and
 * none of them is reported. */
bool wl_batch_do(const WlBatch *self);
