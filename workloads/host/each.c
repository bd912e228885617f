/* Host threads: actors of the system, each with a coroutine of the script's state. Only
 * one runs at a time, and another one takes over only where simulated time passes. */
#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/error.h"
#include "workloads/host/exchange.h"
#include "workloads/host/host.h"
#include "workloads/host/transfer.h"

typedef struct {
    SessionRun *run;
    WlSandbox *sandbox;
    lua_State *thread; /* its function and its argument on its stack */
    SimProgram *program;
    double waited[HOST_WAITS];
    double end; /* when it returned */
} HostThread;

static void run_thread(SimSystem *system, gpointer data)
{
    HostThread *self = data;
    int result_count = 0;
    GError *error = NULL;

    self->run->waited = self->waited;
    sandbox_progress(self->sandbox);
    switch (sandbox_resume(self->thread, 1, &result_count, &error)) {
    case SANDBOX_YIELDED:
        error = g_error_new(WL_ERROR, WL_ERROR_RUNTIME,
                            "host.each: coroutine.yield outside a coroutine of its "
                            "own");
        break;
    case SANDBOX_DONE:
    case SANDBOX_FAILED:
        break;
    }
    if (error != NULL) {
        session_stop(self->run, error);
    }
    self->end = sim_system_now(system);
    /* The last one hands over to the thread that waits for all of them. */
    if (--self->run->each_threads > 0) {
        self->run->active_threads--;
        exchange_check(self->run->exchange);
    }
}

void host_each_keep(lua_State *L, SessionRun *run)
{
    lua_rawsetp(L, LUA_REGISTRYINDEX, run->sessions);
}

void host_each_check_outside(lua_State *L, const Session *session, const char *what)
{
    if (session->run->is_in_each) {
        luaL_error(L, "%s: not inside host.each", what);
    }
}

/* The coroutines stay on the stack of L, which keeps them alive. */
static void push_threads(lua_State *L, HostThread *threads, const Session *session)
{
    SessionRun *run = session->run;
    const int devices = lua_gettop(L) + 1;

    luaL_checkstack(L, sim_i32(run->session_count) + 3, "host.each");
    lua_rawgetp(L, LUA_REGISTRYINDEX, run->sessions);
    for (guint i = 0; i < run->session_count; i++) {
        threads[i] = (HostThread){
            .run = run,
            .sandbox = session->sandbox,
            .thread = lua_newthread(L),
        };
        lua_pushvalue(L, 1);
        lua_rawgeti(L, devices, (lua_Integer) i + 1);
        lua_xmove(L, threads[i].thread, 2);
    }
}

/* The time of all of them is that of the one that returned last. */
static void book(double *waited, const HostThread *threads, guint count)
{
    const HostThread *last = &threads[0];

    for (guint i = 1; i < count; i++) {
        last = threads[i].end > last->end ? &threads[i] : last;
    }
    for (guint wait = 0; wait < HOST_WAITS; wait++) {
        waited[wait] += last->waited[wait];
    }
}

int host_each(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.each");
    SessionRun *run = session->run;
    const WlMachine *machine = session->machine;

    host_each_check_outside(L, session, "host.each");
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    /* Freed by the collector, also where an error passes. */
    HostThread *threads = lua_newuserdatauv(L, run->session_count * sizeof *threads, 0);

    push_threads(L, threads, session);
    HostPause pause = host_pause(session);

    run->is_in_each = true;
    run->each_threads = run->session_count;
    run->active_threads += run->session_count - 1;
    for (guint i = 0; i < run->session_count; i++) {
        g_autofree char *name = g_strdup_printf("host%u", i);

        threads[i].program = sim_system_start(machine->system, machine->host, name,
                                              run_thread, &threads[i]);
    }
    for (guint i = 0; i < run->session_count; i++) {
        sim_system_join(machine->system, threads[i].program);
    }
    run->is_in_each = false;
    host_resume(session, pause);
    book(run->waited, threads, run->session_count);
    host_go_on(L, session);
    return 0;
}
