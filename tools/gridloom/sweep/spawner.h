/* The process that forks runs of a sweep. */
#pragma once

#include <glib.h>

#include "tools/gridloom/sweep/run.h"

/* Takes tasks from the socket, does `jobs` of them at a time, and sends an answer for
 * each, until the other end is closed; then it ends all runs and the process. */
_Noreturn void
cmd_sweep_spawner_work(const CmdSweepCommon *common, guint jobs, int socket);
