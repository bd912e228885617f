/* Launches programs on wafers. */
#include <math.h>

#include "arch/wse_profile.h"
#include "sim/narrow.h"
#include "workloads/host/transfer.h"
#include "workloads/wafer/stream.h"

/* The whole of a launch of which the first iterations were simulated: the others take
 * as long as the last half of those did, in the mean. */
static WaferWhole
extrapolate(lua_State *L, Wafer *self, const ArchWse *wse, SimTime begin)
{
    const guint half = WAFER_EXTRAPOLATED_FROM / 2;
    WaferWhole whole = {1, 1, 0, begin};

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

/* Pays the time of host and wafer until the PEs can begin. */
static void prepare(lua_State *L, Wafer *self)
{
    Session *session = self->session;
    double seconds = arch_chip_launch_seconds(session->chip);

    host_pass(L, session, HOST_LAUNCH, seconds);
    self->is_prepared = true;
}

int wafer_prepare(lua_State *L)
{
    Wafer *self = wafer_check(L, "wafer:prepare");

    if (self->is_prepared) {
        return luaL_error(L, "wafer:prepare(): it is prepared already, launch it");
    }
    prepare(L, self);
    return 0;
}

/* Sets the initial values of variables from the table of names and integers at index 2,
 * if any. */
static void set_variables(lua_State *L, ArchWse *wse)
{
    if (lua_isnoneornil(L, 2)) {
        return;
    }
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, 2) != 0) {
        int is_integer = 0;
        const lua_Integer value = lua_tointegerx(L, -1, &is_integer);
        GError *error = NULL;

        if (lua_type(L, -2) != LUA_TSTRING) {
            luaL_error(L, "wafer:launch: expected { variable = integer, ... }");
        }
        if (is_integer == 0 || value < INT32_MIN || value > INT32_MAX) {
            luaL_error(L, "%s: expected an integer of 32 bits", lua_tostring(L, -2));
        }
        if (!arch_wse_set_variable(wse, lua_tostring(L, -2), sim_i32(value), &error)) {
            sandbox_raise(L, error);
        }
        lua_pop(L, 1);
    }
}

void wafer_print_lines(const Session *session, ArchWse *wse)
{
    g_autoptr(GArray) prints = arch_wse_take_prints(wse);

    for (guint i = 0; i < prints->len; i++) {
        const ArchWsePrint *print = &g_array_index(prints, ArchWsePrint, i);
        g_autofree char *text = arch_wse_print_text(print);
        g_autofree char *line = g_strdup_printf("pe[%u,%u] @ %" G_GUINT64_FORMAT ": %s",
                                                print->x, print->y, print->when, text);

        session_print(session, line);
    }
}

void wafer_print_loss(const Session *session, const ArchWse *wse)
{
    g_autofree char *loss = arch_wse_loss(wse);

    if (loss != NULL) {
        g_autofree char *line = g_strconcat("warning: ", loss, NULL);

        session_print(session, line);
    }
}

int wafer_launch(lua_State *L)
{
    Wafer *self = wafer_check(L, "wafer:launch");
    Session *session = self->session;
    ArchWse *wse = wafer_wse(session);
    GError *error = NULL;

    set_variables(L, wse);
    if (!self->is_prepared) {
        prepare(L, self);
    }
    self->is_prepared = false;
    SessionInstant start = session_begin_launch(session);

    arch_wse_start(wse);
    const bool is_done = wafer_streams_begin(self, &error) &&
                         session_run_chip(session, &error) &&
                         wafer_streams_take(self, &error);

    wafer_streams_clear(self);
    arch_wse_finish_watch(wse);
    wafer_print_lines(session, wse);
    wafer_print_loss(session, wse);
    if (!is_done) {
        return session_fail(L, session, error);
    }
    self->is_launched = true;
    self->cycles = arch_wse_profile(wse).cycles;
    wafer_use_add(session, wse, extrapolate(L, self, wse, start.cycle));
    double now = sim_system_now(session->machine->system);
    double end =
        start.seconds + (double) self->cycles / arch_chip_clock_hz(session->chip);

    if (end > now) {
        host_pass(L, session, HOST_DEVICE, end - now);
    } else {
        host_go_on(L, session);
    }
    lua_pushinteger(L, (lua_Integer) self->cycles);
    return 1;
}
