/* Simulated time that passes for the host program: transfers, launches, waits. */
#pragma once

#include <stdint.h>

#include <lua.h>

#include "workloads/host/session.h"

/* The state that a host thread saves to let others run while simulated time passes. */
typedef struct {
    SandboxPause sandbox;
    double *waited;
} HostPause;

/* Call these around everything that blocks the thread's program. */
HostPause host_pause(Session *session);
void host_resume(Session *session, HostPause pause);

typedef enum {
    HOST_TO_CHIP,
    CHIP_TO_HOST,
} HostDirection;

/* Lets the time of a transfer pass; the caller has moved the bytes in memory. Pushes
 * the seconds it took and returns 1. */
int host_transfer(lua_State *L, Session *session, HostDirection to, uint64_t bytes);

/* The same from the chip, by `call`. A read of the same `place` (not 0) again and again
 * may be a livelock. */
int host_read(
    lua_State *L, Session *session, const char *call, uint64_t place, uint64_t bytes);

/* Accounts for seconds that have just passed, and for the bytes of a transfer. */
void host_book(Session *session, HostWait wait, double seconds, uint64_t bytes);

/* Sleeps, and accounts for the time. */
void host_pass(lua_State *L, Session *session, HostWait wait, double seconds);

/* Call it after simulated time has passed: resets steps, reports progress, checks
 * limits. */
void host_go_on(lua_State *L, Session *session);
