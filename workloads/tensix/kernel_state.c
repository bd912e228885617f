/* Lua states of kernels: made like the script's own, and resumed run by run. */
#include "workloads/tensix/kernel_state.h"

#include <pthread.h>
#include <string.h>

#include <lauxlib.h>

#include "arch/border/fabric.h"
#include "arch/tensix_compute.h"
#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/host/plain.h"
#include "workloads/script/kernels.h"
#include "workloads/tensix/kernel_api.h"
#include "workloads/tensix/print.h"
#include "workloads/tensix/tape.h"

struct KernelState {
    WlSandbox *sandbox;
    WlSandboxConfig host; /* that of the script's own state */
    KernelLines *lines;   /* printed */
    /* Of a state that several regions use; of pthread, as the thread sanitizer does not
     * see GLib's. */
    pthread_mutex_t mutex;
    GPtrArray *tapes; /* each belongs to its readers */
    SimTime progress; /* when simulated time last moved on */
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
    KernelRun *run = self->sandbox != NULL ? sandbox_subject(self->sandbox) : NULL;

    if (run == NULL) {
        return; /* printed while the script is loaded, as its own state has done before
                 */
    }
    if (run->recorder != NULL) {
        tape_end_soon(run);
        return;
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
    self->tapes = g_ptr_array_new();
    (void) pthread_mutex_init(&self->mutex, NULL);
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
        g_ptr_array_unref(self->tapes);
        (void) pthread_mutex_destroy(&self->mutex);
        g_free(self);
    }
}

KernelLines *kernel_state_lines(const KernelState *self)
{
    return self->lines;
}

void kernel_state_lock(KernelState *self)
{
    (void) pthread_mutex_lock(&self->mutex);
}

void kernel_state_unlock(KernelState *self)
{
    (void) pthread_mutex_unlock(&self->mutex);
}

GPtrArray *kernel_state_tapes(const KernelState *self)
{
    return self->tapes;
}

lua_State *kernel_state_lua(const KernelState *self)
{
    return sandbox_state(self->sandbox);
}

typedef struct {
    KernelRun *run;
    Reads **reads; /* NULL: they are not noted */
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
    lua_getfield(L, -1, run->function);
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &info);
    g_free(run->last_line);
    run->last_line =
        g_strdup_printf("%s:%d", info.source[0] == '@' ? info.source + 1 : info.source,
                        info.lastlinedefined);
    plain_push(L, run->arguments);
    if (what->reads != NULL) {
        *what->reads = reads_watch(L, &run->recorder);
    }
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &run->value);
    lua_xmove(L, run->thread, 2);
    return 0;
}

bool kernel_state_begin(KernelState *self,
                        KernelRun *run,
                        Reads **reads,
                        GError **error)
{
    lua_State *L = sandbox_state(self->sandbox);
    Preparation what = {.run = run, .reads = reads};

    run->is_begun = false;
    run->is_value_wanted = false;
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
    g_autofree char *where = kernel_run_where(run);
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

KernelStatus kernel_state_try(KernelState *self, KernelRun *run, GError **error)
{
    int argument_count = run->is_begun ? 0 : 1;
    SimTime now = sim_region_now(run->region);
    int result_count = 0;
    WlSandboxStatus status;

    if (now > self->progress || run->taking.again > 0) {
        self->progress = now;
        sandbox_progress(self->sandbox);
    }
    run->is_begun = true;
    run->is_waiting = false;
    run->made = 0;
    sandbox_set_subject(self->sandbox, run);
    status = sandbox_resume(run->thread, argument_count, &result_count, error);
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
    if (status == SANDBOX_YIELDED) {
        g_set_error(error, WL_ERROR, WL_ERROR_RUNTIME,
                    "%s: coroutine.yield outside a coroutine of its own",
                    sandbox_path(self->sandbox));
    }
    return KERNEL_FAILED;
}

KernelStatus kernel_state_resume(KernelState *self, KernelRun *run)
{
    GError *error = NULL;
    const KernelStatus status = kernel_state_try(self, run, &error);

    if (status == KERNEL_FAILED) {
        sim_region_fail(run->region, say_where(run, error));
    }
    return status;
}

void kernel_state_fail_at_end(const KernelRun *run, GError *error)
{
    g_autofree char *where = kernel_run_where(run);

    g_prefix_error(&error, "%s: %s", run->last_line, where);
    sim_region_fail(run->region, error);
}
