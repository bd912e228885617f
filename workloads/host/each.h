/* Host threads: one for each chip, at the same simulated time. */
#pragma once

#include <lua.h>

#include "workloads/host/session.h"

/* Keeps the table of devices at the top of the stack, which it pops, for host.each. */
void host_each_keep(lua_State *L, SessionRun *run);

/* Lua function host.each(function(device)), with a session as its upvalue. */
int host_each(lua_State *L);

/* Raises where the call `what` is made inside host.each. */
void host_each_check_outside(lua_State *L, const Session *session, const char *what);
