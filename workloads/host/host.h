/* The host API: what the `run` function of a script can do. */
#pragma once

#include <lua.h>

#include "workloads/host/session.h"

/* Pushes the table of host functions. */
void host_push(lua_State *L, SessionRun *run);

/* Lua functions of the host API, with a session as their upvalue. */

/* host.route(a, b): nil, or { latency_seconds =, bytes_per_second =, kind =, hops = }
 * of the way from chip a to chip b. */
int host_route(lua_State *L);
/* host.links(): { { name =, kind =, bytes =, busy_seconds = }, ... } so far. */
int host_links(lua_State *L);

/* Into the outcome of a system with several chips: metrics.links. */
void host_links_report(const SessionRun *run);

/* Keeps the table of devices at the top of the stack, which it pops, for host.each. */
void host_each_keep(lua_State *L, SessionRun *run);

/* Lua function host.each(function(device)), with a session as its upvalue. */
int host_each(lua_State *L);

/* Raises where the call `what` is made inside host.each. */
void host_each_check_outside(lua_State *L, const Session *session, const char *what);
