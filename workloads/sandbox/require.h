/* Modules: other Lua files that a script may load, from two folders only. */
#pragma once

#include <lua.h>

/* Pushes the Lua function require(name). Names are letters, digits, '_' and '/'; the
 * file is name.lua in the script's folder, then in the sandbox's library_path, and no
 * symbolic link may lead out of that folder. A module runs once. Raises when memory
 * runs out. */
void require_push(lua_State *L);
