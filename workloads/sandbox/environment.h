/* The globals of a script: the permitted libraries, in versions that give every run the
 * same result and cannot reach files or processes. */
#pragma once

#include <lua.h>

/* Fills the globals of a new state. Raises when memory runs out. */
void environment_open(lua_State *L);

/* Pushes the Lua function require(name). Names are letters, digits, '_' and '/'; the
 * file is name.lua in the script's folder, then in the sandbox's library_path, and no
 * symbolic link may lead out of that folder. A module runs once. Raises when memory
 * runs out. */
void require_push(lua_State *L);
