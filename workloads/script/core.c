/* The core API: each blocking call sleeps or queues, yields, and goes on when resumed.
 */
#include "workloads/script/core.h"

#include <lauxlib.h>

#include "workloads/script/bytes.h"

/* Bytes on their way between host memory and DRAM. */
typedef struct {
    Kernel *kernel;
    HostBytes *bytes;
    uint64_t offset;
    uint64_t address;
    uint64_t count;
    ArchPcieDirection direction;
} Carriage;

static Kernel *kernel_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

/* Gives control back to the engine; `proceed` is called when it is resumed. */
static int
wait_here(lua_State *L, Kernel *kernel, const char *stall, lua_KFunction proceed)
{
    kernel->is_waiting = true;
    kernel->stall = stall;
    kernel->since = sim_region_now(sim_process_region(kernel->process));
    return lua_yieldk(L, 0, (lua_KContext) kernel, proceed);
}

/* Only the kernel itself can wait: a coroutine inside it would hand its wait to the
 * kernel, not to the engine. */
static Kernel *check_waitable(lua_State *L, const char *what)
{
    Kernel *kernel = kernel_of(L);

    sandbox_may_yield(L, what);
    if (L != kernel->thread) {
        luaL_error(L, "%s: cannot wait inside a coroutine of the script's own", what);
    }
    return kernel;
}

static int proceed_with_nothing(lua_State *L, int status, lua_KContext context)
{
    (void) L;
    (void) status;
    (void) context;
    return 0;
}

/* core.delay(cycles) */
static int core_delay(lua_State *L)
{
    Kernel *kernel = check_waitable(L, "core.delay");
    lua_Integer cycles = luaL_checkinteger(L, 1);

    luaL_argcheck(L, cycles >= 0, 1, "cycles are not negative");
    sim_process_sleep(kernel->process, (SimTime) cycles);
    return wait_here(L, kernel, NULL, proceed_with_nothing);
}

/* core.now(): the chip's cycle. */
static int core_now(lua_State *L)
{
    const Kernel *kernel = kernel_of(L);

    lua_pushinteger(L,
                    (lua_Integer) sim_region_now(sim_process_region(kernel->process)));
    return 1;
}

static void carriage_free(gpointer data)
{
    Carriage *self = data;

    host_bytes_unref(self->bytes);
    g_free(self);
}

static bool move_bytes(const Carriage *self, GError **error)
{
    ArchDram *dram = arch_chip_dram(self->kernel->session->machine->chip);
    guint8 *data = self->bytes->data + self->offset;

    return self->direction == ARCH_PCIE_READ
               ? arch_dram_write(dram, self->address, data, self->count, error)
               : arch_dram_read(dram, self->address, data, self->count, error);
}

static void arrive(gpointer data)
{
    Carriage *self = data;
    Kernel *kernel = self->kernel;
    GError *error = NULL;

    if (self->bytes->data != NULL && !move_bytes(self, &error)) {
        sim_region_fail(sim_process_region(kernel->process), error);
    }
    sim_semaphore_give(kernel->arrivals, 1);
    g_hash_table_remove(kernel->carriages, self);
}

static int proceed_with_issue(lua_State *L, int status, lua_KContext context)
{
    Kernel *kernel = (Kernel *) context;
    ArchPcie *pcie = arch_chip_pcie(kernel->session->machine->chip);

    (void) status;
    if (!arch_pcie_issue(pcie, &kernel->command, kernel->process)) {
        return wait_here(L, kernel, "pcie_queue", proceed_with_issue);
    }
    kernel->outstanding++;
    return 0;
}

static uint64_t check_count(lua_State *L, int index)
{
    lua_Integer value = luaL_checkinteger(L, index);

    luaL_argcheck(L, value >= 0, index, "not negative");
    return (uint64_t) value;
}

/* Arguments: buffer, offset in it, DRAM address, bytes. */
static int issue(lua_State *L, const char *what, ArchPcieDirection direction)
{
    Kernel *kernel = check_waitable(L, what);
    ArchPcie *pcie = arch_chip_pcie(kernel->session->machine->chip);
    HostBytes *bytes = host_bytes_check(L, 1);
    uint64_t offset = check_count(L, 2);
    uint64_t address = check_count(L, 3);
    uint64_t count = check_count(L, 4);
    Carriage *carriage;

    luaL_argcheck(L, count >= 1, 4, "at least one byte");
    luaL_argcheck(L, offset <= bytes->count && count <= bytes->count - offset, 4,
                  "outside the buffer");
    carriage = g_new(Carriage, 1);
    *carriage = (Carriage){.kernel = kernel,
                           .bytes = host_bytes_ref(bytes),
                           .offset = offset,
                           .address = address,
                           .count = count,
                           .direction = direction};
    g_hash_table_add(kernel->carriages, carriage);
    kernel->command = (ArchPcieCommand){
        .direction = direction, .bytes = count, .done = arrive, .data = carriage};
    sim_process_sleep(kernel->process, arch_pcie_issue_cycles(pcie, direction));
    return wait_here(L, kernel, NULL, proceed_with_issue);
}

static int core_pcie_read(lua_State *L)
{
    return issue(L, "core.pcie_read", ARCH_PCIE_READ);
}

static int core_pcie_write(lua_State *L)
{
    return issue(L, "core.pcie_write", ARCH_PCIE_WRITE);
}

static int proceed_with_barrier(lua_State *L, int status, lua_KContext context)
{
    Kernel *kernel = (Kernel *) context;

    (void) status;
    if (!sim_semaphore_take(kernel->arrivals, kernel->outstanding, kernel->process)) {
        return wait_here(L, kernel, "pcie_barrier", proceed_with_barrier);
    }
    kernel->outstanding = 0;
    return 0;
}

/* core.pcie_barrier(): until all its commands have arrived. */
static int core_pcie_barrier(lua_State *L)
{
    Kernel *kernel = check_waitable(L, "core.pcie_barrier");

    return proceed_with_barrier(L, LUA_OK, (lua_KContext) kernel);
}

void core_push(lua_State *L, Kernel *kernel)
{
    static const luaL_Reg always[] = {
        {"delay", core_delay}, {"now", core_now}, {NULL, NULL}};
    static const luaL_Reg with_pcie[] = {{"pcie_read", core_pcie_read},
                                         {"pcie_write", core_pcie_write},
                                         {"pcie_barrier", core_pcie_barrier},
                                         {NULL, NULL}};
    g_autofree char *arrivals = g_strdup_printf("pcie arrivals of %s", kernel->name);

    kernel->arrivals = sim_semaphore_new(arrivals, 0);
    kernel->carriages =
        g_hash_table_new_full(g_direct_hash, g_direct_equal, carriage_free, NULL);
    lua_newtable(L);
    lua_pushlightuserdata(L, kernel);
    luaL_setfuncs(L, always, 1);
    if (arch_chip_pcie(kernel->session->machine->chip) != NULL) {
        lua_pushlightuserdata(L, kernel);
        luaL_setfuncs(L, with_pcie, 1);
    }
}

void core_release(Kernel *kernel)
{
    sim_semaphore_free(kernel->arrivals);
    g_clear_pointer(&kernel->carriages, g_hash_table_unref);
}
