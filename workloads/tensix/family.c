/* What scripts can do on Tensix chips: programs of kernels on their cores, and their
 * L1. What moves bytes takes the time of the host's link. */
#include "workloads/host/family.h"

#include "arch/tensix.h"
#include "sim/narrow.h"
#include "workloads/buffer/bytes.h"
#include "workloads/host/session.h"
#include "workloads/host/transfer.h"
#include "workloads/sandbox/field.h"
#include "workloads/tensix/device.h"
#include "workloads/tensix/kernel_api.h"
#include "workloads/tensix/kernel_run.h"
#include "workloads/tensix/program.h"
#include "workloads/tensix/use.h"

static ArchTensix *check_tensix(lua_State *L)
{
    const Session *session = session_of(L);
    ArchTensix *tensix = arch_tensix_of(session->chip);

    if (tensix == NULL) {
        luaL_error(L, "%s has no Tensix cores",
                   arch_params_name(arch_chip_params(session->chip)));
    }
    return tensix;
}

/* host.program() */
static int host_program(lua_State *L)
{
    (void) check_tensix(L);
    return program_push(L, session_of(L));
}

/* host.tile_bytes(format): of a tile in L1 and in DRAM. */
static int host_tile_bytes(lua_State *L)
{
    int format = luaL_checkoption(L, 1, NULL, arch_format_names());

    lua_pushinteger(L, arch_format_tile_bytes((ArchFormat) format));
    return 1;
}

/* host.grid(): columns and rows of cores. */
static int host_grid(lua_State *L)
{
    const ArchTensix *tensix = check_tensix(L);

    lua_pushinteger(L, arch_tensix_columns(tensix));
    lua_pushinteger(L, arch_tensix_rows(tensix));
    return 2;
}

static uint64_t check_bytes_field(lua_State *L)
{
    int is_integer = 0;

    lua_getfield(L, 1, "bytes");
    lua_Integer bytes = lua_tointegerx(L, -1, &is_integer);

    if (is_integer == 0 || bytes < 1) {
        luaL_error(L, "bytes: expected a positive integer");
    }
    lua_pop(L, 1);
    return (uint64_t) bytes;
}

/* host.l1_allocate{ cores =, bytes =, name = }: the address, the same on all cores. */
static int host_l1_allocate(lua_State *L)
{
    static const char *const known[] = {"cores", "bytes", "name", NULL};
    ArchTensix *tensix = check_tensix(L);
    uint32_t first = 0;
    GError *error = NULL;

    luaL_checktype(L, 1, LUA_TTABLE);
    if (!field_check_known(L, 1, known, &error)) {
        return sandbox_raise(L, error);
    }
    (void) session_check_on_host(L, "host.l1_allocate");
    CoreRange cores = core_range_check(L, 1, tensix);
    uint64_t bytes = check_bytes_field(L);

    lua_getfield(L, 1, "name");
    const char *name = luaL_optstring(L, -1, "host.l1_allocate");

    for (guint y = cores.y0; y <= cores.y1; y++) {
        for (guint x = cores.x0; x <= cores.x1; x++) {
            ArchTensixCore *core = arch_tensix_core(tensix, x, y, &error);
            uint32_t address = 0;

            if (core == NULL ||
                !arch_tensix_allocate(core, name, bytes, &address, &error)) {
                return sandbox_raise(L, error);
            }
            first = first == 0 ? address : first;
            if (address != first) {
                return luaL_error(L,
                                  "host.l1_allocate: address %d is taken on %s, "
                                  "allocate the same on all cores",
                                  sim_i32(first), arch_tensix_core_name(core));
            }
        }
    }
    arch_tensix_keep(tensix);
    lua_pushinteger(L, first);
    return 1;
}

static ArchTensixCore *check_core(lua_State *L)
{
    GError *error = NULL;
    ArchTensixCore *core =
        arch_tensix_core(check_tensix(L), kernel_argument(L, 1, G_MAXUINT16),
                         kernel_argument(L, 2, G_MAXUINT16), &error);

    if (core == NULL) {
        sandbox_raise(L, error);
    }
    return core;
}

/* host.l1_release(): all that host.l1_allocate has given is free again. */
static int host_l1_release(lua_State *L)
{
    (void) session_check_on_host(L, "host.l1_release");
    arch_tensix_clear(check_tensix(L));
    return 0;
}

/* host.l1_free(x, y): free bytes of the core's L1. */
static int host_l1_free(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer) arch_tensix_free_bytes(check_core(L)));
    return 1;
}

/* host.l1_write(x, y, address, buffer): the seconds it took. */
static int host_l1_write(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.l1_write");
    ArchTensixCore *core = check_core(L);
    uint64_t address = kernel_argument(L, 3, G_MAXUINT32);
    const HostBytes *bytes = host_bytes_check(L, 4);
    GError *error = NULL;

    if (bytes->data != NULL &&
        !arch_tensix_write(core, address, bytes->data, bytes->count, &error)) {
        return sandbox_raise(L, error);
    }
    return host_transfer(L, session, HOST_TO_CHIP, bytes->count);
}

/* host.l1_read(x, y, address, buffer): the seconds it took. */
static int host_l1_read(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.l1_read");
    const ArchTensixCore *core = check_core(L);
    uint64_t address = kernel_argument(L, 3, G_MAXUINT32);
    HostBytes *bytes = host_bytes_check_writable(L, 4);
    GError *error = NULL;

    if (bytes->data != NULL &&
        !arch_tensix_read(core, address, bytes->data, bytes->count, &error)) {
        return sandbox_raise(L, error);
    }
    const ArchTile tile = arch_tensix_core_tile(core);

    return host_read(L, session, "host.l1_read",
                     (uint64_t) (1 + tile.x) << 48 | (uint64_t) tile.y << 32 | address,
                     bytes->count);
}

static const ApiCall functions[] = {
    {"program", host_program, "(): gl.Program"},
    {"tile_bytes", host_tile_bytes, "(format: gl.TileFormat): integer"},
    {"grid", host_grid, "(): integer, integer"},
    {"l1_allocate", host_l1_allocate,
     "(options: { cores: gl.Cores, bytes: integer, name: string }): integer"},
    {"l1_free", host_l1_free, "(x: integer, y: integer): integer"},
    {"l1_release", host_l1_release, "()"},
    {"l1_write", host_l1_write,
     "(x: integer, y: integer, address: integer, buffer: gl.Buffer): number"},
    {"l1_read", host_l1_read,
     "(x: integer, y: integer, address: integer, buffer: gl.Buffer): number"},
    {0},
};

static void open_cores(lua_State *L)
{
    kernel_api_open_host(L);
    program_register(L);
}

static gpointer state_new(void)
{
    return core_state_new();
}

static void state_free(gpointer state)
{
    core_state_free(state);
}

static GPtrArray *races(const ArchChip *chip)
{
    return arch_tensix_races(arch_tensix_of(chip));
}

static uint64_t core_count(const Session *session)
{
    const ArchTensix *tensix = arch_tensix_of(session->chip);

    return (uint64_t) arch_tensix_columns(tensix) * arch_tensix_rows(tensix);
}

const HostFamily host_family_tensix = {
    .name = "tensix",
    .open = open_cores,
    .functions = functions,
    .program = &device_program,
    .state_new = state_new,
    .state_free = state_free,
    .parts = "cores",
    .part_count = core_count,
    .energy = core_use_energy,
    .report = core_use_report,
    .race_scope = "reads of L1 that is being written, writes to L1 that is being read, "
                  "and semaphores that two cores set",
    .races = races,
};
