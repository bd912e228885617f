/* How a call of a reader or writer kernel comes to its end. A call that must wait
 * yields; resumed, it is made again from its first line, with its arguments still on
 * the stack. */
#pragma once

#include <lauxlib.h>

#include "arch/tensix_mover.h"
#include "workloads/tensix/kernel_run.h"

/* What came of a call made by `function`; takes `error`. The last line of a Lua
 * function of the API. */
int mover_settle(lua_State *L,
                 ArchMoverResult result,
                 GError *error,
                 lua_CFunction function);

/* An address in L1, or a number of bytes. */
static inline uint32_t mover_check_local(lua_State *L, int index)
{
    return kernel_argument(L, index, G_MAXUINT32);
}
