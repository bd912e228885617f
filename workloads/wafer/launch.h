/* The Lua method of wafers that launches them. */
#pragma once

#include <lua.h>

/* wafer:prepare(): pays what a launch costs before PEs begin; the next one does not. */
int wafer_prepare(lua_State *L);
/* wafer:launch([{ variable = integer, ... }]): the cycles until the last PE was at
 * rest. Variables begin with these values, in this launch and later ones. */
int wafer_launch(lua_State *L);
