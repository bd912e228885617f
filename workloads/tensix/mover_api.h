/* What a reader or writer kernel can call: tt-metal's names, on the RISC-V that
 * commands one NoC. */
#pragma once

#include <lauxlib.h>

/* Names and functions, up to a NULL. */
extern const luaL_Reg mover_api[];
