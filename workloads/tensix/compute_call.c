/* Checks and queues the calls of compute kernels. */
#include "workloads/tensix/compute_call.h"

static int go_on(lua_State *L, int status, lua_KContext context)
{
    (void) L;
    (void) status;
    (void) context;
    return 0;
}

void compute_call(lua_State *L, KernelRun *run, const ArchComputeCall *what)
{
    GError *error = NULL;

    run->made++;
    if (G_UNLIKELY(!arch_compute_call(run->core, what, &error))) {
        kernel_run_fail(L, run, error);
    }
}

/* Where the kernel cannot yield it goes on: more calls pile up, that is all. */
int compute_pause(lua_State *L, KernelRun *run)
{
    if (L != run->thread || lua_isyieldable(L) == 0) {
        return 0;
    }
    run->is_waiting = true;
    return lua_yieldk(L, 0, 0, go_on);
}
