/* The processes of this machine that make the runs of a sweep. A spawner, forked before
 * anything is opened, forks one for each run. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/sweep/run.h"

typedef struct SweepPool SweepPool;

/* Makes `jobs` runs at a time. Borrows `common`. Call it before creating threads. Fails
 * if no process can be created. */
SweepPool *sweep_pool_new(const SweepCommon *common, guint jobs, GError **error);
/* Ends all runs. */
void sweep_pool_free(SweepPool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepPool, sweep_pool_free)

/* The number of tasks it accepts: one more than it runs at a time, so that no job is
 * idle. */
guint sweep_pool_room(const SweepPool *self);

void sweep_pool_send(SweepPool *self, SweepTask task);

/* A descriptor that is readable when an answer arrives; it may change with each
 * sweep_pool_receive(). */
int sweep_pool_file(const SweepPool *self);

/* Receives an answer without waiting; false: there is none. A spawner that was killed
 * is replaced, and its runs are lost. Sets `error` if no spawner survives. */
bool sweep_pool_receive(SweepPool *self, WlSweepAnswer *answer, GError **error);
