/* The world of a script: the permitted libraries, in versions that give every run the
 * same result and cannot reach files or processes. */
#pragma once

#include <lua.h>

/* Fills the globals of a new state. Raises when memory runs out. */
void environment_open(lua_State *L);
