/* A process: code that blocks. To the engine it is a callback that is resumed. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "sim/engine.h"

typedef struct SimProcess SimProcess;

typedef enum {
    SIM_PROCESS_BLOCKED, /* it asked to sleep, or waits for a channel, semaphore, ... */
    SIM_PROCESS_FINISHED, /* it will not be resumed again */
} SimProcessStatus;

/* Runs the process until it blocks or ends. Before it returns SIM_PROCESS_BLOCKED it
 * must have arranged to be resumed: by sim_process_sleep() or a failed attempt at a
 * channel, semaphore or resource, which wakes it when the attempt is worth repeating.
 */
typedef SimProcessStatus (*SimResumeFunc)(SimProcess *process, gpointer data);

/* A service waits for work for ever and so never counts as deadlocked. */
typedef enum {
    SIM_PROCESS_WORKER,
    SIM_PROCESS_SERVICE,
} SimProcessRole;

/* Call it before or between runs. `name` is copied and appears in deadlock reports:
 * "core[3,4].reader". A process waits in one queue at a time: after a failed attempt it
 * must neither sleep nor try elsewhere until that attempt succeeds. */
SimProcess *sim_process_new(SimRegion *region,
                            SimKey key,
                            const char *name,
                            SimProcessRole role,
                            SimResumeFunc resume,
                            gpointer data);
/* Not while an event of this process runs. The process must not outlive the engine. */
void sim_process_free(SimProcess *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimProcess, sim_process_free)

SimRegion *sim_process_region(const SimProcess *self);
SimKey sim_process_key(const SimProcess *self);
bool sim_process_is_finished(const SimProcess *self);

/* Resumes it for the first time `delay` cycles from now. */
void sim_process_start(SimProcess *self, SimTime delay);

/* Resumes the process `cycles` from now. Call it from inside its resume function. */
void sim_process_sleep(SimProcess *self, SimTime cycles);

/* Marks the process as waiting for `what`, which is borrowed until the process is
 * woken. */
void sim_process_wait(SimProcess *self, const char *what);

/* Resumes a waiting process in this cycle. Does nothing if it does not wait. */
void sim_process_wake(SimProcess *self);
