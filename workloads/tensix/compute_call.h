/* How a call of a compute kernel is made: arguments checked, handed to the core. A
 * kernel goes on while its calls pile up there, and gives control back when some dozens
 * have. */
#pragma once

#include <lauxlib.h>

#include "arch/tensix_compute.h"
#include "workloads/tensix/kernel_run.h"

enum {
    COMPUTE_CALLS = 48, /* between two returns to the engine */
};

/* Hands it to the core, or raises. */
void compute_call(lua_State *L, KernelRun *run, const ArchComputeCall *what);

/* The last line of a Lua function of the API: yields when it is time. */
int compute_pause(lua_State *L, KernelRun *run);

static inline int compute_finish(lua_State *L, KernelRun *run)
{
    return G_LIKELY(run->made < COMPUTE_CALLS) ? 0 : compute_pause(L, run);
}

static inline int
compute_make(lua_State *L, KernelRun *run, const ArchComputeCall *what)
{
    compute_call(L, run, what);
    return compute_finish(L, run);
}

static inline guint8 compute_check_cb(lua_State *L, int index)
{
    return (guint8) kernel_argument(L, index, KERNEL_BUFFERS - 1);
}

static inline guint8 compute_check_dst(lua_State *L, int index)
{
    return (guint8) kernel_argument(L, index, G_MAXUINT8);
}

static inline guint16 compute_check_tile(lua_State *L, int index)
{
    return (guint16) kernel_argument(L, index, G_MAXUINT16);
}
