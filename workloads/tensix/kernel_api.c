/* The global functions of kernels: there from the start, so that a script can hold them
 * in locals, and clear about where they can be called. */
#include "workloads/tensix/kernel_api.h"

#include "workloads/host/dram_buffer.h"
#include "workloads/tensix/kernel_run.h"
#include "workloads/tensix/tape.h"

/* Functions of all kinds of kernels. */
static const ApiCall kernel_api[] = {
    {"get_tile_size", kernel_get_tile_size, "(cb: integer): integer"},
    {"get_arg", kernel_get_arg, "(name: string): any"},
    {"my_x", kernel_my_x, "(): integer"},
    {"my_y", kernel_my_y, "(): integer"},
    {"my_chip", kernel_my_chip, "(): integer"},
    {"loop", scalar_loop,
     "(first: integer, last: integer, step?: integer): fun(): integer?"},
    {0},
};

static bool compute_function(guint index, ApiCall *call)
{
    const ArchComputeFunction *function = arch_compute_function_at(index);

    if (function != NULL) {
        *call = (ApiCall){.name = function->name,
                          .signature = compute_api_signature(function)};
    }
    return function != NULL;
}

const ApiClass kernel_calls = {
    .page = "workloads/doc/tensix-kernels.md",
    .calls =
        (const ApiCall *const[]){kernel_api, mover_api, fabric_api, gather_api, NULL},
    .more = compute_function,
    .unmodelled = " sin_tile cos_tile tan_tile erf_tile power_tile max_tile "
                  "tilize_block untilize_block pack_untilize_block "
                  "noc_async_read_one_packet noc_async_write_one_packet "
                  "dprint ",
};

/* Names that no kernel has are remembered for what a message says about them. */
static void watch_globals(lua_State *L)
{
    lua_pushglobaltable(L);
    api_watch(L, &kernel_calls);
    lua_pop(L, 1);
}

/* Upvalues: the name, and where it could be called. */
static int refuse(lua_State *L)
{
    return luaL_error(L, "%s: only inside a %s", lua_tostring(L, lua_upvalueindex(1)),
                      lua_tostring(L, lua_upvalueindex(2)));
}

static void set_refusal(lua_State *L, const char *name, const char *where)
{
    lua_pushstring(L, name);
    lua_pushstring(L, where);
    lua_pushcclosure(L, refuse, 2);
    lua_setglobal(L, name);
}

static void set_refusals(lua_State *L, const ApiCall *api, const char *where)
{
    for (const ApiCall *function = api; function->name != NULL; function++) {
        set_refusal(L, function->name, where);
    }
}

static void set_functions(lua_State *L, const ApiCall *api)
{
    lua_pushglobaltable(L);
    api_set(L, api, 0);
    lua_pop(L, 1);
}

/* The functions of compute kernels, or what refuses them where `refused` says. */
static void set_compute(lua_State *L, const char *refused)
{
    const ArchComputeFunction *function;

    for (guint i = 0; (function = arch_compute_function_at(i)) != NULL; i++) {
        if (refused != NULL) {
            set_refusal(L, function->name, refused);
        } else {
            compute_api_push(L, function);
            lua_setglobal(L, function->name);
        }
    }
}

void kernel_api_open_host(lua_State *L)
{
    set_refusals(L, kernel_api, "kernel");
    set_refusals(L, mover_api, "kernel");
    set_refusals(L, fabric_api, "kernel");
    set_refusals(L, gather_api, "kernel");
    set_compute(L, "kernel");
    watch_globals(L);
}

int kernel_api_open_mover(lua_State *L)
{
    set_compute(L, "compute kernel");
    set_functions(L, kernel_api);
    set_functions(L, mover_api);
    set_functions(L, fabric_api);
    set_functions(L, gather_api);
    dram_buffer_register(L);
    watch_globals(L);
    return 0;
}

int kernel_api_open_compute(lua_State *L)
{
    set_refusals(L, mover_api, "reader or writer kernel");
    set_refusals(L, fabric_api, "reader or writer kernel");
    set_refusals(L, gather_api, "reader or writer kernel");
    set_functions(L, kernel_api);
    set_compute(L, NULL);
    tape_open(L);
    dram_buffer_register(L);
    watch_globals(L);
    return 0;
}
