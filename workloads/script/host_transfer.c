/* Time that passes for the host program. */
#include "workloads/script/host_transfer.h"

void host_go_on(lua_State *L, Session *session)
{
    GError *error = NULL;

    if (!session_report(session, &error)) {
        session_fail(L, session, error);
    }
    sandbox_progress(session->sandbox);
}

int host_transfer(lua_State *L, Session *session, HostDirection to, uint64_t bytes)
{
    const WlMachine *machine = session->machine;
    double start = sim_system_now(machine->system);
    double seconds;

    sim_system_transfer(machine->system,
                        to == HOST_TO_CHIP ? machine->host : machine->chip_host,
                        to == HOST_TO_CHIP ? machine->chip_host : machine->host, bytes);
    seconds = sim_system_now(machine->system) - start;
    session->outcome->transfer_seconds += seconds;
    host_go_on(L, session);
    lua_pushnumber(L, seconds);
    return 1;
}
