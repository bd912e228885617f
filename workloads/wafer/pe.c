/* The program of a class of PEs as a Lua type: queues, tasks, and its arrays,
 * variables and descriptors. */
#include "workloads/wafer/pe.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/wafer.h"

#define VALUE_TYPE_NAME "gridloom.wafer_value"

static const char *const kind_names[] = {
    [WAFER_ARRAY] = "an array",
    [WAFER_VARIABLE] = "a variable",
    [WAFER_DESCRIPTOR] = "a descriptor",
};

static void register_values(lua_State *L)
{
    luaL_newmetatable(L, VALUE_TYPE_NAME);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

int wafer_value_push(lua_State *L, const WaferValue *value)
{
    WaferValue *self = lua_newuserdatauv(L, sizeof *self, 0);

    *self = *value;
    luaL_setmetatable(L, VALUE_TYPE_NAME);
    return 1;
}

static const WaferValue *wafer_value_test(lua_State *L, int index)
{
    return luaL_testudata(L, index, VALUE_TYPE_NAME);
}

const WaferValue *wafer_value_check(
    lua_State *L, int index, WaferValueKind kind, uint64_t owner, const char *what)
{
    const WaferValue *self = wafer_value_test(L, index);

    if (self == NULL || self->kind != kind) {
        luaL_error(L, "%s: expected %s, got %s", what, kind_names[kind],
                   self != NULL ? kind_names[self->kind] : luaL_typename(L, index));
    } else if (self->owner != owner) {
        luaL_error(L, "%s: %s of another program; each is made with its own pe", what,
                   kind_names[kind]);
    }
    return self;
}

#define TYPE_NAME "gridloom.wafer_pe"

WaferPe *wafer_pe_check(lua_State *L)
{
    WaferPe *self = luaL_checkudata(L, 1, TYPE_NAME);

    if (self->program == NULL) {
        luaL_error(L, "the program of this pe is complete: its function has ended");
    }
    arch_wse_program_at(self->program, sandbox_place(L));
    return self;
}

int wafer_pe_end(lua_State *L, bool is_done, GError **error)
{
    return is_done ? 0 : sandbox_raise(L, *error);
}

guint wafer_pe_number(lua_State *L, int index)
{
    lua_Integer value = luaL_checkinteger(L, index);

    luaL_argcheck(L, value >= 0 && value <= G_MAXUINT8, index, "not 0 to 255");
    return sim_u32(value);
}

void wafer_pe_body(lua_State *L, WaferPe *self, int index, int argument_count)
{
    luaL_checktype(L, index, LUA_TFUNCTION);
    lua_pushvalue(L, index);
    lua_insert(L, -1 - argument_count);
    self->depth++;
    lua_call(L, argument_count, 0);
    self->depth--;
}

/* pe:initialize_queue{ input_queue =, color = } */
static int initialize_queue(lua_State *L)
{
    static const char *const known[] = {"input_queue", "color", NULL};
    WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;

    arguments_check(L, 2, known);
    bool is_done = arch_wse_program_input_queue(
        self->program, arguments_integer(L, 2, "input_queue", -1, G_MAXUINT8),
        arguments_integer(L, 2, "color", -1, G_MAXUINT8), &error);

    return wafer_pe_end(L, is_done, &error);
}

/* Emits the body at index 4 as a task; what it is called with is on top of the stack.
 */
static int
bind_task(lua_State *L, ArchWseTaskKind kind, guint argument, int argument_count)
{
    WaferPe *self = wafer_pe_check(L);
    guint id = wafer_pe_number(L, 2);
    const char *name = luaL_checkstring(L, 3);
    GError *error = NULL;

    luaL_checktype(L, 4, LUA_TFUNCTION);
    if (!arch_wse_program_begin_task(self->program, kind, id, name, argument, &error)) {
        return sandbox_raise(L, error);
    }
    wafer_pe_body(L, self, 4, argument_count);
    return wafer_pe_end(L, arch_wse_program_end_task(self->program, &error), &error);
}

/* pe:bind_local_task(id, name, function) */
static int bind_local_task(lua_State *L)
{
    return bind_task(L, ARCH_WSE_TASK_LOCAL, ARCH_WSE_NONE, 0);
}

/* pe:bind_control_task(id, name, function) */
static int bind_control_task(lua_State *L)
{
    return bind_task(L, ARCH_WSE_TASK_CONTROL, ARCH_WSE_NONE, 0);
}

/* pe:bind_data_task(color, name, function(argument) [, { argument = }]) */
static int bind_data_task(lua_State *L)
{
    static const char *const known[] = {"argument", NULL};
    const WaferPe *self = wafer_pe_check(L);
    guint argument = ARCH_WSE_NONE;

    lua_settop(L, 5);
    if (lua_isnil(L, 5)) {
        return bind_task(L, ARCH_WSE_TASK_DATA, argument, 1);
    }
    arguments_check(L, 5, known);
    if (field_push(L, 5, "argument") != LUA_TNIL) {
        argument =
            wafer_value_check(L, 6, WAFER_ARRAY, self->serial, "argument")->number;
    }
    return bind_task(L, ARCH_WSE_TASK_DATA, argument, 1);
}

static int collect(lua_State *L)
{
    WaferPe *self = luaL_checkudata(L, 1, TYPE_NAME);

    g_clear_pointer(&self->program, arch_wse_program_free);
    return 0;
}

WaferPe *wafer_pe_push(lua_State *L, Session *session, const char *name)
{
    WaferPe *self = lua_newuserdatauv(L, sizeof *self, 0);

    *self = (WaferPe){.serial = ++wafer_state(&session->run->sessions[0])->programs,
                      .has_data = !session->machine->is_timing_only};
    luaL_setmetatable(L, TYPE_NAME);
    self->program = arch_wse_program_new(arch_chip_params(session->chip), name);
    return self;
}

ArchWseProgram *wafer_pe_steal(lua_State *L, WaferPe *self)
{
    if (self->depth > 0) {
        luaL_error(L, "the body of a task has failed: the program is not complete");
    }
    return g_steal_pointer(&self->program);
}

static const ApiCall methods[] = {
    {"initialize_queue", initialize_queue,
     "(options: { input_queue: integer, color: integer })"},
    {"bind_local_task", bind_local_task, "(id: integer, name: string, f: fun())"},
    {"bind_data_task", bind_data_task,
     "(color: integer, name: string, f: fun(), options?: { argument: gl.Array })"},
    {"bind_control_task", bind_control_task, "(id: integer, name: string, f: fun())"},
    {0},
};

const ApiClass wafer_pe_api = {
    .name = "Pe",
    .page = "workloads/doc/wafer-programs.md",
    .calls = (const ApiCall *const[]){methods, wafer_dsd_methods, wafer_code_methods,
                                      wafer_machine_methods, NULL},
    .more = wafer_vector_at,
    .unmodelled =
        " map set_dsd_base_addr load_to_dsr get_dsr addc16 fnorms fnormh dfilt "
        "xp162fs xp162fh fs2xp16 fh2xp16 queue_flush set_control_task_table ",
    .is_object = true,
};

void wafer_pe_register(lua_State *L)
{
    register_values(L);
    luaL_newmetatable(L, TYPE_NAME);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    api_push(L, &wafer_pe_api);
    wafer_vector_register(L);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}
