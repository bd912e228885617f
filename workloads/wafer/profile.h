/* Lua methods of wafers that describe the last launch: its cycles, counters, and what
 * of it was simulated. */
#pragma once

#include <lua.h>

/* wafer:iterations(): { { last =, mean = }, ... } */
int wafer_iterations(lua_State *L);
/* wafer:zones(): cycles by name, in the mean over PEs. */
int wafer_zones(lua_State *L);
/* wafer:profile() */
int wafer_profile(lua_State *L);
/* wafer:work([program]): of the PEs whose program has this name. */
int wafer_work(lua_State *L);
