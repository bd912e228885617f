/* Tables in a fixed order: integers, floats, strings by their bytes, booleans. */
#pragma once

#include <lua.h>

/* The Lua function pairs(t): respects __pairs. Visits the keys that were there at the
 * start and still are. A table with two or more keys of other types is an error: only
 * their addresses could order them. */
int order_pairs(lua_State *L);

/* Pushes the Lua function next(t, key): the least key after `key`, which may have been
 * removed. A whole traversal costs one sort. Raises when memory runs out. */
void order_push_next(lua_State *L);
