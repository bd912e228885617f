/* The fabric API: messages to other chips, over the ports of this one. */
#include "workloads/error.h"
#include "workloads/tensix/kernel_api.h"
#include "workloads/tensix/kernel_run.h"
#include "workloads/tensix/noc_address.h"

static int
send_message(lua_State *L, const ArchMoverMessage *what, lua_CFunction function)
{
    const KernelRun *run = kernel_run_of(L);
    GError *error = NULL;
    ArchMoverResult result = arch_mover_send(run->mover, what, &error);

    return mover_settle(L, result, error, function);
}

static uint32_t check_amount(lua_State *L, int index, const char *what)
{
    uint32_t amount = mover_check_local(L, index);

    luaL_argcheck(L, amount > 0, index, what);
    return amount;
}

static ArchMoverMessage message_to(const FabricAddress *to)
{
    return (ArchMoverMessage){
        .chip = to->chip, .x = to->x, .y = to->y, .address = to->offset};
}

/* fabric_async_write(local, fabric_address, bytes) */
static int fabric_async_write(lua_State *L)
{
    const FabricAddress to = fabric_address_check(L, 2);
    ArchMoverMessage what = message_to(&to);

    what.local = mover_check_local(L, 1);
    what.bytes = check_amount(L, 3, "0 bytes, at least 1 is needed");
    what.name = "fabric_async_write";
    return send_message(L, &what, fabric_async_write);
}

/* fabric_semaphore_inc(fabric_address, increment) */
static int fabric_semaphore_inc(lua_State *L)
{
    const FabricAddress to = fabric_address_check(L, 1);
    ArchMoverMessage what = message_to(&to);

    what.semaphore = to.offset;
    what.increment = check_amount(L, 2, "an increment is at least 1");
    what.name = "fabric_semaphore_inc";
    return send_message(L, &what, fabric_semaphore_inc);
}

/* Raises unless both are on one core: nothing orders messages to two of them. */
static void
check_same_core(lua_State *L, const FabricAddress *data, const FabricAddress *semaphore)
{
    if (data->chip != semaphore->chip || data->x != semaphore->x ||
        data->y != semaphore->y) {
        GError *error = g_error_new(
            WL_ERROR, WL_ERROR_RUNTIME,
            "the data goes to chip %u core[%u,%u], the semaphore is on chip %u "
            "core[%u,%u], both must be on one core",
            data->chip, data->x, data->y, semaphore->chip, semaphore->x, semaphore->y);

        kernel_run_fail(L, kernel_run_of(L), error);
    }
}

/* fabric_async_write_semaphore_inc(local, fabric_address, bytes, semaphore_address,
 * increment) */
static int fabric_async_write_semaphore_inc(lua_State *L)
{
    const FabricAddress to = fabric_address_check(L, 2);
    const FabricAddress semaphore = fabric_address_check(L, 4);
    ArchMoverMessage what = message_to(&to);

    check_same_core(L, &to, &semaphore);
    what.local = mover_check_local(L, 1);
    what.bytes = check_amount(L, 3, "0 bytes, at least 1 is needed");
    what.semaphore = semaphore.offset;
    what.increment = check_amount(L, 5, "an increment is at least 1");
    what.name = "fabric_async_write_semaphore_inc";
    return send_message(L, &what, fabric_async_write_semaphore_inc);
}

/* fabric_write_barrier(): until all its messages have left. */
static int fabric_write_barrier(lua_State *L)
{
    const KernelRun *run = kernel_run_of(L);
    GError *error = NULL;
    ArchMoverResult result =
        arch_mover_barrier(run->mover, ARCH_BARRIER_FABRIC, &error);

    return mover_settle(L, result, error, fabric_write_barrier);
}

const ApiCall fabric_api[] = {
    {"get_fabric_addr", fabric_address_of_core,
     "(chip: integer, x: integer, y: integer, address: integer): gl.NocAddress"},
    {"fabric_async_write", fabric_async_write,
     "(from: integer, to: gl.NocAddress, bytes: integer)"},
    {"fabric_semaphore_inc", fabric_semaphore_inc, "(at: gl.NocAddress, n: integer)"},
    {"fabric_async_write_semaphore_inc", fabric_async_write_semaphore_inc,
     "(from: integer, to: gl.NocAddress, bytes: integer, semaphore_at: gl.NocAddress, "
     "n: integer)"},
    {"fabric_write_barrier", fabric_write_barrier, "()"},
    {0},
};
