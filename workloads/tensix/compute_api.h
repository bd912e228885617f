/* What a compute kernel can call: tt-metal's names, each a call for the unpack, math
 * and pack threads of its core. */
#pragma once

#include <lua.h>

#include "arch/tensix_compute.h"

/* Pushes the Lua function that makes the calls of `function`. */
void compute_api_push(lua_State *L, const ArchComputeFunction *function);
