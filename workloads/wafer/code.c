/* Scalar code, branches and marks as methods of `pe`. */

#include "arch/error.h"
#include "sim/narrow.h"
#include "workloads/host/report.h"
#include "workloads/wafer/color.h"
#include "workloads/wafer/pe.h"

/* The value at `index`, of which the call is argument `index` - 1. */
static guint
check_value(lua_State *L, const WaferPe *self, int index, WaferValueKind kind)
{
    lua_pushfstring(L, "argument %d", index - 1);
    guint number =
        wafer_value_check(L, index, kind, self->serial, lua_tostring(L, -1))->number;

    lua_pop(L, 1);
    return number;
}

static ArchWseOperand check_operand(lua_State *L, const WaferPe *self, int index)
{
    int is_integer = 0;
    lua_Integer value = lua_tointegerx(L, index, &is_integer);

    if (lua_type(L, index) != LUA_TNUMBER) {
        return (ArchWseOperand){
            .is_variable = true,
            .value = sim_i32(check_value(L, self, index, WAFER_VARIABLE))};
    }
    luaL_argcheck(L, is_integer != 0 && value >= INT32_MIN && value <= INT32_MAX, index,
                  "expected an integer of 32 bits or a variable");
    return (ArchWseOperand){.value = sim_i32(value)};
}

static ArchWseRelation check_relation(lua_State *L, int index)
{
    static const char *const names[] = {[ARCH_WSE_EQUAL] = "==",
                                        [ARCH_WSE_NOT_EQUAL] = "~=",
                                        [ARCH_WSE_LESS] = "<",
                                        [ARCH_WSE_LESS_EQUAL] = "<=",
                                        [ARCH_WSE_GREATER] = ">",
                                        [ARCH_WSE_GREATER_EQUAL] = ">=",
                                        NULL};

    return (ArchWseRelation) luaL_checkoption(L, index, NULL, names);
}

/* pe:activate(id), pe:block(id), pe:unblock(id): before the start, or in a task. */
static int change_task(lua_State *L, bool (*change)(ArchWseProgram *, guint, GError **))
{
    WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;

    return wafer_pe_end(L, change(self->program, wafer_pe_number(L, 2), &error),
                        &error);
}

static int activate(lua_State *L)
{
    return change_task(L, arch_wse_program_activate);
}

static int block(lua_State *L)
{
    return change_task(L, arch_wse_program_block);
}

static int unblock(lua_State *L)
{
    return change_task(L, arch_wse_program_unblock);
}

typedef bool
ChangeVariable(ArchWseProgram *, guint variable, ArchWseOperand operand, GError **);

static int change_variable(lua_State *L, ChangeVariable *change)
{
    WaferPe *self = wafer_pe_check(L);
    guint variable = check_value(L, self, 2, WAFER_VARIABLE);
    ArchWseOperand operand = check_operand(L, self, 3);
    GError *error = NULL;

    return wafer_pe_end(L, change(self->program, variable, operand, &error), &error);
}

/* pe:assign(variable, x) */
static int assign(lua_State *L)
{
    return change_variable(L, arch_wse_program_assign);
}

/* pe:add(variable, x) */
static int add(lua_State *L)
{
    return change_variable(L, arch_wse_program_add);
}

/* pe:increment_dsd_offset(descriptor, x) */
static int increment_dsd_offset(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const WaferValue *descriptor =
        wafer_value_check(L, 2, WAFER_DESCRIPTOR, self->serial, "argument 1");
    ArchWseOperand operand = check_operand(L, self, 3);
    GError *error = NULL;

    luaL_argcheck(L, descriptor->increment != ARCH_WSE_NONE && !descriptor->is_value, 2,
                  "the descriptor was made without increment = variable");
    return wafer_pe_end(
        L, arch_wse_program_add(self->program, descriptor->increment, operand, &error),
        &error);
}

/* The bodies at 5 and, where there is one, at 6, of a branch that has begun. */
static int emit_branches(lua_State *L, WaferPe *self)
{
    GError *error = NULL;

    wafer_pe_body(L, self, 5, 0);
    if (!lua_isnoneornil(L, 6)) {
        if (!arch_wse_program_begin_else(self->program, &error)) {
            return sandbox_raise(L, error);
        }
        wafer_pe_body(L, self, 6, 0);
    }
    return wafer_pe_end(L, arch_wse_program_end_if(self->program, &error), &error);
}

static void check_bodies(lua_State *L, bool may_have_else)
{
    luaL_checktype(L, 5, LUA_TFUNCTION);
    if (!lua_isnoneornil(L, 6)) {
        luaL_argcheck(L, may_have_else, 6, "one body only");
        luaL_checktype(L, 6, LUA_TFUNCTION);
    }
}

/* pe:when(variable, relation, x, function [, function]) */
static int when(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    guint variable = check_value(L, self, 2, WAFER_VARIABLE);
    ArchWseRelation relation = check_relation(L, 3);
    ArchWseOperand operand = check_operand(L, self, 4);
    GError *error = NULL;

    check_bodies(L, true);
    return arch_wse_program_begin_if(self->program, variable, relation, operand, &error)
               ? emit_branches(L, self)
               : sandbox_raise(L, error);
}

