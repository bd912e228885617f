/* How a router treats a color, and what control wavelets tell it, as scripts write
 * them. */
#pragma once

#include <lua.h>

#include "arch/wse_layout.h"

/* The table { routes = { rx =, tx = }, switches =, filter =, teardown = } at `index`,
 * or raises. Whether it makes sense is for the layout to say. */
ArchWseColorConfig wafer_color_check(lua_State *L, int index);

/* The direction whose name is at `index`, or raises with `what` in front. */
ArchWseDirection wafer_direction_check(lua_State *L, int index, const char *what);

/* Lua method of layouts: layout:encode_payload{ commands =, ce_filter =, task = } */
int wafer_color_encode_payload(lua_State *L);
