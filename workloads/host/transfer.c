/* Lets simulated time pass for the host program. */
#include "workloads/host/transfer.h"

#include "workloads/host/livelock.h"

enum {
    POLL_BYTES = 64, /* a longer read is no poll */
};

HostPause host_pause(Session *session)
{
    return (HostPause){
        .sandbox = sandbox_pause(session->sandbox),
        .waited = session->run->waited,
    };
}

void host_resume(Session *session, HostPause pause)
{
    session->run->waited = pause.waited;
    sandbox_go_on(session->sandbox, pause.sandbox);
}

void host_go_on(lua_State *L, Session *session)
{
    GError *error = NULL;

    if (session->run->stop != NULL) {
        sandbox_raise(L, g_error_copy(session->run->stop)); /* by another thread */
    }
    if (!session_report(session, &error)) {
        session_fail(L, session, error);
    }
    sandbox_progress(session->sandbox);
}

void host_book(Session *session, HostWait wait, double seconds, uint64_t bytes)
{
    static const char *const names[HOST_WAITS] = {"host", "transfer", "launch",
                                                  "device"};
    const WlMachine *machine = session->machine;

    session->run->waited[wait] += seconds;
    if (machine->see != NULL) {
        const double now = sim_system_now(machine->system);

        machine->see(machine->see_data,
                     &(WlDeed){.thread = sim_system_program(machine->system),
                               .what = names[wait],
                               .chip = session->chip_host,
                               .begin = now - seconds,
                               .end = now,
                               .bytes = bytes});
    }
}

void host_pass(lua_State *L, Session *session, HostWait wait, double seconds)
{
    HostPause pause = host_pause(session);
    const bool is_sleep = wait == HOST_ITSELF;

    session->run->polling.moving += !is_sleep;
    sim_system_sleep(session->machine->system, seconds);
    session->run->polling.moving -= !is_sleep;
    host_resume(session, pause);
    host_book(session, wait, seconds, 0);
    host_go_on(L, session);
    if (is_sleep) {
        livelock_host_slept(L, session, seconds);
    } else {
        livelock_host_worked(session->run);
    }
}

/* Lets the time of a transfer pass and returns it. */
static double
pass_transfer(lua_State *L, Session *session, HostDirection to, uint64_t bytes)
{
    const WlMachine *machine = session->machine;
    double start = sim_system_now(machine->system);
    double seconds;

    HostPause pause = host_pause(session);

    session->run->polling.moving++;
    sim_system_transfer(machine->system,
                        to == HOST_TO_CHIP ? machine->host : session->chip_host,
                        to == HOST_TO_CHIP ? session->chip_host : machine->host, bytes);
    session->run->polling.moving--;
    host_resume(session, pause);
    seconds = sim_system_now(machine->system) - start;
    host_book(session, HOST_TRANSFER, seconds, bytes);
    host_go_on(L, session);
    return seconds;
}

int host_transfer(lua_State *L, Session *session, HostDirection to, uint64_t bytes)
{
    lua_pushnumber(L, pass_transfer(L, session, to, bytes));
    livelock_host_worked(session->run);
    return 1;
}

int host_read(
    lua_State *L, Session *session, const char *call, uint64_t place, uint64_t bytes)
{
    const double seconds = pass_transfer(L, session, CHIP_TO_HOST, bytes);

    if (bytes <= POLL_BYTES) {
        livelock_host_read(L, session, seconds, call, place);
    } else {
        livelock_host_worked(session->run);
    }
    lua_pushnumber(L, seconds);
    return 1;
}