/* pe:when_scalar(scalar, relation, scalar, function [, function]) */
static int when_scalar(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    guint source0 = check_value(L, self, 2, WAFER_ARRAY);
    ArchWseRelation relation = check_relation(L, 3);
    guint source1 = check_value(L, self, 4, WAFER_ARRAY);
    GError *error = NULL;

    check_bodies(L, true);
    if (!self->has_data) {
        return sandbox_raise(
            L, g_error_new(ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                           "program %s: pe:when_scalar depends on data, of which a "
                           "--timing-only run has none",
                           arch_wse_program_name(self->program)));
    }
    if (!arch_wse_program_begin_if_scalar(self->program, source0, relation, source1,
                                          &error)) {
        return sandbox_raise(L, error);
    }
    return emit_branches(L, self);
}

/* pe:while_(variable, relation, x, function) */
static int repeat_while(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    guint variable = check_value(L, self, 2, WAFER_VARIABLE);
    ArchWseRelation relation = check_relation(L, 3);
    ArchWseOperand operand = check_operand(L, self, 4);
    GError *error = NULL;

    check_bodies(L, false);
    if (!arch_wse_program_begin_while(self->program, variable, relation, operand,
                                      &error)) {
        return sandbox_raise(L, error);
    }
    wafer_pe_body(L, self, 5, 0);
    return wafer_pe_end(L, arch_wse_program_end_while(self->program, &error), &error);
}

/* pe:scalar_op(name, destination, a [, b]) */
static int scalar_op(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const char *name = luaL_checkstring(L, 2);
    guint destination = check_value(L, self, 3, WAFER_ARRAY);
    guint source0 = check_value(L, self, 4, WAFER_ARRAY);
    guint source1 =
        lua_isnoneornil(L, 5) ? ARCH_WSE_NONE : check_value(L, self, 5, WAFER_ARRAY);
    GError *error = NULL;

    return wafer_pe_end(L,
                        arch_wse_program_scalar(self->program, name, destination,
                                                source0, source1, &error),
                        &error);
}

/* pe:set_route(color, rx, tx) */
static int set_route(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    guint color = wafer_pe_number(L, 2);
    guint rx = wafer_direction_check(L, 3, "rx");
    guint tx = wafer_direction_check(L, 4, "tx");
    GError *error = NULL;

    return wafer_pe_end(L, arch_wse_program_route(self->program, color, rx, tx, &error),
                        &error);
}

/* pe:teardown_exit(color) */
static int teardown_exit(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;

    return wafer_pe_end(
        L, arch_wse_program_teardown_exit(self->program, wafer_pe_number(L, 2), &error),
        &error);
}

/* pe:phase(name): "" for none. */
static int phase(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const char *name = luaL_checkstring(L, 2);
    GError *error = NULL;

    /* It becomes part of a metric's name. */
    if (*name != '\0') {
        name = report_check_name(L, 2);
    }
    return wafer_pe_end(L, arch_wse_program_phase(self->program, name, &error), &error);
}

/* pe:zone(name): "" for none. */
static int zone(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const char *name = luaL_checkstring(L, 2);
    GError *error = NULL;

    return wafer_pe_end(L, arch_wse_program_zone(self->program, name, &error), &error);
}

/* pe:print(text [, variable]) */
static int print(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const char *text = luaL_checkstring(L, 2);
    const guint variable =
        lua_isnoneornil(L, 3) ? ARCH_WSE_NONE : check_value(L, self, 3, WAFER_VARIABLE);
    GError *error = NULL;

    luaL_argcheck(L, g_utf8_validate(text, -1, NULL), 2, "the text is not UTF-8");
    return wafer_pe_end(
        L, arch_wse_program_print(self->program, text, variable, &error), &error);
}

/* pe:iteration_done() */
static int iteration_done(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;

    return wafer_pe_end(L, arch_wse_program_iteration(self->program, &error), &error);
}

const ApiCall wafer_code_methods[] = {
    {"activate", activate, "(task: integer)"},
    {"block", block, "(task: integer)"},
    {"unblock", unblock, "(task: integer)"},
    {"assign", assign, "(variable: gl.Variable, value: integer|gl.Variable)"},
    {"add", add, "(variable: gl.Variable, value: integer|gl.Variable)"},
    {"increment_dsd_offset", increment_dsd_offset,
     "(dsd: gl.Dsd, value: integer|gl.Variable)"},
    {"when", when,
     "(variable: gl.Variable, relation: gl.Relation, value: integer|gl.Variable, f: "
     "fun(), else_f?: fun())"},
    {"when_scalar", when_scalar,
     "(a: gl.Array|number, relation: gl.Relation, b: gl.Array|number, f: fun(), "
     "else_f?: fun())"},
    {"while_", repeat_while,
     "(variable: gl.Variable, relation: gl.Relation, value: integer|gl.Variable, f: "
     "fun())"},
    {"scalar_op", scalar_op,
     "(operation: \"add\"|\"sub\"|\"mul\"|\"div\"|\"max\"|\"neg\"|\"sqrt\"|\"mov\", "
     "to: gl.Array, a: gl.Array|number, b?: gl.Array|number)"},
    {"set_route", set_route, "(color: integer, rx: gl.Ports, tx: gl.Ports)"},
    {"teardown_exit", teardown_exit, "(color: integer)"},
    {"phase", phase, "(name: string)"},
    {"zone", zone, "(name: string)"},
    {"print", print, "(text: string, variable?: gl.Variable)"},
    {"iteration_done", iteration_done, "()"},
    {0},
};
