/* What a compute kernel can ask of the SFPU, by tt-metal's names. */
#pragma once

#include <lauxlib.h>

/* Names and functions, up to a NULL. */
extern const luaL_Reg compute_sfpu_api[];
