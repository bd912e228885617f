/* The global functions of kernels. */
#pragma once

#include <lauxlib.h>
#include <lua.h>

#include "arch/tensix_compute.h"

/* What a reader or writer kernel can call, tt-metal's names, on the RISC-V that
 * commands one NoC; and what it can send to cores of other chips. Up to a NULL. */
extern const luaL_Reg mover_api[];
extern const luaL_Reg fabric_api[];

/* Pushes the Lua function that makes the calls of `function` of a compute kernel. */
void compute_api_push(lua_State *L, const ArchComputeFunction *function);

/* One for each kind of state: set all names that kernels of any kind can call. Those of
 * another kind raise. */
void kernel_api_open_host(lua_State *L);
/* Lua functions. */
int kernel_api_open_mover(lua_State *L);
int kernel_api_open_compute(lua_State *L);
