/* Compute kernels that take their calls from tapes (workloads/tensix/tape.h), each at
 * its core's own time. A core that reads other arguments or numbers than the tape's
 * coroutine changes to another tape. A core whose kernel fails, prints, asks where it
 * is or for a random number runs the kernel itself: it makes the calls that it has
 * taken again, which have no effect, and goes on from there. Nobody can tell. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "workloads/tensix/kernel_run.h"
#include "workloads/tensix/kernel_state.h"

/* Gives a run a tape, a new one or that of another run. Fails as kernel_state_begin().
 */
bool player_join(KernelRun *run, GError **error);

/* Takes the run off its tape, if it has one. */
void player_leave(KernelRun *run);

/* Takes the next calls from the tape, or from the run itself if it has none any more.
 * The result of the READ_VALUE that it waited for is in run->value. */
KernelStatus player_play(KernelRun *run);
