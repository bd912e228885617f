/* Processes of this machine that do runs of a sweep: a foreman, who is forked before
 * anything is opened, forks one for each run. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/sweep/answer.h"
#include "tools/gridloom/sweep/run.h"

typedef struct SweepCrew SweepCrew;

/* Does `jobs` runs at a time. `common` is borrowed. Before other threads are made.
 * Fails where there is no process to be had. */
SweepCrew *sweep_crew_new(const SweepCommon *common, guint jobs, GError **error);
/* Ends all runs. */
void sweep_crew_free(SweepCrew *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepCrew, sweep_crew_free)

/* How many tasks it takes: one more than it can do at a time, so that none waits. */
guint sweep_crew_room(const SweepCrew *self);

void sweep_crew_send(SweepCrew *self, SweepTask task);

/* A descriptor that is readable when something comes; another one after a
 * sweep_crew_receive(). */
int sweep_crew_file(const SweepCrew *self);

/* What has come, without waiting; false: nothing. Where the foreman was killed there is
 * a new one, and his runs are lost. Fails, which `error` says, where none stays. */
bool sweep_crew_receive(SweepCrew *self, SweepAnswer *answer, GError **error);
