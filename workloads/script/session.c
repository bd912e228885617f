/* The session: time limits, progress and stalls of one run. */
#include "workloads/script/session.h"

#include <math.h>

#include <lauxlib.h>

#include "sim/error.h"

Session *session_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

void session_push_upvalue(lua_State *L, Session *self)
{
    lua_pushlightuserdata(L, self);
}

SimTime session_cycle(const Session *self)
{
    double cycles =
        sim_system_now(self->machine->system) * arch_chip_clock_hz(self->machine->chip);

    return cycles < (double) SESSION_LAST_CYCLE ? (SimTime) llround(cycles)
                                                : SESSION_LAST_CYCLE + 1;
}

SessionInstant session_begin_launch(Session *self)
{
    SimEngine *engine = arch_chip_engine(self->machine->chip);
    SimTime now = session_cycle(self);
    SessionInstant start = {.cycle = MAX(now, sim_engine_now(engine))};

    start.seconds =
        sim_system_now(self->machine->system) +
        (double) (start.cycle - now) / arch_chip_clock_hz(self->machine->chip);
    sim_engine_idle_until(engine, start.cycle);
    return start;
}

static bool monitor(gpointer data, SimTime now, uint64_t events)
{
    (void) now;
    (void) events;
    return session_report(data, NULL);
}

bool session_run_chip(Session *self, GError **error)
{
    SimEngine *engine = arch_chip_engine(self->machine->chip);
    SimTime start = sim_engine_now(engine);
    bool is_done;

    sim_engine_set_monitor(engine, monitor, self);
    self->is_on_device = true;
    is_done = sim_engine_run(engine, self->limit_cycles, error);
    self->is_on_device = false;
    sim_engine_set_monitor(engine, NULL, NULL);
    self->device_cycles += sim_engine_now(engine) - start;
    return is_done;
}

void session_print(const Session *self, const char *line)
{
    const WlSandboxConfig *config = sandbox_config(self->sandbox);

    if (config->print != NULL) {
        config->print(config->print_data, line);
    }
}

bool session_report(Session *self, GError **error)
{
    const WlMachine *machine = self->machine;
    SimTime now =
        MAX(session_cycle(self), sim_engine_now(arch_chip_engine(machine->chip)));
    WlProgress progress = {
        .seconds = (double) now / arch_chip_clock_hz(machine->chip),
        .events = sim_engine_events(arch_chip_engine(machine->chip)),
        .fraction = self->fraction,
    };

    if (now > self->limit_cycles) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_TIME_LIMIT,
                    "cycle limit of %" G_GUINT64_FORMAT
                    " reached: the host program is at cycle %" G_GUINT64_FORMAT,
                    self->limit_cycles, now);
        return false;
    }
    if (machine->progress != NULL &&
        !machine->progress(machine->progress_data, &progress)) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_STOPPED,
                    "stopped at cycle %" G_GUINT64_FORMAT, now);
        return false;
    }
    return true;
}

int session_fail(lua_State *L, Session *self, GError *error)
{
    if (self->stop == NULL) {
        self->stop = g_error_copy(error);
    }
    return sandbox_raise(L, error);
}

void session_add_stall(Session *self, const char *reason, SimTime cycles)
{
    uint64_t *total = g_hash_table_lookup(self->stalls, reason);

    if (total == NULL) {
        total = g_new0(uint64_t, 1);
        g_hash_table_insert(self->stalls, (gpointer) reason, total);
    }
    *total += cycles;
}

Session *session_check_on_host(lua_State *L, const char *what)
{
    Session *session = session_of(L);

    if (session->is_on_device) {
        luaL_error(L, "%s: not inside a kernel", what);
    }
    if (session->is_in_layout) {
        luaL_error(L, "%s: not inside a layout", what);
    }
    if (session->stop != NULL) {
        /* The script caught it. All steps at once: that cannot be caught. */
        sandbox_charge(L, G_MAXUINT64);
        sandbox_raise(L, g_error_copy(session->stop));
    }
    return session;
}
