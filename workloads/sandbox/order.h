/* Tables in a fixed order: integers, floats, strings by their bytes, booleans. */
#pragma once

#include <lua.h>

/* Lua functions. pairs(t): respects __pairs. Visits the keys that were there at the
 * start and still are. A table with two or more keys of other types is an error:
 * nothing but their addresses could order them. */
int order_pairs(lua_State *L);

/* Pushes the Lua function next(t, key): the least key after `key`, which need not
 * be there any more. A whole traversal costs one sort. Raises when memory runs out. */
void order_push_next(lua_State *L);
