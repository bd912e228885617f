/* Runs of a board's design over grids: Lua methods of boards. */
#pragma once

#include <lua.h>

/* board:prepare(): pays what the host and the board take until PEs can begin. */
int board_prepare(lua_State *L);

/* board:run{ nx =, ny =, nz =, border =, rounds =, data = "board", "host" or "chip",
 * inputs =, outputs = lists of addresses, or of buffers where the data are in host
 * memory }: until all is done; returns the cycles it took. */
int board_run(lua_State *L);
