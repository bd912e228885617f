/* Simulated time that passes for the host program: transfers, launches, waits. */
#pragma once

#include <stdint.h>

#include <lua.h>

#include "workloads/host/session.h"

/* What a host thread keeps that lets others run while simulated time passes for it. */
typedef struct {
    SandboxPause sandbox;
    double *waited;
} HostPause;

/* Around everything that blocks its program. */
HostPause host_pause(Session *session);
void host_resume(Session *session, HostPause pause);

typedef enum {
    HOST_TO_CHIP,
    CHIP_TO_HOST,
} HostDirection;

/* Moves bytes in time; the caller has moved them in memory. Pushes the seconds it took,
 * and returns 1. */
int host_transfer(lua_State *L, Session *session, HostDirection to, uint64_t bytes);

/* Books seconds that have just passed, and the bytes of a transfer. */
void host_book(Session *session, HostWait wait, double seconds, uint64_t bytes);

/* Sleeps, and books it. */
void host_pass(lua_State *L, Session *session, HostWait wait, double seconds);

/* After simulated time has passed: new steps, progress, limits. */
void host_go_on(lua_State *L, Session *session);
