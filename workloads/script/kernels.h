/* The kernels that a script declares, kept in a Lua state. */
#pragma once

#include <lua.h>

/* Keeps the declared table of kernels at `index`, or none if it is nil, in this
 * state. */
void kernels_keep(lua_State *L, int index);

/* Pushes that table. */
void kernels_push(lua_State *L);

/* Raises unless the script has a kernel called `name`. */
void kernels_check(lua_State *L, const char *name);
