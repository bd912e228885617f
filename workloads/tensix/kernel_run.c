/* A kernel on a core: who it is, and what all kinds of kernels can ask. */
#include "workloads/tensix/kernel_run.h"

#include <string.h>

#include <lauxlib.h>

#include "arch/border/fabric.h"
#include "arch/number/nan.h"
#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/tensix/tape.h"

/* The name under which the running C function was called. */
static const char *call_name(lua_State *L)
{
    lua_Debug info;

    if (lua_getstack(L, 0, &info) == 0 || lua_getinfo(L, "n", &info) == 0 ||
        info.name == NULL) {
        return "a call";
    }
    return info.name;
}

KernelRun *kernel_run_of(lua_State *L)
{
    KernelRun *run = sandbox_subject(sandbox_of(L));

    if (G_UNLIKELY(run == NULL)) {
        luaL_error(L, "%s: only inside a kernel", call_name(L));
    }
    return run;
}

ArchPlace kernel_run_place(gpointer data)
{
    const KernelRun *run = data;

    return run->taking.tape != NULL ? run->taking.place : sandbox_place(run->thread);
}

char *kernel_run_where(const KernelRun *self)
{
    const ArchFabric *fabric = arch_tensix_core_fabric(self->core);
    const char *core = arch_tensix_core_name(self->core);

    return arch_fabric_chip_count(fabric) > 1
               ? g_strdup_printf("kernel %s on %s of chip %u: ", self->name, core,
                                 arch_fabric_chip(fabric))
               : g_strdup_printf("kernel %s on %s: ", self->name, core);
}

/* "cb_pop_front(0, 2): "; the caller frees it. */
static char *call_text(lua_State *L)
{
    GString *text = g_string_new(call_name(L));
    int count = lua_gettop(L);

    g_string_append_c(text, '(');
    for (int i = 1; i <= count; i++) {
        g_string_append(text, i > 1 ? ", " : "");
        if (lua_isinteger(L, i)) {
            g_string_append_printf(text, "%" G_GINT64_FORMAT,
                                   (gint64) lua_tointeger(L, i));
        } else if (lua_type(L, i) == LUA_TNUMBER) {
            g_string_append_printf(text, "%g", arch_nan_plain(lua_tonumber(L, i)));
        } else {
            g_string_append(text, luaL_typename(L, i));
        }
    }
    g_string_append(text, "): ");
    return g_string_free(text, FALSE);
}

int kernel_run_fail(lua_State *L, const KernelRun *self, GError *error)
{
    g_autofree char *where = kernel_run_where(self);
    g_autofree char *call = call_text(L);

    g_prefix_error(&error, "%s%s", where, call);
    /* sandbox_raise() does not return. */
    g_clear_pointer(&where, g_free);
    g_clear_pointer(&call, g_free);
    return sandbox_raise(L, error);
}

void kernel_argument_fail(lua_State *L, int index, lua_Unsigned most)
{
    luaL_argerror(L, index,
                  lua_pushfstring(L, "expected an integer of 0 to %I, got %s",
                                  (LUAI_UACINT) most, luaL_tolstring(L, index, NULL)));
}

/* The run of a call whose result is for its core alone. */
static KernelRun *alone(lua_State *L)
{
    KernelRun *run = kernel_run_of(L);

    tape_end_here(L, run);
    return run;
}

int kernel_my_x(lua_State *L)
{
    lua_pushinteger(L, alone(L)->x);
    return 1;
}

int kernel_my_y(lua_State *L)
{
    lua_pushinteger(L, alone(L)->y);
    return 1;
}

/* As the system counts chips. */
int kernel_my_chip(lua_State *L)
{
    const ArchTensixCore *core = alone(L)->core;

    lua_pushinteger(L, arch_fabric_chip(arch_tensix_core_fabric(core)));
    return 1;
}

/* get_arg(name): the argument, which must be there. */
int kernel_get_arg(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);

    luaL_checkany(L, 1);
    lua_settop(L, 1);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &run->value) == LUA_TTABLE) {
        lua_pushvalue(L, 1);
        if (lua_gettable(L, 2) != LUA_TNIL) {
            return 1;
        }
    }
    return luaL_error(L, "get_arg: the kernel was given no argument %s",
                      luaL_tolstring(L, 1, NULL));
}

int kernel_get_tile_size(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);
    guint cb = kernel_argument(L, 1, KERNEL_BUFFERS - 1);

    if (run->memory->page_bytes[cb] == 0) {
        return kernel_run_fail(L, run,
                               g_error_new(WL_ERROR, WL_ERROR_RUNTIME,
                                           "the core has no circular buffer %u", cb));
    }
    lua_pushinteger(L, run->memory->page_bytes[cb]);
    return 1;
}

uint32_t kernel_unattributed_cycles(lua_State *L, const KernelRun *self)
{
    uint64_t cycles = kernel_argument(L, 1, G_MAXUINT16) * self->unattributed_cycles;

    luaL_argcheck(L, cycles <= G_MAXINT32, 1, "more cycles than one call can take");
    return sim_u32(cycles);
}

static int again(lua_State *L, int status, lua_KContext context)
{
    lua_CFunction function;

    (void) status;
    memcpy(&function, &context, sizeof function);
    return function(L);
}

int mover_settle(lua_State *L,
                 ArchMoverResult result,
                 GError *error,
                 lua_CFunction function)
{
    KernelRun *run = kernel_run_of(L);

    switch (result) {
    case ARCH_MOVER_DONE:
        return 0;
    case ARCH_MOVER_FAILED:
        return kernel_run_fail(L, run, error);
    case ARCH_MOVER_AGAIN:
        break;
    }
    sandbox_may_yield(L, "a kernel");
    run->is_waiting = true;
    return lua_yieldk(L, 0, (lua_KContext) function, again);
}
