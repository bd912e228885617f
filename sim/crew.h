/* Threads that share out the jobs of one event among themselves, and do chores while
 * there are none. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef struct SimCrew SimCrew;

/* Does job number `job`. Jobs of one call run side by side, in any order. */
typedef void (*SimCrewFunc)(gpointer data, guint job);

/* Of so many threads, the caller's among them. */
SimCrew *sim_crew_new(guint thread_count);
void sim_crew_free(SimCrew *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimCrew, sim_crew_free)

guint sim_crew_threads(const SimCrew *self);

/* While it rests, the caller does all jobs, and chores (sim/chore.h) are not put off.
 */
void sim_crew_rest(SimCrew *self, bool is_resting);

/* Does the jobs 0 to `count` - 1 and returns when all are done; `count` is 65535 at
 * most. The caller takes part: it waits for nobody but those who have begun a job. A
 * job that waits for another must be able to do that alone, as nobody else may come.
 * One caller at a time. */
void sim_crew_run(SimCrew *self, guint count, SimCrewFunc func, gpointer data);

/* The same of jobs that take so long that it pays to wake others for them: also while
 * the crew rests. */
void sim_crew_run_long(SimCrew *self, guint count, SimCrewFunc func, gpointer data);

/* A job waits for a moment, the `times`-th in a row, for what another job does. */
void sim_crew_pause(guint times);
