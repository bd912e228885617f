/* Boards as a Lua type: how a design gets onto the FPGA, what a script can ask
 * about it. Jobs are in job.c. */
#include "workloads/board/board.h"

#include "sim/narrow.h"
#include "workloads/board/sweep.h"
#include "workloads/host/type.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"

#define TYPE_NAME "gridloom.board"

enum {
    MOST_PES = 65535,
    MOST_POINTS = 65535, /* along an axis */
    MOST_BRANCHES = 16,
};

ArchNero *board_nero(const Session *session)
{
    return arch_nero_of(session->chip);
}

BoardState *board_state(const Session *session)
{
    return session->state;
}

Board *board_check(lua_State *L, const char *what)
{
    Board *self = luaL_checkudata(L, 1, TYPE_NAME);

    session_check_host(L, self->session, what);
    if (self->number != board_state(self->session)->designs) {
        luaL_error(L, "another host.board has taken the place of this one");
    }
    return self;
}

/* window = { x, y, z } */
static void check_window(lua_State *L, ArchNeroPlan *plan)
{
    guint *sizes[] = {&plan->window_x, &plan->window_y, &plan->window_z};

    if (field_push(L, 1, "window") != LUA_TTABLE ||
        lua_rawlen(L, -1) != G_N_ELEMENTS(sizes)) {
        luaL_error(L, "window: expected { x, y, z }");
    }
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        int is_integer = 0;

        lua_rawgeti(L, -1, (lua_Integer) i + 1);
        const lua_Integer size = lua_tointegerx(L, -1, &is_integer);

        lua_pop(L, 1);
        if (is_integer == 0 || size < 1 || size > MOST_POINTS) {
            luaL_error(L, "window: expected three integers of 1 to %d", MOST_POINTS);
        }
        *sizes[i] = sim_u32(size);
    }
    lua_pop(L, 1);
}

/* Pushes a table with the number of each field by its name; returns how many. */
static guint push_names(lua_State *L)
{
    const bool is_list = field_push(L, 1, "fields") == LUA_TTABLE;
    const lua_Unsigned count = is_list ? lua_rawlen(L, -1) : 0;

    if (count < 1 || count > BOARD_GRIDS) {
        luaL_error(L, "fields: expected a list of 1 to %d names", BOARD_GRIDS);
    }
    lua_newtable(L);
    for (lua_Unsigned i = 0; i < count; i++) {
        if (lua_rawgeti(L, -2, (lua_Integer) i + 1) != LUA_TSTRING) {
            luaL_error(L, "fields: expected a list of names");
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, -3) != LUA_TNIL) {
            luaL_error(L, "fields: '%s' is there twice", lua_tostring(L, -2));
        }
        lua_pop(L, 1);
        lua_pushinteger(L, (lua_Integer) i);
        lua_rawset(L, -3);
    }
    lua_remove(L, -2);
    return sim_u32(count);
}

static void check_sweeps(lua_State *L, Session *session, ArchNeroPlan *plan)
{
    plan->fields = push_names(L);
    const int names = lua_gettop(L);
    const bool is_list = field_push(L, 1, "sweeps") == LUA_TTABLE;
    const lua_Unsigned count = is_list ? lua_rawlen(L, -1) : 0;

    if (count < 1 || count > ARCH_NERO_SWEEPS) {
        luaL_error(L, "sweeps: expected a list of 1 to %d", ARCH_NERO_SWEEPS);
    }
    plan->sweep_count = sim_u32(count);
    for (guint i = 0; i < plan->sweep_count; i++) {
        if (lua_rawgeti(L, names + 1, (lua_Integer) i + 1) != LUA_TTABLE) {
            luaL_error(L, "sweeps: expected a list of tables");
        }
        plan->branches[i] =
            arguments_count(L, lua_gettop(L), "branches", 1, MOST_BRANCHES);
        plan->sweeps[i] =
            board_sweep_check(L, session, lua_gettop(L), names, plan->fields);
        lua_pop(L, 1);
    }
}

