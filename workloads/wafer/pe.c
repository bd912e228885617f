/* The program of a class of PEs as a Lua type: queues and tasks. */
#include "workloads/wafer/pe.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/wafer/dsr.h"
#include "workloads/wafer/function.h"
#include "workloads/wafer/operand.h"
#include "workloads/wafer/wafer.h"

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

/* Types of a task's wavelet, and the array that it goes to; from the options. */
typedef struct {
    guint array;  /* or ARCH_WSE_NONE */
    int on_stack; /* values that the body is called with, unless it has types */
    guint count;
    ArchWseType types[2];
} Wavelet;

/* Makes variables for the wavelet of the task that has just begun, and pushes them. */
static void push_arguments(lua_State *L, WaferPe *self, const Wavelet *wavelet)
{
    guint first = 0;
    GError *error = NULL;

    for (guint i = 0; i < wavelet->count; i++) {
        const WaferValue value =
            wafer_variable_new(L, self, NULL, wavelet->types[i], 0);

        first = i == 0 ? value.number : first;
        (void) wafer_value_push(L, &value);
    }
    if (wavelet->count > 0 &&
        !arch_wse_program_arguments(self->program, wavelet->types, wavelet->count,
                                    first, &error)) {
        sandbox_raise(L, error);
    }
}

/* Emits the body at index 4 as a task; the scalar that it is called with, or nil, is on
 * top of the stack. */
static int bind_task(lua_State *L, ArchWseTaskKind kind, const Wavelet *wavelet)
{
    WaferPe *self = wafer_pe_check(L);
    guint id = wafer_pe_number(L, 2);
    const char *name = luaL_checkstring(L, 3);
    GError *error = NULL;

    luaL_checktype(L, 4, LUA_TFUNCTION);
    if (!arch_wse_program_begin_task(self->program, kind, id, name, wavelet->array,
                                     &error)) {
        return sandbox_raise(L, error);
    }
    self->loop_count = 0;
    push_arguments(L, self, wavelet);
    wafer_pe_body(L, self, 4,
                  wavelet->count > 0 ? sim_i32(wavelet->count) : wavelet->on_stack);
    return wafer_pe_end(L, arch_wse_program_end_task(self->program, &error), &error);
}

/* pe:bind_local_task(id, name, function) */
static int bind_local_task(lua_State *L)
{
    return bind_task(L, ARCH_WSE_TASK_LOCAL, &(Wavelet){.array = ARCH_WSE_NONE});
}

/* Reads { argument =, arguments = } at index 5 and pushes the scalar, or nil. */
static Wavelet check_wavelet(lua_State *L, const char *const *known)
{
    const WaferPe *self = wafer_pe_check(L);
    Wavelet wavelet = {.array = ARCH_WSE_NONE, .on_stack = 1};

    lua_settop(L, 5);
    if (lua_isnil(L, 5)) {
        return wavelet;
    }
    arguments_check(L, 5, known);
    wavelet.count = wafer_types_check(L, 5, "arguments", wavelet.types,
                                      G_N_ELEMENTS(wavelet.types));
    if (field_push(L, 5, "argument") != LUA_TNIL) {
        wavelet.array =
            wafer_value_check(L, 6, WAFER_ARRAY, self->serial, "argument")->number;
        if (wavelet.count > 0) {
            luaL_error(L, "argument, arguments: one of them");
        }
    }
    return wavelet;
}

/* pe:bind_control_task(id, name, function(...) [, { arguments = }]) */
static int bind_control_task(lua_State *L)
{
    static const char *const known[] = {"arguments", NULL};
    const Wavelet wavelet = check_wavelet(L, known);

    return bind_task(L, ARCH_WSE_TASK_CONTROL, &wavelet);
}

/* pe:bind_data_task(color, name, function(...) [, { argument = } or { arguments = }])
 */
static int bind_data_task(lua_State *L)
{
    static const char *const known[] = {"argument", "arguments", NULL};
    const Wavelet wavelet = check_wavelet(L, known);

    return bind_task(L, ARCH_WSE_TASK_DATA, &wavelet);
}

static int collect(lua_State *L)
{
    WaferPe *self = luaL_checkudata(L, 1, TYPE_NAME);

    g_clear_pointer(&self->program, arch_wse_program_free);
    g_clear_pointer(&self->functions, g_array_unref);
    g_clear_pointer(&self->dsrs, g_array_unref);
    return 0;
}

WaferPe *wafer_pe_push(lua_State *L, Session *session, const char *name)
{
    WaferPe *self = lua_newuserdatauv(L, sizeof *self, 0);

    *self = (WaferPe){.serial = ++wafer_state(&session->run->sessions[0])->programs,
                      .has_data = !session->machine->is_timing_only,
                      .scratch = ARCH_WSE_NONE,
                      .dropped = ARCH_WSE_NONE};
    luaL_setmetatable(L, TYPE_NAME);
    self->program = arch_wse_program_new(arch_chip_params(session->chip), name);
    self->functions = g_array_new(FALSE, FALSE, sizeof(WaferFunction));
    self->dsrs = g_array_new(FALSE, FALSE, sizeof(WaferDsr));
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
     "(color: integer, name: string, f: fun(...: gl.Variable|gl.Array), options?: { "
     "argument?: gl.Array, arguments?: gl.Type[] })"},
    {"bind_control_task", bind_control_task,
     "(id: integer, name: string, f: fun(...: gl.Variable), options?: { arguments?: "
     "gl.Type[] })"},
    {0},
};

const ApiClass wafer_pe_api = {
    .name = "Pe",
    .page = "workloads/doc/wafer-programs.md",
    .calls =
        (const ApiCall *const[]){
            methods, wafer_dsd_methods, wafer_dsd_value_methods, wafer_fabric_methods,
            wafer_dsr_methods, wafer_map_methods, wafer_filter_methods,
            wafer_code_methods, wafer_branch_methods, wafer_function_methods,
            wafer_access_methods, wafer_machine_methods, wafer_settings_methods, NULL},
    .more = wafer_vector_at,
    .unmodelled = " addc16 fnorms fnormh "
                  "xp162fs xp162fh fs2xp16 fh2xp16 queue_flush set_control_task_table ",
    .is_object = true,
};

void wafer_pe_register(lua_State *L)
{
    wafer_value_register(L);
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
