/* Functions, calls and returns as methods of `pe`. */
#include "workloads/wafer/function.h"

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/arguments.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/wafer/emit.h"
#include "workloads/wafer/operand.h"

guint wafer_types_check(
    lua_State *L, int index, const char *name, ArchWseType *types, guint most)
{
    const int kind = field_push(L, index, name);
    const lua_Unsigned count = kind == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
    const int list = lua_gettop(L);

    if (kind != LUA_TNIL &&
        (kind != LUA_TTABLE || count > most || field_count(L, -1) != count)) {
        luaL_error(L, "%s: expected a list of at most %d types", name, sim_i32(most));
    }
    for (guint i = 0; i < count; i++) {
        guint type = 0;

        lua_rawgeti(L, list, (lua_Integer) i + 1);
        while (wafer_type_names[type] != NULL &&
               g_strcmp0(lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL,
                         wafer_type_names[type]) != 0) {
            type++;
        }
        if (wafer_type_names[type] == NULL) {
            luaL_error(L,
                       "%s: number %d is no type; there are f16, f32, i8, u8, i16, "
                       "u16, i32, u32, i64 and u64",
                       name, sim_i32(i) + 1);
        }
        types[i] = (ArchWseType) type;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return sim_u32(count);
}

const WaferFunction *wafer_function_check(lua_State *L, const WaferPe *self, int index)
{
    const WaferValue *value = wafer_value_argument(L, self, index, WAFER_FUNCTION);

    return &g_array_index(self->functions, WaferFunction, value->number);
}

/* A variable that the host finds by the function's name, which is at 2. */
static WaferValue
exported_argument(lua_State *L, const WaferPe *self, guint number, ArchWseType type)
{
    if (type == ARCH_WSE_F16 || arch_wse_type_bytes(type) > sizeof(uint32_t)) {
        luaL_error(L,
                   "arguments: the host gives integers of up to 32 bits and f32, not "
                   "%s",
                   arch_wse_type_name(type));
    }
    const char *name = lua_pushfstring(L, "%s:%d", lua_tostring(L, 2), sim_i32(number));
    const WaferValue value = wafer_variable_new(L, self, name, type, 0);

    lua_pop(L, 1);
    return value;
}

/* Reads the types of the options at 4 and makes variables for them. */
static WaferFunction declare(lua_State *L, const WaferPe *self)
{
    static const char *const known[] = {"arguments", "result", "export", NULL};
    ArchWseType types[WAFER_ARGUMENTS];
    WaferFunction made = {0};

    if (lua_isnil(L, 4)) {
        return made;
    }
    arguments_check(L, 4, known);
    made.argument_count = wafer_types_check(L, 4, "arguments", types, WAFER_ARGUMENTS);
    made.is_exported = arguments_flag(L, 4, "export");
    for (guint i = 0; i < made.argument_count; i++) {
        made.arguments[i] = made.is_exported
                                ? exported_argument(L, self, i, types[i])
                                : wafer_variable_new(L, self, NULL, types[i], 0);
    }
    made.has_result = field_push(L, 4, "result") != LUA_TNIL;
    if (made.has_result) {
        made.result = wafer_variable_new(
            L, self, NULL,
            (ArchWseType) arguments_choice(L, 4, "result", wafer_type_names, true), 0);
    }
    lua_pop(L, 1);
    return made;
}

/* pe:fn(name, function(argument, ..., result) [, { arguments =, result =, export = }])
 */
static int make(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const char *name = luaL_checkstring(L, 2);
    GError *error = NULL;
    WaferValue value = {
        .kind = WAFER_FUNCTION, .owner = self->serial, .number = self->functions->len};

    luaL_checktype(L, 3, LUA_TFUNCTION);
    lua_settop(L, 4);
    WaferFunction made = declare(L, self);

    if (!arch_wse_program_function(self->program, name, &made.function, &error) ||
        !arch_wse_program_begin_function(self->program, made.function, &error)) {
        return sandbox_raise(L, error);
    }
    g_array_append_val(self->functions, made);
    luaL_checkstack(L, WAFER_ARGUMENTS + 2, NULL);
    for (guint i = 0; i < made.argument_count; i++) {
        (void) wafer_value_push(L, &made.arguments[i]);
    }
    if (made.has_result) {
        (void) wafer_value_push(L, &made.result);
    }
    self->loop_count = 0;
    self->function = value.number + 1;
    wafer_pe_body(L, self, 3, sim_i32(made.argument_count) + (made.has_result ? 1 : 0));
    self->function = 0;
    return arch_wse_program_end_function(self->program, &error) &&
                   (!made.is_exported ||
                    arch_wse_program_entry(self->program, made.function, &error))
               ? wafer_value_push(L, &value)
               : sandbox_raise(L, error);
}

/* pe:unblock_cmd_stream(): the PE is ready for the host's next call. */
static int unblock_cmd_stream(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;

    return wafer_pe_end(L, arch_wse_program_unblock_stream(self->program, &error),
                        &error);
}

void wafer_function_call(lua_State *L,
                         WaferPe *self,
                         const WaferFunction *function,
                         const ArchWseOperand *operands)
{
    GError *error = NULL;

    for (guint i = 0; i < function->argument_count; i++) {
        wafer_emit_move(L, self, function->arguments[i].type,
                        function->arguments[i].number, operands[i]);
    }
    if (!arch_wse_program_call(self->program, function->function, &error)) {
        sandbox_raise(L, error);
    }
}

/* pe:call(function [, { argument, ... } [, to]]): the variable with its result. */
static int call(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const WaferFunction *function = wafer_function_check(L, self, 2);
    ArchWseOperand operands[WAFER_ARGUMENTS] = {0};
    guint count = 0;

    lua_settop(L, 4);
    if (!lua_isnil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        count = field_count(L, 3);
    }
    if (count != function->argument_count || (count > 0 && lua_rawlen(L, 3) != count)) {
        return luaL_error(L, "call: expected a list of %d arguments",
                          sim_i32(function->argument_count));
    }
    for (guint i = 0; i < count; i++) {
        lua_rawgeti(L, 3, (lua_Integer) i + 1);
        operands[i] =
            wafer_list_operand(L, self, 5, i + 1, function->arguments[i].type);
        lua_pop(L, 1);
    }
    wafer_function_call(L, self, function, operands);
    if (!function->has_result) {
        luaL_argcheck(L, lua_isnil(L, 4), 4, "the function has no result");
        return 0;
    }
    const guint to = wafer_target(L, self, 4, function->result.type);

    wafer_emit_move(L, self, function->result.type, to,
                    wafer_in_register(function->result.number));
    return 1;
}

/* pe:fn_pointer(function): an integer that pe:call_pointer calls it by. */
static int pointer(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const WaferFunction *function = wafer_function_check(L, self, 2);

    luaL_argcheck(L, function->argument_count == 0 && !function->has_result, 2,
                  "pointers are to functions without arguments and result");
    lua_pushinteger(L, (lua_Integer) function->function + 1);
    return 1;
}

/* pe:call_pointer(variable) */
static int call_pointer(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const guint variable = wafer_variable_check(L, self, 2, ARCH_WSE_U16);
    GError *error = NULL;

    return wafer_pe_end(
        L, arch_wse_program_call_pointer(self->program, variable, &error), &error);
}

/* The function that is being emitted, if it has a result. */
static const WaferFunction *open_function(lua_State *L, const WaferPe *self)
{
    const WaferFunction *function =
        self->function == 0
            ? NULL
            : &g_array_index(self->functions, WaferFunction, self->function - 1);

    if (function == NULL || !function->has_result) {
        luaL_argerror(L, 2, "only a function with a result returns a value");
    }
    return function;
}

/* pe:return_([x]) */
static int leave(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;

    if (!lua_isnoneornil(L, 2)) {
        const WaferValue result = open_function(L, self)->result;

        wafer_emit_move(L, self, result.type, result.number,
                        wafer_operand_check(L, self, 2, result.type));
    }
    return wafer_pe_end(L, arch_wse_program_return(self->program, &error), &error);
}

const ApiCall wafer_function_methods[] = {
    {"fn", make,
     "(name: string, f: fun(...: gl.Variable), options?: { arguments?: gl.Type[], "
     "result?: gl.Type, export?: boolean }): gl.Function"},
    {"call", call,
     "(f: gl.Function, arguments?: (number|gl.Variable)[], to?: gl.Variable): "
     "gl.Variable?"},
    {"unblock_cmd_stream", unblock_cmd_stream, "()"},
    {"fn_pointer", pointer, "(f: gl.Function): integer"},
    {"call_pointer", call_pointer, "(pointer: gl.Variable)"},
    {"return_", leave, "(value?: number|gl.Variable)"},
    {0},
};
