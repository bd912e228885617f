/* Processes of this machine that do runs of a sweep: a spawner, who is forked before
 * anything is opened, forks one for each run. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/sweep/run.h"

typedef struct SweepPool SweepPool;

/* Does `jobs` runs at a time. `common` is borrowed. Before other threads are made.
 * Fails where there is no process to be had. */
SweepPool *sweep_pool_new(const SweepCommon *common, guint jobs, GError **error);
/* Ends all runs. */
void sweep_pool_free(SweepPool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepPool, sweep_pool_free)

/* How many tasks it takes: one more than it can do at a time, so that none waits. */
guint sweep_pool_room(const SweepPool *self);

void sweep_pool_send(SweepPool *self, SweepTask task);

/* A descriptor that is readable when something comes; another one after a
 * sweep_pool_receive(). */
int sweep_pool_file(const SweepPool *self);

/* What has come, without waiting; false: nothing. Where the spawner was killed there is
 * a new one, and his runs are lost. Fails, which `error` says, where none stays. */
bool sweep_pool_receive(SweepPool *self, WlSweepAnswer *answer, GError **error);
