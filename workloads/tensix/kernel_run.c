/* A kernel on a core: who it is, what all kinds of kernels can ask, and the states
 * they run in. */
#include "workloads/tensix/kernel_run.h"

#include <string.h>

#include <lauxlib.h>

#include "arch/border/fabric.h"
#include "arch/number/nan.h"
#include "arch/tensix_compute.h"
#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/script/kernels.h"
#include "workloads/tensix/kernel_api.h"
#include "workloads/tensix/plain.h"
#include "workloads/tensix/print.h"

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

    return sandbox_place(run->thread);
}

/* "kernel NAME on core[0,0]: ", with the chip where there are several; the caller frees
 * it. */
static char *where_of(const KernelRun *self)
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
    g_autofree char *where = where_of(self);
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

int kernel_my_x(lua_State *L)
{
    lua_pushinteger(L, kernel_run_of(L)->x);
    return 1;
}

int kernel_my_y(lua_State *L)
{
    lua_pushinteger(L, kernel_run_of(L)->y);
    return 1;
}

/* As the system counts chips. */
int kernel_my_chip(lua_State *L)
{
    const ArchTensixCore *core = kernel_run_of(L)->core;

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
        if (lua_rawget(L, 2) != LUA_TNIL) {
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

struct KernelState {
    WlSandbox *sandbox;
    WlSandboxConfig host; /* that of the script's own state */
    KernelLines *lines;   /* printed */
    SimTime progress;     /* when simulated time last moved on */
};

/* "core[0,1] reader", with the chip where there are several; the caller frees it. */
static char *who_prints(const KernelRun *run)
{
    const ArchFabric *fabric = arch_tensix_core_fabric(run->core);
    const char *core = arch_tensix_core_name(run->core);

    return arch_fabric_chip_count(fabric) > 1
               ? g_strdup_printf("chip %u %s %s", arch_fabric_chip(fabric), core,
                                 run->processor)
               : g_strdup_printf("%s %s", core, run->processor);
}

/* Threads of compute kernels come to the line later. */
static void keep_line(gpointer data, const char *line)
{
    enum {
        MOST_COLUMNS = 1024, /* of cores */
    };
    KernelState *self = data;
    const KernelRun *run =
        self->sandbox != NULL ? sandbox_subject(self->sandbox) : NULL;

    if (run == NULL) {
        return; /* printed while the script is loaded, as its own state has done before
                 */
    }
    const bool is_mover = run->mover != NULL;
    const guint rank = (run->y * MOST_COLUMNS + run->x) * 3 +
                       (is_mover ? run->processor[0] == 'w' : 2);
    g_autofree char *who = who_prints(run);
    const int number =
        kernel_lines_add(self->lines, who, rank,
                         is_mover ? arch_mover_now(run->mover) : SIM_TIME_NEVER, line);

    if (number >= 0 && is_mover) {
        arch_mover_print(run->mover, line);
    } else if (number >= 0) {
        (void) arch_compute_call(
            run->core, &(ArchComputeCall){.op = ARCH_COMPUTE_PRINT, .value = number},
            NULL);
    }
}

const char *kernel_run_reached(gpointer data, int32_t value, SimTime when)
{
    const KernelRun *run = data;

    return kernel_lines_reached(run->state->lines, value, when);
}

/* Lua function: keeps the kernels of the declaration it is given. */
static int keep_kernels(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushliteral(L, "kernels");
    lua_rawget(L, 1);
    kernels_keep(L, lua_gettop(L));
    return 0;
}

KernelState *kernel_state_new(WlSandbox *host, KernelKind kind, GError **error)
{
    g_autoptr(KernelState) self = g_new0(KernelState, 1);
    WlSandboxConfig config = *sandbox_config(host);

    self->host = config;
    self->lines = kernel_lines_new(sandbox_memory(host));
    if (config.print != NULL) {
        config.print = keep_line;
        config.print_data = self;
    }
    self->sandbox = loader_open(
        sandbox_path(host), &config,
        kind == KERNEL_MOVER ? kernel_api_open_mover : kernel_api_open_compute, error);
    if (self->sandbox == NULL) {
        return NULL;
    }
    lua_State *L = sandbox_state(self->sandbox);

    lua_pushcfunction(L, keep_kernels);
    lua_insert(L, 1);
    return sandbox_call(L, 1, 0, error) ? g_steal_pointer(&self) : NULL;
}

void kernel_state_free(KernelState *self)
{
    if (self != NULL) {
        sandbox_free(self->sandbox);
        kernel_lines_free(self->lines);
        g_free(self);
    }
}

KernelLines *kernel_state_lines(const KernelState *self)
{
    return self->lines;
}

typedef struct {
    KernelRun *run;
    const char *function;
    GBytes *arguments;
} Preparation;

/* Lua function: makes the coroutine, with function and arguments on its stack. */
static int prepare(lua_State *L)
{
    const Preparation *what = lua_touserdata(L, 1);
    KernelRun *run = what->run;
    lua_Debug info;

    run->thread = lua_newthread(L);
    /* Kept alive by the registry, and its arguments for get_arg(). */
    lua_rawsetp(L, LUA_REGISTRYINDEX, run);
    kernels_push(L);
    lua_getfield(L, -1, what->function);
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &info);
    g_free(run->last_line);
    run->last_line =
        g_strdup_printf("%s:%d", info.source[0] == '@' ? info.source + 1 : info.source,
                        info.lastlinedefined);
    plain_push(L, what->arguments);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &run->value);
    lua_xmove(L, run->thread, 2);
    return 0;
}

