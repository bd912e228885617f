/* Processes of this machine that do runs of a sweep: a spawner, who is forked before
 * anything is opened, forks one for each run. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/answer.h"
#include "tools/gridloom/sweep/run.h"

typedef struct CmdSweepPool CmdSweepPool;

/* Does `jobs` runs at a time. `common` is borrowed. Before other threads are made.
 * Fails where there is no process to be had. */
CmdSweepPool *
cmd_sweep_pool_new(const CmdSweepCommon *common, guint jobs, GError **error);
/* Ends all runs. */
void cmd_sweep_pool_free(CmdSweepPool *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdSweepPool, cmd_sweep_pool_free)

/* How many tasks it takes: one more than it can do at a time, so that none waits. */
guint cmd_sweep_pool_room(const CmdSweepPool *self);

void cmd_sweep_pool_send(CmdSweepPool *self, CmdSweepTask task);

/* A descriptor that is readable when something comes; another one after a
 * cmd_sweep_pool_receive(). */
int cmd_sweep_pool_file(const CmdSweepPool *self);

/* What has come, without waiting; false: nothing. Where the spawner was killed there is
 * a new one, and his runs are lost. Fails, which `error` says, where none stays. */
bool cmd_sweep_pool_receive(CmdSweepPool *self, CmdSweepAnswer *answer, GError **error);
