/* Ends the calls of movers: done, failed, or to be repeated. */
#include "workloads/tensix/mover_call.h"

#include <string.h>

static int again(lua_State *L, int status, lua_KContext context)
{
    lua_CFunction function;

    (void) status;
    memcpy(&function, &context, sizeof function);
    return function(L);
}

int mover_settle(lua_State *L,
                 ArchMoverResult result,
                 GError *error,
                 lua_CFunction function)
{
    KernelRun *run = kernel_run_of(L);

    switch (result) {
    case ARCH_MOVER_DONE:
        return 0;
    case ARCH_MOVER_FAILED:
        return kernel_run_fail(L, run, error);
    case ARCH_MOVER_AGAIN:
        break;
    }
    sandbox_may_yield(L, "a kernel");
    run->is_waiting = true;
    return lua_yieldk(L, 0, (lua_KContext) function, again);
}
