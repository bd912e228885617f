/* Serves a host program: what it asks for, one request after another. */
#pragma once

#include <lua.h>

/* Lua function host.serve(): works for the host program until it has ended. A list of
 * { name =, cycles =, seconds = } for its launches. */
int metal_serve(lua_State *L);
