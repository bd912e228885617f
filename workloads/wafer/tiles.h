/* Sets of PEs as scripts write them: { x, y } or { x0, y0, x1, y1, dx =, dy = }, both
 * corners included; none where the second is left of or above the first. */
#pragma once

#include <lua.h>

#include "arch/wse_layout.h"

/* The set at `index`, or raises with `what` in front. Whether it lies inside a
 * rectangle is for its user to say. */
ArchWseTiles wafer_tiles_check(lua_State *L, int index, const char *what);

/* The same where a list of sets may stand for one: how many there are, at least 1, and
 * each of them. */
guint wafer_tiles_count(lua_State *L, int index);
ArchWseTiles wafer_tiles_at(lua_State *L, int index, guint number, const char *what);
