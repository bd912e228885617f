/* The session: time limits, progress and stalls of one run. */
#include "workloads/host/session.h"

#include <math.h>

#include <lauxlib.h>

#include "sim/error.h"
#include "workloads/error.h"
#include "workloads/host/dram_buffer.h"
#include "workloads/host/exchange.h"
#include "workloads/host/family.h"
#include "workloads/host/launch.h"
#include "workloads/host/livelock.h"

static void set_account(const Session *self, SimAccount *account)
{
    if (arch_chip_dram(self->chip) != NULL) {
        arch_dram_set_account(arch_chip_dram(self->chip), account);
    }
}

void session_init(Session *self,
                  SessionRun *run,
                  const WlMachine *machine,
                  WlSandbox *sandbox,
                  WlOutcome *outcome,
                  guint index)
{
    const bool is_alone = machine->chip_count == 1;

    *self = (Session){
        .run = run,
        .machine = machine,
        .sandbox = sandbox,
        .outcome = outcome,
        .index = index,
        .chip = machine->chips[index].chip,
        .chip_host = machine->chips[index].host,
        .launches = g_ptr_array_new_with_free_func((GDestroyNotify) launch_free),
        .dram_buffers =
            g_ptr_array_new_with_free_func((GDestroyNotify) dram_buffer_free),
        .state = run->family->state_new != NULL ? run->family->state_new() : NULL,
        .zones = is_alone ? json_object_ref(outcome->zones) : json_object_new(),
        .limit_cycles = MIN(machine->limit_cycles, SESSION_LAST_CYCLE),
    };
    sim_engine_set_checking(arch_chip_engine(self->chip), machine->is_self_checked);
    livelock_watch(self);
    set_account(self, sandbox_memory(sandbox));
}

void session_clear(Session *self)
{
    set_account(self, NULL);
    sim_engine_set_pulse(arch_chip_engine(self->chip), 0, NULL, NULL);
    g_clear_pointer(&self->dram_buffers, g_ptr_array_unref);
    g_clear_pointer(&self->launches, g_ptr_array_unref);
    /* After the launches, which use it. */
    if (self->state != NULL) {
        self->run->family->state_free(g_steal_pointer(&self->state));
    }
    g_clear_pointer(&self->zones, json_object_unref);
    session_work_clear(&self->work);
}

Session *session_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

void session_push_upvalue(lua_State *L, Session *self)
{
    lua_pushlightuserdata(L, self);
}

SimTime session_cycle_at(const Session *self, double seconds)
{
    double cycles = seconds * arch_chip_clock_hz(self->chip);

    return cycles < (double) SESSION_LAST_CYCLE ? (SimTime) llround(cycles)
                                                : SESSION_LAST_CYCLE + 1;
}

SimTime session_cycle(const Session *self)
{
    return session_cycle_at(self, sim_system_now(self->machine->system));
}

SessionInstant session_begin_launch(Session *self)
{
    SimEngine *engine = arch_chip_engine(self->chip);
    SimTime now = session_cycle(self);
    SessionInstant start = {.cycle = MAX(now, sim_engine_now(engine))};

    start.seconds = sim_system_now(self->machine->system) +
                    (double) (start.cycle - now) / arch_chip_clock_hz(self->chip);
    sim_engine_idle_until(engine, start.cycle);
    return start;
}

static bool monitor(gpointer data, SimTime now, uint64_t events)
{
    (void) now;
    (void) events;
    return session_report(data, NULL);
}

static void begin_run(Session *self)
{
    sim_engine_set_monitor(arch_chip_engine(self->chip), monitor, self);
    self->run->inside = "kernel";
}

static void end_run(Session *self)
{
    self->run->inside = NULL;
    sim_engine_set_monitor(arch_chip_engine(self->chip), NULL, NULL);
}

bool session_run_chip(Session *self, GError **error)
{
    SimEngine *engine = arch_chip_engine(self->chip);
    SimTime start = sim_engine_now(engine);
    GError *failure = NULL;
    bool is_done;

    begin_run(self);
    is_done = sim_engine_run(engine, self->limit_cycles, &failure);
    end_run(self);
    self->device_cycles += sim_engine_now(engine) - start;
    /* Kernels name their chip themselves. */
    if (failure != NULL && failure->domain == SIM_ERROR &&
        self->run->session_count > 1) {
        g_prefix_error(&failure, "chip %u: ", self->index);
    }
    if (failure != NULL) {
        g_propagate_error(error, failure);
    }
    return is_done;
}

