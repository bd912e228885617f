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

/* `name` is copied; it stands in deadlock reports: "core[3,4].reader". Before or
 * between runs. A process stands in one line at a time: it does not sleep, nor try
 * elsewhere, before the attempt that failed has succeeded. */
SimProcess *sim_process_new(SimRegion *region,
                            SimKey key,
                            const char *name,
                            SimProcessRole role,
                            SimResumeFunc resume,
                            gpointer data);
/* Not while an event of its own is running. Must not outlive the engine. */
void sim_process_free(SimProcess *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SimProcess, sim_process_free)

SimRegion *sim_process_region(const SimProcess *self);
SimKey sim_process_key(const SimProcess *self);
bool sim_process_is_finished(const SimProcess *self);

/* Resumes it for the first time `delay` cycles from now. */
void sim_process_start(SimProcess *self, SimTime delay);

/* To be resumed `cycles` from now; from inside its resume function. */
void sim_process_sleep(SimProcess *self, SimTime cycles);

/* Says what the process waits for. `what` is borrowed until it is woken. */
void sim_process_wait(SimProcess *self, const char *what);

/* Resumes a process that waits, this cycle; nothing if it does not. */
void sim_process_wake(SimProcess *self);
