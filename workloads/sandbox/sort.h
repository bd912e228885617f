/* A table.sort that gives the same result in every run, and keeps equals in order. */
#pragma once

#include <lua.h>

/* Lua function table.sort(t, is_less). Lua's own picks its pivots by the clock. */
int sort_table(lua_State *L);