bool session_run_window(Session *self, SimTime end, GError **error)
{
    bool is_done;

    begin_run(self);
    is_done = sim_engine_run_until(arch_chip_engine(self->chip), end,
                                   self->limit_cycles, error);
    end_run(self);
    return is_done;
}

void session_print(const Session *self, const char *line)
{
    const WlSandboxConfig *config = sandbox_config(self->sandbox);

    if (config->print != NULL) {
        config->print(config->print_data, line);
    }
}

static uint64_t count_events(const Session *self)
{
    uint64_t events = 0;

    for (guint i = 0; i < self->run->session_count; i++) {
        events += sim_engine_events(arch_chip_engine(self->run->sessions[i].chip));
    }
    return events;
}

bool session_report(Session *self, GError **error)
{
    const WlMachine *machine = self->machine;
    SimTime now =
        MAX(session_cycle(self), sim_engine_now(arch_chip_engine(self->chip)));
    WlProgress progress = {
        .cycles =
            MAX(session_cycle(self), sim_engine_slowest(arch_chip_engine(self->chip))),
        .seconds = (double) now / arch_chip_clock_hz(self->chip),
        .events = count_events(self),
        .fraction = self->run->fraction,
    };

    if (now > self->limit_cycles) {
        return sim_fail(error, SIM_ERROR, SIM_ERROR_TIME_LIMIT,
                        "cycle limit of %" G_GUINT64_FORMAT
                        " reached: the host program is at cycle %" G_GUINT64_FORMAT
                        " (--limit-cycles)",
                        self->limit_cycles, now);
    }
    if (sim_account_has_failed(sandbox_memory(self->sandbox))) {
        g_autofree char *why = sim_account_complaint(sandbox_memory(self->sandbox));

        return sim_fail(error, WL_ERROR, WL_ERROR_LIMIT, "%s (--limit-memory)", why);
    }
    if (machine->progress != NULL &&
        !machine->progress(machine->progress_data, &progress)) {
        return sim_fail(error, SIM_ERROR, SIM_ERROR_STOPPED,
                        "stopped at cycle %" G_GUINT64_FORMAT, now);
    }
    return true;
}

GError *session_first_failure(GError *raised, GError *stop)
{
    bool is_stop = raised != NULL && stop != NULL &&
                   g_error_matches(raised, stop->domain, stop->code);

    if (stop == NULL || is_stop) {
        g_clear_error(&stop);
        return raised; /* it names the script's line */
    }
    g_clear_error(&raised);
    return stop;
}

void session_stop(SessionRun *run, GError *error)
{
    if (run->is_stop_complete) {
        g_error_free(error);
        return;
    }
    run->stop = session_first_failure(error, run->stop);
    run->is_stop_complete = true;
    exchange_stop(run->exchange);
}

void session_halt(SessionRun *run, GError *error)
{
    if (run->stop == NULL) {
        run->stop = error;
    } else {
        g_error_free(error);
    }
    exchange_stop(run->exchange);
}

int session_fail(lua_State *L, Session *self, GError *error)
{
    if (self->run->stop == NULL) {
        self->run->stop = g_error_copy(error);
    }
    return sandbox_raise(L, error);
}

void session_add_stall(Session *self, const char *reason, SimTime cycles)
{
    uint64_t *total = g_hash_table_lookup(self->run->stalls, reason);

    if (total == NULL) {
        total = g_new0(uint64_t, 1);
        g_hash_table_insert(self->run->stalls, (gpointer) reason, total);
    }
    *total += cycles;
}

void session_check_host(lua_State *L, const Session *self, const char *what)
{
    const SessionRun *run = self->run;

    if (run->inside != NULL) {
        luaL_error(L, "%s: not inside a %s", what, run->inside);
    }
    if (run->stop != NULL) {
        /* The script caught it. All steps at once: that cannot be caught. */
        sandbox_charge(L, G_MAXUINT64);
        sandbox_raise(L, g_error_copy(run->stop));
    }
}

Session *session_check_on_host(lua_State *L, const char *what)
{
    Session *session = session_of(L);

    session_check_host(L, session, what);
    return session;
}
