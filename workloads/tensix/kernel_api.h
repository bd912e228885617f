/* The global functions of kernels. */
#pragma once

#include <lua.h>

/* One for each kind of state: set all names that kernels of any kind can call. Those of
 * another kind raise. */
void kernel_api_open_host(lua_State *L);
/* Lua functions. */
int kernel_api_open_mover(lua_State *L);
int kernel_api_open_compute(lua_State *L);
