/* The global functions of kernels: there from the start, so that a script can hold them
 * in locals, and clear about where they can be called. */
#include "workloads/tensix/kernel_api.h"

#include "workloads/host/dram_buffer.h"
#include "workloads/tensix/compute_api.h"
#include "workloads/tensix/compute_sfpu.h"
#include "workloads/tensix/fabric_api.h"
#include "workloads/tensix/mover_api.h"

/* Upvalues: the name, and where it could be called. */
static int refuse(lua_State *L)
{
    return luaL_error(L, "%s: only inside a %s", lua_tostring(L, lua_upvalueindex(1)),
                      lua_tostring(L, lua_upvalueindex(2)));
}

static void set_refusals(lua_State *L, const luaL_Reg *api, const char *where)
{
    for (const luaL_Reg *function = api; function->name != NULL; function++) {
        lua_pushstring(L, function->name);
        lua_pushstring(L, where);
        lua_pushcclosure(L, refuse, 2);
        lua_setglobal(L, function->name);
    }
}

static void set_functions(lua_State *L, const luaL_Reg *api)
{
    lua_pushglobaltable(L);
    luaL_setfuncs(L, api, 0);
    lua_pop(L, 1);
}

void kernel_api_open_host(lua_State *L)
{
    set_refusals(L, mover_api, "kernel");
    set_refusals(L, fabric_api, "kernel");
    set_refusals(L, compute_api, "kernel");
    set_refusals(L, compute_sfpu_api, "kernel");
}

int kernel_api_open_mover(lua_State *L)
{
    set_refusals(L, compute_api, "compute kernel");
    set_refusals(L, compute_sfpu_api, "compute kernel");
    set_functions(L, mover_api);
    set_functions(L, fabric_api);
    dram_buffer_register(L);
    return 0;
}

int kernel_api_open_compute(lua_State *L)
{
    set_refusals(L, mover_api, "reader or writer kernel");
    set_refusals(L, fabric_api, "reader or writer kernel");
    set_functions(L, compute_api);
    set_functions(L, compute_sfpu_api);
    dram_buffer_register(L);
    return 0;
}
