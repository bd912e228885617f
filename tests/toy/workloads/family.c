/* The family of toys, as scripts know it: host.tick(n). */
#include "workloads/host/family.h"

#include "tests/toy/arch/counter.h"
#include "workloads/host/transfer.h"

/* What a session keeps of its toy. */
typedef struct {
    uint64_t ticks;
} State;

/* host.tick(n): lets the counter count, to the end; the cycles that it took. */
static int host_tick(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.tick");
    ToyCounter *counter = toy_counter_of(session->chip);
    const lua_Integer ticks = luaL_checkinteger(L, 1);
    GError *error = NULL;

    if (counter == NULL) {
        return luaL_error(L, "%s is no toy",
                          arch_params_name(arch_chip_params(session->chip)));
    }
    luaL_argcheck(L, ticks >= 0, 1, "not negative");
    host_pass(L, session, HOST_LAUNCH, arch_chip_launch_seconds(session->chip));
    const SessionInstant start = session_begin_launch(session);

    toy_counter_start(counter, (uint64_t) ticks);
    if (!session_run_chip(session, &error)) {
        return session_fail(L, session, error);
    }
    const SimTime cycles =
        sim_engine_now(arch_chip_engine(session->chip)) - start.cycle;

    ((State *) session->state)->ticks += (uint64_t) ticks;
    session->work.cycles += (double) cycles;
    session->work.core_cycles += (double) cycles;
    host_pass(L, session, HOST_DEVICE,
              (double) cycles / arch_chip_clock_hz(session->chip));
    lua_pushinteger(L, (lua_Integer) cycles);
    return 1;
}

static gpointer state_new(void)
{
    return g_new0(State, 1);
}

static double joules(const Session *session)
{
    return (double) ((const State *) session->state)->ticks;
}

/* A joule each. */
static void report(SessionRun *run)
{
    uint64_t ticks = 0;

    for (guint i = 0; i < run->session_count; i++) {
        ticks += ((const State *) run->sessions[i].state)->ticks;
    }
    json_object_set_int_member(run->sessions[0].outcome->metrics, "ticks",
                               (gint64) ticks);
}

static const ApiCall functions[] = {{"tick", host_tick, "(times: integer): integer"},
                                    {0}};

const HostFamily host_family_toy = {
    .name = "toy",
    .functions = functions,
    .state_new = state_new,
    .state_free = g_free,
    .joules = joules,
    .report = report,
};
