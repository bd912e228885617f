/* Many runs of this program, each in its own process, several at a time. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/process.h"

/* Called when a run begins. */
typedef void (*WlBatchBegun)(gpointer data, guint index);

/* Called when a run has ended; may take members out of `process`. Runs on the thread
 * that began the batch, in the order in which runs end. */
typedef void (*WlBatchDone)(gpointer data, guint index, WlProcess *process);

typedef struct {
    GPtrArray *runs;    /* of char **: the command and its words */
    guint jobs;         /* at a time, at least 1 */
    WlBatchBegun begun; /* or NULL */
    WlBatchDone done;
    bool (*is_stopping)(gpointer data); /* polled many times a second; NULL: never */
    gpointer data;                      /* for all functions */
} WlBatch;

/* An array of such runs that owns them. */
GPtrArray *wl_batch_runs_new(void);

/* Begins the runs in order. Returns false if it was stopped: runs under way are ended
 * and not reported. */
bool wl_batch_do(const WlBatch *self);
