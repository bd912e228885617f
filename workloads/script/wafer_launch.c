/* Launches of wafers. */
#include "workloads/script/wafer_launch.h"

#include <math.h>

#include "arch/error.h"
#include "arch/wse_watch.h"
#include "workloads/script/host_transfer.h"
#include "workloads/script/wafer.h"
#include "workloads/script/wafer_use.h"

/* The whole of a launch of which the first iterations were simulated: the others take
 * as long as the last half of those did, in the mean. */
static WaferWhole extrapolate(lua_State *L, Wafer *self, const ArchWse *wse)
{
    const guint half = WAFER_EXTRAPOLATED_FROM / 2;
    WaferWhole whole = {1, 1};

    if (self->run_iterations == self->iterations) {
        return whole;
    }
    GArray *ends = arch_wse_iterations(wse);
    bool is_complete = ends->len == WAFER_EXTRAPOLATED_FROM;
    const ArchWseIteration *all = (const ArchWseIteration *) (const void *) ends->data;
    uint64_t span =
        is_complete ? all[ends->len - 1].last - all[ends->len - 1 - half].last : 0;

    g_array_unref(ends);
    if (!is_complete) {
        luaL_error(L,
                   "extrapolate=on: the program is to call pe:iteration_done() at the "
                   "end of each iteration");
    }
    double cycles = (double) self->cycles;
    double rest = (double) (self->iterations - self->run_iterations);

    whole.iterations = (double) self->iterations / self->run_iterations;
    whole.cycles = (cycles + rest * (double) span / half) / cycles;
    self->cycles = (uint64_t) llround(cycles * whole.cycles);
    return whole;
}

/* What the host and the wafer take until the PEs can begin. */
static void prepare(lua_State *L, Session *session, Wafer *self)
{
    double seconds = arch_chip_launch_seconds(session->machine->chip);

    sim_system_sleep(session->machine->system, seconds);
    session->outcome->launch_seconds += seconds;
    host_go_on(L, session);
    self->is_prepared = true;
}

int wafer_prepare(lua_State *L)
{
    Session *session = session_check_on_host(L, "wafer:prepare");
    Wafer *self = wafer_check(L, session);

    if (self->is_prepared) {
        return luaL_error(L, "wafer:prepare(): it is prepared already, launch it");
    }
    prepare(L, session, self);
    return 0;
}

int wafer_launch(lua_State *L)
{
    Session *session = session_check_on_host(L, "wafer:launch");
    Wafer *self = wafer_check(L, session);
    const WlMachine *machine = session->machine;
    ArchWse *wse = wafer_wse(session);
    GError *error = NULL;

    if (!self->is_prepared) {
        prepare(L, session, self);
    }
    self->is_prepared = false;
    SessionInstant start = session_begin_launch(session);

    arch_wse_start(wse);
    const bool is_done = session_run_chip(session, &error);

    arch_wse_finish_watch(wse);
    if (!is_done) {
        return session_fail(L, session, error);
    }
    self->is_launched = true;
    self->cycles = arch_wse_profile(wse).cycles;
    wafer_use_add(session, wse, extrapolate(L, self, wse));
    double now = sim_system_now(machine->system);
    double end =
        start.seconds + (double) self->cycles / arch_chip_clock_hz(machine->chip);

    if (end > now) {
        sim_system_sleep(machine->system, end - now);
        session->outcome->device_seconds += end - now;
    }
    host_go_on(L, session);
    lua_pushinteger(L, (lua_Integer) self->cycles);
    return 1;
}
