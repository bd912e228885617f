/* Moves plain Lua values from one Lua state to another: booleans, numbers, strings,
 * tables of them, and DRAM buffers, which all states share. */
#pragma once

#include <glib.h>
#include <lua.h>

/* The value at `index` as bytes; or raises an error that names it `what`. The script of
 * L has paid for them (sandbox_account()). The caller frees it. */
GBytes *plain_pack(lua_State *L, int index, const char *what);

/* Pushes the value again, in any state. Raises when memory runs out. */
void plain_push(lua_State *L, GBytes *bytes);
