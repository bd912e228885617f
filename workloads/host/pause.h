/* How a host thread lets others run while simulated time passes for it. */
#pragma once

#include "workloads/host/session.h"

/* What it keeps meanwhile. */
typedef struct {
    SandboxPause sandbox;
    double *waited;
} HostPause;

/* Around everything that blocks its program. */
HostPause host_pause(Session *session);
void host_resume(Session *session, HostPause pause);
