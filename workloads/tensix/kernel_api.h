/* The global functions of kernels. */
#pragma once

#include <lauxlib.h>
#include <lua.h>

#include "arch/tensix_compute.h"
#include "workloads/sandbox/api.h"

/* The functions of reader and writer kernels, by tt-metal's names, on the RISC-V that
 * commands one NoC; those that send to cores of other chips; and those that follow
 * offsets. All end with a row without a name. */
extern const ApiCall mover_api[];
extern const ApiCall fabric_api[];
extern const ApiCall gather_api[];

/* All functions of kernels. */
extern const ApiClass kernel_calls;

/* The parameters of such a function, as in ApiCall. */
const char *compute_api_signature(const ArchComputeFunction *function);

/* Pushes the Lua function of compute kernels that makes the calls of `function`. */
void compute_api_push(lua_State *L, const ArchComputeFunction *function);

/* One for each kind of state: defines the names of all kinds of kernels. Those of
 * another kind raise. */
void kernel_api_open_host(lua_State *L);
/* Lua functions. */
int kernel_api_open_mover(lua_State *L);
int kernel_api_open_compute(lua_State *L);
