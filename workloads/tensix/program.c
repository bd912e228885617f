/* Programs as a Lua type: program:circular_buffer{...}, program:kernel{...}, ... */
#include "workloads/tensix/program.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/host/type.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/script/kernels.h"
#include "workloads/tensix/kernel_run.h"

#define TYPE_NAME "gridloom.program"

const char *const program_processors[] = {"reader", "writer", "compute", NULL};

static void kernel_clear(gpointer data)
{
    ProgramKernel *self = data;

    g_free(self->name);
    g_free(self->function);
}

static void semaphore_clear(gpointer data)
{
    g_free(((ProgramSemaphore *) data)->name);
}

Program *program_test(lua_State *L, int index)
{
    return luaL_testudata(L, index, TYPE_NAME);
}

static Program *check_program(lua_State *L)
{
    return luaL_checkudata(L, 1, TYPE_NAME);
}

int program_push(lua_State *L, Session *session)
{
    Program *self = lua_newuserdatauv(L, sizeof *self, 1);

    *self = (Program){.session = session};
    luaL_setmetatable(L, TYPE_NAME);
    self->buffers = g_array_new(FALSE, TRUE, sizeof(ProgramBuffer));
    self->semaphores = g_array_new(FALSE, TRUE, sizeof(ProgramSemaphore));
    g_array_set_clear_func(self->semaphores, semaphore_clear);
    self->kernels = g_array_new(FALSE, TRUE, sizeof(ProgramKernel));
    g_array_set_clear_func(self->kernels, kernel_clear);
    lua_newtable(L);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

static int collect(lua_State *L)
{
    Program *self = check_program(L);

    g_clear_pointer(&self->buffers, g_array_unref);
    g_clear_pointer(&self->semaphores, g_array_unref);
    g_clear_pointer(&self->kernels, g_array_unref);
    return 0;
}

void program_push_arguments(lua_State *L, int index, guint kernel)
{
    lua_getiuservalue(L, index, 1);
    lua_rawgeti(L, -1, (lua_Integer) kernel + 1);
    lua_remove(L, -2);
}

static void check_core(lua_State *L, ArchTensix *tensix, guint x, guint y)
{
    GError *error = NULL;

    if (arch_tensix_core(tensix, x, y, &error) == NULL) {
        sandbox_raise(L, error);
    }
}

CoreRange core_range_check(lua_State *L, int index, ArchTensix *tensix)
{
    CoreRange range;
    guint part[4] = {0};

    if (field_push(L, index, "cores") != LUA_TTABLE) {
        luaL_error(L, "cores: expected { x0, y0, x1, y1 } or { x =, y = }");
    }
    int cores = lua_gettop(L);

    if (lua_rawlen(L, cores) == G_N_ELEMENTS(part)) {
        for (guint i = 0; i < G_N_ELEMENTS(part); i++) {
            lua_rawgeti(L, cores, (lua_Integer) i + 1);
            part[i] = kernel_argument(L, -1, G_MAXUINT16);
            lua_pop(L, 1);
        }
        range = (CoreRange){part[0], part[1], part[2], part[3]};
    } else {
        part[0] = arguments_integer(L, cores, "x", -1, G_MAXUINT16);
        part[1] = arguments_integer(L, cores, "y", -1, G_MAXUINT16);
        range = (CoreRange){part[0], part[1], part[0], part[1]};
    }
    lua_settop(L, cores - 1);
    if (range.x0 > range.x1 || range.y0 > range.y1) {
        luaL_error(L, "cores: the second corner is left of or above the first");
    }
    check_core(L, tensix, range.x0, range.y0);
    check_core(L, tensix, range.x1, range.y1);
    return range;
}

static ArchTensix *tensix_of(const Program *self)
{
    return arch_tensix_of(self->session->chip);
}

/* program:circular_buffer{ cores =, index =, pages =, format =, page_bytes =,
 * address =, alias = } */
static int add_circular_buffer(lua_State *L)
{
    static const char *const known[] = {"cores",      "index",   "pages", "format",
                                        "page_bytes", "address", "alias", NULL};
    Program *self = check_program(L);
    ProgramBuffer buffer = {0};

    arguments_check(L, 2, known);
    buffer.cores = core_range_check(L, 2, tensix_of(self));
    buffer.config.index = arguments_integer(L, 2, "index", -1, KERNEL_BUFFERS - 1);
    buffer.config.page_count = arguments_integer(L, 2, "pages", -1, G_MAXUINT16);
    buffer.config.format =
        (ArchFormat) arguments_choice(L, 2, "format", arch_format_names(), false);
    buffer.config.page_bytes = arguments_integer(
        L, 2, "page_bytes", arch_format_tile_bytes(buffer.config.format), G_MAXINT32);
    buffer.config.address = arguments_integer(L, 2, "address", 0, G_MAXUINT32);
    buffer.config.has_address = field_push(L, 2, "address") != LUA_TNIL;
    buffer.alias =
        field_push(L, 2, "alias") == LUA_TNIL
            ? -1
            : sim_i32(arguments_integer(L, 2, "alias", -1, KERNEL_BUFFERS - 1));
    if (buffer.alias >= 0 && buffer.config.has_address) {
        luaL_error(L, "alias: the buffer has an address already");
    }
    g_array_append_val(self->buffers, buffer);
    return 0;
}

/* program:semaphore{ cores =, value =, name = }: its id. */
static int add_semaphore(lua_State *L)
{
    static const char *const known[] = {"cores", "value", "name", NULL};
    Program *self = check_program(L);
    const guint id = self->semaphores->len;
    ProgramSemaphore semaphore = {0};
    const char *name = NULL;

    arguments_check(L, 2, known);
    semaphore.cores = core_range_check(L, 2, tensix_of(self));
    semaphore.value = arguments_integer(L, 2, "value", 0, G_MAXUINT32);
    if (field_push(L, 2, "name") != LUA_TNIL) {
        name = arguments_text(L, 2, "name");
    }
    semaphore.name = name == NULL ? g_strdup_printf("semaphore %u", id)
                                  : g_strdup_printf("semaphore %u (%s)", id, name);
    g_array_append_val(self->semaphores, semaphore);
    lua_pushinteger(L, id);
    return 1;
}

/* program:kernel{ name =, kernel =, processor =, cores =, args =, ... } */
static int add_kernel(lua_State *L)
{
    static const char *const known[] = {"name",     "kernel",   "processor", "noc",
                                        "cores",    "args",     "code",      "sfpu",
                                        "fp32_dst", "fidelity", NULL};
    static const char *const codes[] = {"small", "large", NULL};
    static const char *const loops[] = {"looped", "unrolled", NULL};
    static const char *const fidelities[] = {"lofi", "hifi2", "hifi3", "hifi4", NULL};
    Program *self = check_program(L);
    ProgramKernel kernel = {0};

    arguments_check(L, 2, known);
    const char *function = arguments_text(L, 2, "kernel");

    kernels_check(L, function);
    const char *name =
        field_push(L, 2, "name") == LUA_TNIL ? function : arguments_text(L, 2, "name");

    kernel.processor = arguments_choice(L, 2, "processor", program_processors, true);
    kernel.noc =
        arguments_integer(L, 2, "noc", kernel.processor == PROCESSOR_WRITER ? 1 : 0, 1);
    kernel.cores = core_range_check(L, 2, tensix_of(self));
    kernel.is_large = arguments_choice(L, 2, "code", codes, false) == 1;
    kernel.is_unrolled = arguments_choice(L, 2, "sfpu", loops, false) == 1;
    kernel.is_dst_fp32 = arguments_flag(L, 2, "fp32_dst");
    kernel.fidelity = 1 + arguments_choice(L, 2, "fidelity", fidelities, false);
    lua_getiuservalue(L, 1, 1);
    if (field_push(L, 2, "args") == LUA_TNIL) {
        lua_pop(L, 1);
        lua_newtable(L);
    }
    lua_rawseti(L, -2, (lua_Integer) self->kernels->len + 1);
    g_array_append_val(self->kernels, kernel);
    ProgramKernel *added =
        &g_array_index(self->kernels, ProgramKernel, self->kernels->len - 1);

    added->name = g_strdup(name);
    added->function = g_strdup(function);
    return 0;
}

static const ApiCall methods[] = {
    {"circular_buffer", add_circular_buffer,
     "(options: { cores: gl.Cores, index: integer, pages: integer, format?: "
     "gl.TileFormat, page_bytes?: integer, address?: integer, alias?: integer })"},
    {"semaphore", add_semaphore,
     "(options: { cores: gl.Cores, value?: integer, name?: string }): integer"},
    {"kernel", add_kernel,
     "(options: { kernel: string, processor: \"reader\"|\"writer\"|\"compute\", cores: "
     "gl.Cores, args?: table|fun(x: integer, y: integer): table, name?: string, noc?: "
     "integer, code?: \"small\"|\"large\", sfpu?: \"looped\"|\"unrolled\", fp32_dst?: "
     "boolean, fidelity?: \"lofi\"|\"hifi2\"|\"hifi3\"|\"hifi4\" })"},
    {0},
};

const ApiClass program_api = {
    .name = "Program",
    .page = "workloads/doc/tensix-kernels.md",
    .calls = (const ApiCall *const[]){methods, NULL},
    .is_object = true,
};

void program_register(lua_State *L)
{
    host_type_register(
        L, &(HostType){.name = TYPE_NAME, .api = &program_api, .collect = collect});
}
