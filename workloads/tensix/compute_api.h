/* What a compute kernel can call: tt-metal's names, each a call for the unpack, math
 * and pack threads of its core. */
#pragma once

#include <lauxlib.h>

/* Names and functions, up to a NULL. */
extern const luaL_Reg compute_api[];
