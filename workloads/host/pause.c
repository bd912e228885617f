/* A host thread's place in the sandbox, and where its waits are booked. */
#include "workloads/host/pause.h"

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
