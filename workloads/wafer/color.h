/* The configuration of a color in a router, and of control wavelets, as scripts write
 * them. */
#pragma once

#include <lua.h>

#include "arch/wse_layout.h"

/* Reads the table { routes = { rx =, tx = }, switches =, filter =, ... } at
 * `index`, or raises. The layout checks whether it makes sense. */
ArchWseColorConfig wafer_color_check(lua_State *L, int index);

/* The direction whose name is at `index`, or raises with `what` in front. */
ArchWseDirection wafer_direction_check(lua_State *L, int index, const char *what);

/* The directions in a field of the table at `index`, a name or a list of names, as
 * bits; 0 where there is no field. */
uint8_t wafer_directions_check(lua_State *L, int index, const char *name);

/* By ArchWsePopMode, NULL-terminated. */
extern const char *const wafer_pop_modes[];

/* Lua method of layouts: layout:encode_payload{ commands =, ce_filter =, task = } */
int wafer_color_encode_payload(lua_State *L);
