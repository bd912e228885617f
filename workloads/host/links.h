/* The links of the system, as the host program sees them. */
#pragma once

#include <lua.h>

#include "workloads/host/session.h"

/* Lua functions of the host API, with a session as their upvalue. */

/* host.route(a, b): nil, or { latency_seconds =, bytes_per_second =, kind =, hops = }
 * of the way from chip a to chip b. */
int host_route(lua_State *L);
/* host.links(): { { name =, kind =, bytes =, busy_seconds = }, ... } so far. */
int host_links(lua_State *L);

/* Into the outcome of a system with several chips: metrics.links. */
void host_links_report(const SessionRun *run);