/* The design that the table at index 1 describes, or NULL and why not. */
static ArchNeroDesign *make_design(lua_State *L, Session *session, GError **error)
{
    static const char *const known[] = {"name",      "pes",     "window", "depth",
                                        "format",    "fields",  "sweeps", "lanes",
                                        "partition", "buffers", NULL};
    static const char *const formats[] = {
        [ARCH_NERO_FP32] = "fp32", [ARCH_NERO_FP16] = "fp16", NULL};
    const ArchParams *params = arch_chip_params(session->chip);

    if (board_nero(session) == NULL) {
        luaL_error(L, "%s is no FPGA board", arch_params_name(params));
    }
    arguments_check(L, 1, known);
    lua_settop(L, 1);
    ArchNeroPlan plan = {
        .name = arguments_text(L, 1, "name"),
        .pes = arguments_count(L, 1, "pes", -1, MOST_PES),
        .format = (ArchNeroFormat) arguments_choice(L, 1, "format", formats, true),
        .lanes = arguments_integer(L, 1, "lanes", 0, MOST_POINTS),
        .partition = arguments_integer(L, 1, "partition", 0, MOST_POINTS),
        .windows_ahead = arguments_integer(L, 1, "buffers", 0, 2),
    };
    const guint depth = arguments_count(L, 1, "depth", -1, MOST_POINTS);

    check_window(L, &plan);
    check_sweeps(L, session, &plan);
    return arch_nero_design_new(params, &plan, depth, error);
}

/* Loads the design, and pushes the board. */
static int push_board(lua_State *L, Session *session, ArchNeroDesign *design)
{
    Board *self = lua_newuserdatauv(L, sizeof *self, 0);

    arch_nero_load(board_nero(session), design);
    *self = (Board){.session = session,
                    .number = ++board_state(session)->designs,
                    .before = arch_nero_use(board_nero(session))};
    luaL_setmetatable(L, TYPE_NAME);
    return 1;
}

int board_new(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.board");
    GError *error = NULL;
    ArchNeroDesign *design = make_design(L, session, &error);

    return design != NULL ? push_board(L, session, design) : sandbox_raise(L, error);
}

int board_try(lua_State *L)
{
    Session *session = session_check_on_host(L, "host.try_board");
    g_autoptr(GError) error = NULL;
    ArchNeroDesign *design = make_design(L, session, &error);

    if (design != NULL) {
        return push_board(L, session, design);
    }
    lua_pushnil(L);
    lua_pushstring(L, error->message);
    return 2;
}

static const ArchNeroDesign *design_of(const Board *self)
{
    return arch_nero_design(board_nero(self->session));
}

/* board:resources(): { { name =, pe =, shell =, percent = }, ... } */
static int resources(lua_State *L)
{
    const ArchNeroDesign *design = design_of(board_check(L, "board:resources"));

    lua_createtable(L, ARCH_NERO_RESOURCES, 0);
    for (ArchNeroResource i = ARCH_NERO_BRAM; i < ARCH_NERO_RESOURCES; i++) {
        lua_newtable(L);
        answer_text(L, "name", arch_nero_resource_name(i));
        answer_number(L, "pe", arch_nero_design_of_pe(design, i));
        answer_number(L, "shell", arch_nero_design_shell(design, i));
        answer_number(L, "percent", arch_nero_design_percent(design, i));
        lua_rawseti(L, -2, (lua_Integer) i + 1);
    }
    return 1;
}

/* board:buffers(): { { name =, resource =, count =, bits =, blocks = }, ... } */
static int buffers(lua_State *L)
{
    const ArchNeroDesign *design = design_of(board_check(L, "board:buffers"));

    lua_newtable(L);
    for (guint i = 0; i < arch_nero_design_buffer_count(design); i++) {
        const ArchNeroBuffer *buffer = arch_nero_design_buffer(design, i);

        lua_newtable(L);
        answer_text(L, "name", buffer->name);
        answer_text(L, "resource", arch_nero_resource_name(buffer->resource));
        answer_count(L, "count", buffer->count);
        answer_count(L, "bits", buffer->bits);
        answer_count(L, "blocks", buffer->blocks);
        lua_rawseti(L, -2, (lua_Integer) i + 1);
    }
    return 1;
}

/* board:plan(): as asked, with what was 0 filled in, and { interval =, depth =,
 * recurrence = } of each sweep. */