bool kernel_state_prepare(KernelState *self,
                          KernelRun *run,
                          const char *function,
                          GBytes *arguments,
                          GError **error)
{
    lua_State *L = sandbox_state(self->sandbox);
    Preparation what = {.run = run, .function = function, .arguments = arguments};

    run->state = self;
    sandbox_progress(self->sandbox);
    lua_pushcfunction(L, prepare);
    lua_pushlightuserdata(L, &what);
    return sandbox_call(L, 1, 0, error);
}

void kernel_state_release(KernelState *self, KernelRun *run)
{
    lua_State *L = sandbox_state(self->sandbox);

    if (run->thread == NULL) {
        return;
    }
    /* Assigning nil to a key that exists cannot raise. */
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, run);
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &run->value);
    run->thread = NULL;
}

/* Puts who it was behind `path:line: `, where it does not stand there already. */
static GError *say_where(const KernelRun *run, GError *error)
{
    g_autofree char *where = where_of(run);
    const char *colon = strchr(error->message, ':');
    const char *rest = colon == NULL ? NULL : strstr(colon, ": ");
    GError *complete;

    if (strstr(error->message, where) != NULL) {
        return error;
    }
    if (rest == NULL) {
        g_prefix_error(&error, "%s", where);
        return error;
    }
    complete = g_error_new(error->domain, error->code, "%.*s%s%s",
                           sim_i32(rest + 2 - error->message), error->message, where,
                           rest + 2);
    g_error_free(error);
    return complete;
}

KernelStatus kernel_state_resume(KernelState *self, KernelRun *run)
{
    int argument_count = run->is_begun ? 0 : 1;
    SimTime now = sim_region_now(run->region);
    int result_count = 0;
    GError *error = NULL;
    WlSandboxStatus status;

    if (now > self->progress) {
        self->progress = now;
        sandbox_progress(self->sandbox);
    }
    run->is_begun = true;
    run->is_waiting = false;
    run->made = 0;
    sandbox_set_subject(self->sandbox, run);
    status = sandbox_resume(run->thread, argument_count, &result_count, &error);
    sandbox_set_subject(self->sandbox, NULL);
    if (status != SANDBOX_FAILED) {
        lua_pop(run->thread, result_count);
    }
    if (status == SANDBOX_YIELDED && run->is_waiting) {
        return KERNEL_YIELDED;
    }
    if (status == SANDBOX_DONE) {
        return KERNEL_ENDED;
    }
    if (error == NULL) {
        error = g_error_new(WL_ERROR, WL_ERROR_RUNTIME,
                            "%s: coroutine.yield outside a coroutine of its own",
                            sandbox_path(self->sandbox));
    }
    sim_region_fail(run->region, say_where(run, error));
    return KERNEL_FAILED;
}

void kernel_state_fail_at_end(const KernelRun *run, GError *error)
{
    g_autofree char *where = where_of(run);

    g_prefix_error(&error, "%s: %s", run->last_line, where);
    sim_region_fail(run->region, error);
}
