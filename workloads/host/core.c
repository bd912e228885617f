/* The core API: each blocking call sleeps or queues, yields, and goes on when resumed.
 */
#include "workloads/host/core.h"

#include <lauxlib.h>

#include "workloads/buffer/bytes.h"

/* Bytes on their way between host memory and DRAM. */
typedef struct {
    Kernel *kernel;
    HostBytes *bytes;
    uint64_t offset;
    uint64_t address;
    uint64_t count;
    ArchPcieDirection direction;
} Carriage;

/* A script may keep the functions of a core for longer than its kernel runs. */
static Kernel *check_kernel(lua_State *L, const char *what)
{
    const gpointer *slot = lua_touserdata(L, lua_upvalueindex(1));

    if (*slot == NULL) {
        luaL_error(L, "%s: the kernel it was made for has ended", what);
    }
    return *slot;
}

/* Gives control back to the engine; `proceed` is called when it is resumed. */
static int
wait_here(lua_State *L, Kernel *kernel, const char *stall, lua_KFunction proceed)
{
    kernel->is_waiting = true;
    kernel->stall = stall;
    kernel->since = sim_region_now(sim_process_region(kernel->process));
    return lua_yieldk(L, 0, 0, proceed);
}

/* Only the kernel itself can wait: a coroutine inside it would hand its wait to the
 * kernel, another kernel to the wrong process. */
static Kernel *check_waitable(lua_State *L, const char *what)
{
    Kernel *kernel = check_kernel(L, what);

    sandbox_may_yield(L, what);
    if (L != kernel->thread) {
        luaL_error(L, "%s: belongs to kernel %s, only that one can wait with it", what,
                   kernel->name);
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
    const Kernel *kernel = check_kernel(L, "core.now");

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
    ArchDram *dram = arch_chip_dram(self->kernel->session->chip);

    return self->direction == ARCH_PCIE_READ
               ? arch_dram_write(dram, self->address, self->bytes->data + self->offset,
                                 self->count, error)
               : host_bytes_can_change(self->bytes, error) &&
                     arch_dram_read(dram, self->address,
                                    self->bytes->data + self->offset, self->count,
                                    error);
}

static void arrive(gpointer data)
{
    Carriage *self = data;
    Kernel *kernel = self->kernel;
    GError *error = NULL;

    if (self->bytes->data != NULL && !move_bytes(self, &error)) {
        g_prefix_error(&error, "kernel %s: ", kernel->name);
        sim_region_fail(sim_process_region(kernel->process), error);
    }
    sim_region_count(sim_process_region(kernel->process), kernel->dram_bytes,
                     self->count);
    sim_semaphore_give(kernel->arrivals, 1);
    g_hash_table_remove(kernel->carriages, self);
}

static int proceed_with_issue(lua_State *L, int status, lua_KContext context)
{
    Kernel *kernel = check_kernel(L, "core.pcie");
    ArchPcie *pcie = arch_chip_pcie(kernel->session->chip);

    (void) status;
    (void) context;
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
    ArchPcie *pcie = arch_chip_pcie(kernel->session->chip);
    HostBytes *bytes = direction == ARCH_PCIE_READ ? host_bytes_check(L, 1)
                                                   : host_bytes_check_writable(L, 1);
    uint64_t offset = check_count(L, 2);
    uint64_t address = check_count(L, 3);
    uint64_t count = check_count(L, 4);
    Carriage *carriage;
    GError *error = NULL;

    luaL_argcheck(L, count >= 1, 4, "at least one byte");
    if (!arch_dram_check(arch_chip_dram(kernel->session->chip), address, count,
                         &error) ||
        !arch_pcie_check(pcie, direction, offset, &error)) {
        return sandbox_raise(L, error);
    }
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
    Kernel *kernel = check_kernel(L, "core.pcie_barrier");

    (void) status;
    (void) context;
    if (kernel->outstanding > 0 &&
        !sim_semaphore_take(kernel->arrivals, kernel->outstanding, kernel->process)) {
        return wait_here(L, kernel, "pcie_barrier", proceed_with_barrier);
    }
    kernel->outstanding = 0;
    return 0;
}

/* core.pcie_barrier(): until all its commands have arrived. */
static int core_pcie_barrier(lua_State *L)
{
    (void) check_waitable(L, "core.pcie_barrier");
    return proceed_with_barrier(L, LUA_OK, 0);
}

static const ApiCall always[] = {
    {"delay", core_delay, "(cycles: integer)"},
    {"now", core_now, "(): integer"},
    {0},
};

static const ApiCall with_pcie[] = {
    {"pcie_read", core_pcie_read,
     "(buffer: gl.Buffer, offset: integer, address: integer, bytes: integer)"},
    {"pcie_write", core_pcie_write,
     "(buffer: gl.Buffer, offset: integer, address: integer, bytes: integer)"},
    {"pcie_barrier", core_pcie_barrier, "()"},
    {0},
};

const ApiClass core_api = {
    .name = "Core",
    .page = "workloads/doc/host.md",
    .calls = (const ApiCall *const[]){always, with_pcie, NULL},
};

void core_push(lua_State *L, Kernel *kernel)
{
    g_autofree char *arrivals = g_strdup_printf("pcie arrivals of %s", kernel->name);
    gpointer *slot;

    kernel->dram_bytes =
        sim_engine_counter(arch_chip_engine(kernel->session->chip), "dram_bytes");
    kernel->arrivals = sim_semaphore_new(arrivals, 0);
    kernel->carriages =
        g_hash_table_new_full(g_direct_hash, g_direct_equal, carriage_free, NULL);
    lua_newtable(L);
    slot = lua_newuserdatauv(L, sizeof *slot, 0);
    *slot = kernel;
    /* Kept alive by the registry until core_release() has emptied it. */
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &kernel->slot);
    kernel->slot = slot;
    if (arch_chip_pcie(kernel->session->chip) != NULL) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        api_set(L, with_pcie, 1);
        lua_pop(L, 1);
    }
    api_set(L, always, 1);
    api_watch(L, &core_api);
}

void core_release(Kernel *kernel)
{
    lua_State *L = sandbox_state(kernel->session->sandbox);

    if (kernel->slot != NULL) {
        *kernel->slot = NULL;
        /* Assigning nil to a key that exists cannot raise. */
        lua_pushnil(L);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &kernel->slot);
    }
    sim_semaphore_free(kernel->arrivals);
    g_clear_pointer(&kernel->carriages, g_hash_table_unref);
}
