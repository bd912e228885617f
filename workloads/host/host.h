/* The host API: the functions that a script's `run` can call. */
#pragma once

#include <lua.h>

#include "workloads/host/session.h"
#include "workloads/sandbox/api.h"

/* All functions of a script's `host`. */
extern const ApiClass host_api;

/* Pushes the table of host functions. */
void host_push(lua_State *L, SessionRun *run);

/* Starts a launch, or raises; with host_start() after paying for it. Then, waits until
 * it has ended, and returns the cycles it took. */
void host_begin(lua_State *L, Session *session, Launch *launch);
void host_start(lua_State *L, Session *session, Launch *launch);
SimTime host_finish(lua_State *L, Session *session, const Launch *launch);

/* Counts what a transfer moves in DRAM. */
void host_count_dram(Session *session, uint64_t bytes);

/* Lua functions of the host API, with a session as their upvalue. */

/* host.route(a, b): nil, or { latency_seconds =, bytes_per_second =, kind =, hops = }
 * of the route from chip a to chip b. */
int host_route(lua_State *L);
/* host.links(): { { name =, kind =, bytes =, busy_seconds = }, ... } so far. */
int host_links(lua_State *L);

/* Sets metrics.links in the outcome of a system with several chips. */
void host_links_report(const SessionRun *run);

/* Pops the table of devices from the stack and keeps it for host.each. */
void host_each_keep(lua_State *L, SessionRun *run);

/* Lua function host.each(function(device)), with a session as its upvalue. */
int host_each(lua_State *L);

/* Raises if the call `what` is made inside host.each. */
void host_each_check_outside(lua_State *L, const Session *session, const char *what);
