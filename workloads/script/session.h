/* One run of a script: what its host program and its kernels share. */
#pragma once

#include <stdbool.h>

#include <glib.h>
#include <lua.h>

#include "workloads/outcome.h"
#include "workloads/run.h"
#include "workloads/script/sandbox.h"

typedef struct Launch Launch;

typedef struct {
    const WlMachine *machine;
    WlSandbox *sandbox;
    WlOutcome *outcome;
    double fraction;       /* done, as the script says; negative: unknown */
    bool is_on_device;     /* kernels run: the host program stands still */
    SimTime device_cycles; /* of all launches so far */
    GPtrArray *launches;   /* of Launch */
    GHashTable *stalls;    /* reason -> cycles, as pointers to uint64_t */
} Session;

/* The session that a C function of the host or kernel API was registered with. */
Session *session_of(lua_State *L);

/* Leaves the session as the only upvalue of the functions that are registered. */
void session_push_upvalue(lua_State *L, Session *self);

/* The chip's cycle at the present host time. */
SimTime session_cycle(const Session *self);

/* Tells the user how far it is. False, with `error` set, when the run is to stop or
 * has passed its cycle limit. */
bool session_report(Session *self, GError **error);

/* Counts cycles lost for `reason`, a literal. */
void session_add_stall(Session *self, const char *reason, SimTime cycles);
