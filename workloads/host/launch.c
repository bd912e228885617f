/* Kernels: coroutines behind the engine's processes. */
#include "workloads/host/launch.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "sim/process.h"
#include "workloads/error.h"
#include "workloads/host/core.h"
#include "workloads/host/family.h"

struct Launch {
    Session *session;
    GPtrArray *kernels; /* of Kernel */
    double start_seconds;
    SimTime start;
    SimTime end;
    double mean_end;  /* over cores; 0: it has none */
    SimTime progress; /* when simulated time last moved on */
    const HostProgram *kind;
    gpointer program; /* of that kind, or NULL */
};

static void kernel_free(gpointer data)
{
    Kernel *self = data;
    lua_State *L = sandbox_state(self->session->sandbox);

    /* Lets the collector have the coroutine; assigning nil to a key that exists
     * cannot raise. */
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, self);
    core_release(self);
    sim_process_free(self->process);
    g_free(self->name);
    g_free(self);
}

/* A limit on steps is a limit on steps without progress in time. */
static void note_progress(const Kernel *self, SimTime now)
{
    if (now > self->launch->progress) {
        self->launch->progress = now;
        sandbox_progress(self->launch->session->sandbox);
    }
}

static SimProcessStatus resume(SimProcess *process, gpointer data)
{
    Kernel *self = data;
    SimRegion *region = sim_process_region(process);
    SimTime now = sim_region_now(region);
    int argument_count = self->is_begun ? 0 : 1;
    int result_count = 0;
    GError *error = NULL;

    if (self->stall != NULL) {
        session_add_stall(self->launch->session, self->stall, now - self->since);
        self->stall = NULL;
    }
    note_progress(self, now);
    self->is_begun = true;
    self->is_waiting = false;
    switch (sandbox_resume(self->thread, argument_count, &result_count, &error)) {
    case SANDBOX_YIELDED:
        lua_pop(self->thread, result_count);
        if (self->is_waiting) {
            return SIM_PROCESS_BLOCKED;
        }
        sim_region_fail(region,
                        g_error_new(WL_ERROR, WL_ERROR_RUNTIME,
                                    "kernel %s: coroutine.yield outside a coroutine of "
                                    "its own; wait with core.delay(cycles)",
                                    self->name));
        return SIM_PROCESS_FINISHED;
    case SANDBOX_FAILED:
        g_prefix_error(&error, "kernel %s: ", self->name);
        sim_region_fail(region, error);
        return SIM_PROCESS_FINISHED;
    case SANDBOX_DONE:
        break;
    }
    lua_pop(self->thread, result_count);
    self->launch->end = MAX(self->launch->end, now);
    return SIM_PROCESS_FINISHED;
}

/* The kernel table is on top of the stack. */
static void add_kernel(lua_State *L, Launch *self, guint index)
{
    Session *session = self->session;
    SimRegion *region = sim_engine_region(arch_chip_engine(session->chip), 0);
    Kernel *kernel = g_new0(Kernel, 1);

    kernel->launch = self;
    kernel->session = session;
    g_ptr_array_add(self->kernels, kernel);
    if (lua_getfield(L, -1, "name") != LUA_TSTRING) {
        luaL_error(L, "launch: kernel %d has no name", sim_i32(index) + 1);
    }
    kernel->name = g_strdup(lua_tostring(L, -1));
    lua_pop(L, 1);
    kernel->thread = lua_newthread(L);
    /* Kept alive by the registry, under its own address, until the run ends. */
    lua_rawsetp(L, LUA_REGISTRYINDEX, kernel);
    if (lua_getfield(L, -1, "kernel") != LUA_TFUNCTION) {
        luaL_error(L, "launch: kernel %s has no function `kernel`", kernel->name);
    }
    lua_xmove(L, kernel->thread, 1);
    core_push(kernel->thread, kernel);
    kernel->process = sim_process_new(region, sim_key(1 + index, 0), kernel->name,
                                      SIM_PROCESS_WORKER, resume, kernel);
}