static int get_plan(lua_State *L)
{
    const ArchNeroDesign *design = design_of(board_check(L, "board:plan"));
    const ArchNeroPlan *made = arch_nero_design_plan(design);

    lua_newtable(L);
    answer_count(L, "pes", made->pes);
    answer_count(L, "lanes", made->lanes);
    answer_count(L, "partition", made->partition);
    answer_count(L, "buffers", made->windows_ahead);
    lua_newtable(L);
    for (guint i = 0; i < made->sweep_count; i++) {
        lua_newtable(L);
        answer_text(L, "name", arch_nero_datapath_name(made->sweeps[i]));
        answer_count(L, "interval", arch_nero_design_interval(design, i));
        answer_count(L, "depth", arch_nero_design_depth(design, i));
        answer_count(L, "recurrence", arch_nero_design_recurrence(design, i));
        lua_rawseti(L, -2, (lua_Integer) i + 1);
    }
    lua_setfield(L, -2, "sweeps");
    return 1;
}

/* board:parts(): { { pe =, part =, reason =, cycles = }, ... } */
static int parts(lua_State *L)
{
    const Board *self = board_check(L, "board:parts");
    g_autoptr(GArray) all = arch_nero_parts(board_nero(self->session));

    lua_newtable(L);
    for (guint i = 0; i < all->len; i++) {
        const ArchNeroPart *part = &g_array_index(all, ArchNeroPart, i);

        lua_newtable(L);
        answer_count(L, "pe", part->pe);
        answer_text(L, "part", part->part);
        answer_text(L, "reason", part->reason);
        answer_count(L, "cycles", part->cycles);
        lua_rawseti(L, -2, (lua_Integer) i + 1);
    }
    return 1;
}

/* board:use(): what it did since its design was loaded. */
static int use(lua_State *L)
{
    const Board *self = board_check(L, "board:use");
    const ArchNeroUse now = arch_nero_use(board_nero(self->session));
    const ArchNeroUse *before = &self->before;

    lua_newtable(L);
    answer_count(L, "windows", now.windows - before->windows);
    answer_count(L, "padded_points", now.padded_points - before->padded_points);
    answer_count(L, "memory_bytes", now.memory_bytes - before->memory_bytes);
    answer_count(L, "link_bytes", now.link_bytes - before->link_bytes);
    answer_count(L, "flops", now.flops - before->flops);
    answer_count(L, "control_cycles", now.control_cycles - before->control_cycles);
    answer_count(L, "host_cycles", now.host_cycles - before->host_cycles);
    answer_count(L, "busy_cycles", now.busy_cycles - before->busy_cycles);
    answer_number(L, "joules", now.joules - before->joules);
    return 1;
}

/* board.watts, of PEs that are busy all the time, and its methods, which are upvalue 1.
 */
static int get(lua_State *L)
{
    (void) luaL_checkudata(L, 1, TYPE_NAME);
    if (lua_type(L, 2) == LUA_TSTRING && g_str_equal(lua_tostring(L, 2), "watts")) {
        lua_pushnumber(
            L, arch_nero_design_watts(design_of(board_check(L, "board.watts")), 1));
        return 1;
    }
    return host_type_method(L);
}

#define JOB_TYPE                                                                       \
    "{ nx: integer, ny: integer, nz: integer, border?: integer, rounds?: integer, "    \
    "next?: integer, data?: \"board\"|\"host\"|\"chip\", inputs: "                     \
    "(integer|gl.Buffer)[], outputs: (integer|gl.Buffer)[] }"

static const ApiCall methods[] = {
    {"run", board_run, "(options: " JOB_TYPE "): integer"},
    {"run_all", board_run_all, "(jobs: " JOB_TYPE "[]): integer, integer[]"},
    {"prepare", board_prepare, "()"},
    {"resources", resources,
     "(): { name: string, pe: number, shell: number, percent: number }[]"},
    {"buffers", buffers,
     "(): { name: string, resource: string, count: integer, bits: integer, blocks: "
     "integer }[]"},
    {"plan", get_plan,
     "(): { pes: integer, lanes: integer, partition: integer, buffers: integer, "
     "sweeps: { name: string, interval: integer, depth: integer, recurrence: integer "
     "}[] }"},
    {"parts", parts, "(): table<string, table<string, number>>"},
    {"use", use, "(): table<string, number>"},
    {0},
};

const ApiClass board_api = {
    .name = "Board",
    .page = "workloads/doc/boards.md",
    .calls = (const ApiCall *const[]){methods, NULL},
    .fields = "watts number",
    .is_object = true,
};

void board_register(lua_State *L)
{
    board_sweep_register(L);
    host_type_register(L,
                       &(HostType){.name = TYPE_NAME, .api = &board_api, .get = get});
}
