/* The functions of a kernel on its core: wait, read the clock, and use the PCIe
 * tile. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "arch/border/pcie.h"
#include "sim/counter.h"
#include "sim/process.h"
#include "sim/semaphore.h"
#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

typedef struct {
    Launch *launch;
    Session *session;
    char *name;
    lua_State *thread;
    SimProcess *process;
    gpointer *slot; /* where its core functions find it */
    bool is_begun;
    bool is_waiting;         /* it yielded in a call of the API */
    const char *stall;       /* the reason, if that time is lost */
    SimTime since;           /* when that wait began */
    ArchPcieCommand command; /* being issued */
    SimSemaphore *arrivals;  /* of its commands */
    uint64_t outstanding;    /* commands since its last barrier */
    SimCounter dram_bytes;
    GHashTable *carriages; /* the data of its commands, until they arrive */
} Kernel;

/* All functions of a kernel's `core`. */
extern const ApiClass core_api;

/* Pushes the table of core functions for `kernel`. */
void core_push(lua_State *L, Kernel *kernel);

/* Frees the objects that the core functions made for it. */
void core_release(Kernel *kernel);
