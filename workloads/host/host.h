/* The host API: what the `run` function of a script can do. */
#pragma once

#include <lua.h>

#include "workloads/host/session.h"

/* Pushes the table of host functions. */
void host_push(lua_State *L, SessionRun *run);
