/* Lets simulated time pass for the host program. */
#include "workloads/host/transfer.h"

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

    sim_system_sleep(session->machine->system, seconds);
    host_resume(session, pause);
    host_book(session, wait, seconds, 0);
    host_go_on(L, session);
}

int host_transfer(lua_State *L, Session *session, HostDirection to, uint64_t bytes)
{
    const WlMachine *machine = session->machine;
    double start = sim_system_now(machine->system);
    double seconds;

    HostPause pause = host_pause(session);

    sim_system_transfer(machine->system,
                        to == HOST_TO_CHIP ? machine->host : session->chip_host,
                        to == HOST_TO_CHIP ? session->chip_host : machine->host, bytes);
    host_resume(session, pause);
    seconds = sim_system_now(machine->system) - start;
    host_book(session, HOST_TRANSFER, seconds, bytes);
    host_go_on(L, session);
    lua_pushnumber(L, seconds);
    return 1;
}
