/* Lua methods of wafers that move data: memcpy_h2d and memcpy_d2h. */
#pragma once

#include <lua.h>

/* wafer:copy_to{ name =, buffer =, first =, count =, tiles = }, or a list of such
 * tables, which is one transfer: the seconds it took. */
int wafer_copy_to(lua_State *L);
/* wafer:copy_from{ ... }: the other way. */
int wafer_copy_from(lua_State *L);
