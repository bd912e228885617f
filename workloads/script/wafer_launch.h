/* Lua method of wafers that runs them. */
#pragma once

#include <lua.h>

/* wafer:launch(): the cycles until the last PE was at rest. */
int wafer_launch(lua_State *L);
