/* The mover API: loops over numbers that lie anywhere in the own L1. */
#include <string.h>

#include "arch/memory/gather.h"
#include "workloads/tensix/kernel_api.h"
#include "workloads/tensix/kernel_run.h"

static ArchGather check_gather(lua_State *L)
{
    return (ArchGather){.from = mover_check_local(L, 2),
                        .offsets = mover_check_local(L, 3),
                        .count = kernel_argument(L, 4, ARCH_GATHER_MOST),
                        .bytes = kernel_argument(L, 5, sizeof(uint32_t))};
}

/* gather_numbers(to, from, offsets, count, bytes) */
static int gather_numbers(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);
    const ArchGather what = check_gather(L);
    GError *error = NULL;
    ArchMoverResult result =
        arch_mover_gather(run->mover, &what, mover_check_local(L, 1), &error);

    return mover_settle(L, result, error, gather_numbers);
}

/* gather_dot(values, from, offsets, count, bytes [, sum]): the bits of the sum. */
static int gather_dot(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);
    const ArchGather what = check_gather(L);
    GError *error = NULL;
    uint32_t bits = lua_isnoneornil(L, 6) ? 0 : mover_check_local(L, 6);
    float sum = 0;

    memcpy(&sum, &bits, sizeof sum);
    ArchMoverResult result =
        arch_mover_gather_dot(run->mover, &what, mover_check_local(L, 1), &sum, &error);

    if (result != ARCH_MOVER_DONE) {
        return mover_settle(L, result, error, gather_dot);
    }
    memcpy(&bits, &sum, sizeof bits);
    lua_pushinteger(L, bits);
    return 1;
}

const ApiCall gather_api[] = {
    {"gather_numbers", gather_numbers,
     "(to: integer, from: integer, offsets: integer, count: integer, bytes: integer)"},
    {"gather_dot", gather_dot,
     "(values: integer, from: integer, offsets: integer, count: integer, bytes: "
     "integer, sum?: integer): integer"},
    {0},
};