static Launch *add_launch(Session *session)
{
    Launch *self = g_new0(Launch, 1);

    self->session = session;
    self->kernels = g_ptr_array_new_with_free_func(kernel_free);
    g_ptr_array_add(session->launches, self);
    return self;
}

/* Puts the program at `index` on the chip, or raises. */
static Launch *
new_program(lua_State *L, Session *session, const HostProgram *kind, int index)
{
    Launch *self = add_launch(session);
    GError *error = NULL;

    self->kind = kind;
    self->program = kind->make(session);
    if (!kind->load(self->program, L, index, &error)) {
        session_fail(L, session, error);
    }
    return self;
}

Launch *launch_of(Session *session, const HostProgram *kind, gpointer program)
{
    Launch *self = add_launch(session);

    self->kind = kind;
    self->program = program;
    return self;
}

Launch *launch_new(lua_State *L, Session *session, int index)
{
    const HostProgram *kind = session->run->family->program;
    Launch *self;
    lua_Unsigned count;

    if (kind != NULL && kind->is_one(L, session, index)) {
        return new_program(L, session, kind, index);
    }
    count = lua_istable(L, index) ? lua_rawlen(L, index) : 0;
    luaL_argcheck(L, count > 0 && count < UINT16_MAX, index,
                  "expected a program, or a list of { name = ..., kernel = "
                  "function(core) ... end }");
    self = add_launch(session);
    for (lua_Unsigned i = 1; i <= count; i++) {
        if (lua_rawgeti(L, index, (lua_Integer) i) != LUA_TTABLE) {
            luaL_error(L, "launch: element %d is no table", sim_i32(i));
        }
        add_kernel(L, self, sim_u32(i) - 1);
        lua_pop(L, 1);
    }
    return self;
}

static void free_program(Launch *self)
{
    if (self->program != NULL) {
        self->kind->free(g_steal_pointer(&self->program));
    }
}

void launch_free(Launch *self)
{
    g_ptr_array_unref(self->kernels);
    free_program(self);
    g_free(self);
}

static bool finish_program(Launch *self, bool is_done, GError **error)
{
    HostProgramEnd end = {0};

    self->kind->flush(self->program);
    if (!is_done) {
        return false;
    }
    is_done = self->kind->finish(self->program, &end, error);
    self->end = MAX(self->end, end.last);
    self->mean_end = end.mean;
    free_program(self);
    return is_done;
}

void launch_begin(Launch *self)
{
    SessionInstant start = session_begin_launch(self->session);

    self->start = start.cycle;
    self->start_seconds = start.seconds;
    self->end = self->start;
    self->progress = self->start;
    for (guint i = 0; i < self->kernels->len; i++) {
        Kernel *kernel = g_ptr_array_index(self->kernels, i);

        sim_process_start(kernel->process, 0);
    }
    if (self->program != NULL) {
        self->kind->start(self->program);
    }
}

/* Also where it was a part of a run that failed. */
static bool take_stock(Launch *self, bool is_done, GError **error)
{
    if (self->program != NULL) {
        is_done = finish_program(self, is_done, error);
    }
    if (is_done) {
        g_ptr_array_set_size(self->kernels, 0);
    }
    return is_done;
}

bool launch_finish(Launch *self, bool is_done, GError **error)
{
    self->session->device_cycles +=
        sim_engine_now(arch_chip_engine(self->session->chip)) - self->start;
    return take_stock(self, is_done, error);
}

bool launch_run(Launch *self, GError **error)
{
    launch_begin(self);
    return take_stock(self, session_run_chip(self->session, error), error);
}

bool launch_is_busy(const Launch *self)
{
    return self->program != NULL && self->kind->is_busy(self->program);
}

SimTime launch_progress(const Launch *self)
{
    return self->progress;
}

SimTime launch_cycles(const Launch *self)
{
    return self->end - self->start;
}

double launch_mean_cycles(const Launch *self)
{
    return self->mean_end > 0 ? self->mean_end - (double) self->start
                              : (double) launch_cycles(self);
}

double launch_end_seconds(const Launch *self)
{
    return self->start_seconds +
           (double) launch_cycles(self) / arch_chip_clock_hz(self->session->chip);
}
