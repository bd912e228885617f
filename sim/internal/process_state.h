/* The inside of a process. */
#pragma once

#include <stdbool.h>

#include "sim/internal/wait_queue.h"
#include "sim/process.h"

struct SimProcess {
    SimRegion *region;
    SimKey key;
    char *name;
    SimProcessRole role;
    SimResumeFunc resume;
    gpointer data;
    SimEvent event;   /* its pending resumption, or 0 */
    WaitQueue *queue; /* where it waits, or NULL */
    const char *what; /* what it waits for, or NULL */
    SimTime since;    /* when it began to wait */
    bool is_started;
    bool is_finished;
};
