/* Conditions and loops as methods of `pe`. */

#include <lauxlib.h>

#include "arch/error.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/wafer/emit.h"
#include "workloads/wafer/operand.h"

static const char *const relation_names[] = {[ARCH_WSE_EQUAL] = "==",
                                             [ARCH_WSE_NOT_EQUAL] = "~=",
                                             [ARCH_WSE_LESS] = "<",
                                             [ARCH_WSE_LESS_EQUAL] = "<=",
                                             [ARCH_WSE_GREATER] = ">",
                                             [ARCH_WSE_GREATER_EQUAL] = ">=",
                                             NULL};

/* The same as operations of the scalar machine. */
static const char *const relation_operations[] = {
    [ARCH_WSE_EQUAL] = "eq",   [ARCH_WSE_NOT_EQUAL] = "ne",
    [ARCH_WSE_LESS] = "lt",    [ARCH_WSE_LESS_EQUAL] = "le",
    [ARCH_WSE_GREATER] = "gt", [ARCH_WSE_GREATER_EQUAL] = "ge"};

static ArchWseRelation check_relation(lua_State *L, int index)
{
    return (ArchWseRelation) luaL_checkoption(L, index, NULL, relation_names);
}

/* The type in which the variables at 2 and 4 are compared; false if they have none. */
static bool find_type(lua_State *L, ArchWseType *type)
{
    for (int index = 2; index <= 4; index += 2) {
        const WaferValue *value = wafer_value_test(L, index);

        if (value != NULL && value->kind == WAFER_VARIABLE && value->is_typed) {
            *type = value->type;
            return true;
        }
    }
    return false;
}

/* The condition of the arguments 1 to 3 in a register, and a jump to `label` unless it
 * holds. */
static void jump_unless(lua_State *L, WaferPe *self, ArchWseType type, guint label)
{
    const ArchWseOperand left =
        wafer_in_register(wafer_variable_check(L, self, 2, type));
    const ArchWseRelation relation = check_relation(L, 3);
    const ArchWseOperand right = wafer_operand_check(L, self, 4, type);
    const guint holds = wafer_scratch(L, self);

    wafer_emit(L, self,
               &(WaferOperation){.name = relation_operations[relation],
                                 .type = type,
                                 .to = holds,
                                 .operands = {left, right}});
    wafer_emit_jump_if(L, self, holds, true, label);
}

/* The bodies at `index` and, where there is one, after it. */
static void check_bodies(lua_State *L, int index)
{
    luaL_checktype(L, index, LUA_TFUNCTION);
    if (!lua_isnoneornil(L, index + 1)) {
        luaL_checktype(L, index + 1, LUA_TFUNCTION);
    }
}

/* Of a branch that has begun. */
static int emit_branches(lua_State *L, WaferPe *self)
{
    GError *error = NULL;

    wafer_pe_body(L, self, 5, 0);
    if (!lua_isnoneornil(L, 6)) {
        wafer_emit_check(L, arch_wse_program_begin_else(self->program, &error), &error);
        wafer_pe_body(L, self, 6, 0);
    }
    return wafer_pe_end(L, arch_wse_program_end_if(self->program, &error), &error);
}

/* Of a branch whose other side begins at `otherwise`. */
static int emit_sides(lua_State *L, WaferPe *self, int index, guint otherwise)
{
    wafer_pe_body(L, self, index, 0);
    if (lua_isnoneornil(L, index + 1)) {
        wafer_emit_place(L, self, otherwise);
        return 0;
    }
    const guint end = wafer_emit_label(L, self);

    wafer_emit_jump(L, self, end);
    wafer_emit_place(L, self, otherwise);
    wafer_pe_body(L, self, index + 1, 0);
    wafer_emit_place(L, self, end);
    return 0;
}

/* pe:when(variable, relation, x, function [, function]) or pe:when(variable, function
 * [, function]), unless it is 0. */
static int when(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const guint variable = wafer_variable_any(L, self, 2);
    ArchWseType type = ARCH_WSE_I32;
    GError *error = NULL;

    if (lua_isfunction(L, 3)) {
        check_bodies(L, 3);
        const guint otherwise = wafer_emit_label(L, self);

        wafer_emit_jump_if(L, self, wafer_variable_check(L, self, 2, ARCH_WSE_U16),
                           true, otherwise);
        return emit_sides(L, self, 3, otherwise);
    }
    if (find_type(L, &type)) {
        check_bodies(L, 5);
        const guint otherwise = wafer_emit_label(L, self);

        jump_unless(L, self, type, otherwise);
        return emit_sides(L, self, 5, otherwise);
    }
    const ArchWseRelation relation = check_relation(L, 3);
    const ArchWseOperand operand = wafer_operand_integer(L, self, 4);

    check_bodies(L, 5);
    wafer_emit_check(
        L,
        arch_wse_program_begin_if(self->program, variable, relation, operand, &error),
        &error);
    return emit_branches(L, self);
}

/* pe:when_scalar(scalar, relation, scalar, function [, function]) */
static int when_scalar(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const guint source0 = wafer_value_argument(L, self, 2, WAFER_ARRAY)->number;
    const ArchWseRelation relation = check_relation(L, 3);
    const guint source1 = wafer_value_argument(L, self, 4, WAFER_ARRAY)->number;
    GError *error = NULL;

    check_bodies(L, 5);
    if (!self->has_data) {
        return sandbox_raise(
            L, g_error_new(ARCH_ERROR, ARCH_ERROR_UNMODELLED,
                           "program %s: pe:when_scalar depends on data, of which a "
                           "--timing-only run has none",
                           arch_wse_program_name(self->program)));
    }
    wafer_emit_check(L,
                     arch_wse_program_begin_if_scalar(self->program, source0, relation,
                                                      source1, &error),
                     &error);
    return emit_branches(L, self);
}

/* pe:assert_(variable [, relation, x]): the run stops unless it holds. */
static int stop_unless(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const bool is_flag = lua_isnoneornil(L, 3);
    ArchWseType type = is_flag ? ARCH_WSE_U16 : ARCH_WSE_I32;
    GError *error = NULL;

    if (!is_flag) {
        (void) find_type(L, &type);
    }
    const guint failed = wafer_emit_label(L, self);
    const guint end = wafer_emit_label(L, self);

    if (is_flag) {
        wafer_emit_jump_if(L, self, wafer_variable_check(L, self, 2, type), true,
                           failed);
    } else {
        jump_unless(L, self, type, failed);
    }
    wafer_emit_jump(L, self, end);
    wafer_emit_place(L, self, failed);
    wafer_emit_check(L, arch_wse_program_stop(self->program, &error), &error);
    wafer_emit_place(L, self, end);
    return 0;
}

static WaferLoop *enter(lua_State *L, WaferPe *self)
{
    if (self->loop_count == WAFER_LOOPS) {
        luaL_error(L, "loops in loops, up to %d deep", WAFER_LOOPS);
    }
    WaferLoop *loop = &self->loops[self->loop_count];

    *loop = (WaferLoop){.end = wafer_emit_label(L, self),
                        .next = wafer_emit_label(L, self)};
    self->loop_count++;
    return loop;
}

static int leave(lua_State *L, WaferPe *self)
{
    wafer_emit_place(L, self, self->loops[--self->loop_count].end);
    return 0;
}

/* The body at `index`, and what is after it, which pe:continue_() leads to. */
static void emit_turn(lua_State *L, WaferPe *self, int index)
{
    const guint next = self->loops[self->loop_count - 1].next;

    wafer_pe_body(L, self, index, 0);
    wafer_emit_place(L, self, next);
    if (!lua_isnoneornil(L, index + 1)) {
        wafer_pe_body(L, self, index + 1, 0);
    }
}

/* while (variable relation operand), of integers without a type. */
static int repeat_plain(lua_State *L, WaferPe *self)
{
    const guint variable = wafer_variable_any(L, self, 2);
    const ArchWseRelation relation = check_relation(L, 3);
    const ArchWseOperand operand = wafer_operand_integer(L, self, 4);
    GError *error = NULL;

    check_bodies(L, 5);
    (void) enter(L, self);
    wafer_emit_check(L,
                     arch_wse_program_begin_while(self->program, variable, relation,
                                                  operand, &error),
                     &error);
    emit_turn(L, self, 5);
    wafer_emit_check(L, arch_wse_program_end_while(self->program, &error), &error);
    return leave(L, self);
}

/* Emits the condition, a function at 2, which returns a variable; a jump to the end if
 * that is 0. */
static void emit_condition(lua_State *L, WaferPe *self, guint end)
{
    lua_pushvalue(L, 2);
    self->depth++;
    lua_call(L, 0, 1);
    self->depth--;
    const WaferValue *value = wafer_value_check(
        L, lua_gettop(L), WAFER_VARIABLE, self->serial, "result of the condition");
    const guint variable = value->number;

    lua_pop(L, 1);
    wafer_emit_jump_if(L, self, variable, true, end);
}

/* pe:while_(variable, relation, x, function [, function]) or pe:while_(function,
 * function [, function]) */
static int repeat_while(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const bool has_condition = lua_isfunction(L, 2);
    const int body = has_condition ? 3 : 5;
    ArchWseType type = ARCH_WSE_I32;

    if (!has_condition && !find_type(L, &type)) {
        return repeat_plain(L, self);
    }
    check_bodies(L, body);
    const WaferLoop *loop = enter(L, self);
    const guint again = wafer_emit_label(L, self);

    wafer_emit_place(L, self, again);
    if (has_condition) {
        emit_condition(L, self, loop->end);
    } else {
        jump_unless(L, self, type, loop->end);
    }
    emit_turn(L, self, body);
    wafer_emit_jump(L, self, again);
    return leave(L, self);
}

/* The number at `index`, which the body cannot change. */
static ArchWseOperand
keep(lua_State *L, WaferPe *self, int index, ArchWseType type, ArchWseOperand missing)
{
    if (index == 0) {
        return missing;
    }
    const ArchWseOperand number = wafer_operand_check(L, self, index, type);

    if (!number.is_variable) {
        return number;
    }
    const guint kept = wafer_variable_new(L, self, NULL, type, 0).number;

    wafer_emit_move(L, self, type, kept, number);
    return wafer_in_register(kept);
}

/* pe:for_range(type, stop, function) or pe:for_range(type, start, stop [, step],
 * function) */
static int for_range(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const ArchWseType type = wafer_type_check(L, 2);
    const int body = lua_gettop(L);
    const int numbers = body - 3;

    if (numbers < 1 || numbers > 3 || !lua_isfunction(L, body) ||
        type == ARCH_WSE_F16 || type == ARCH_WSE_F32) {
        return luaL_error(L, "for_range: expected a type of integers, a stop or start, "
                             "stop and step, and a function");
    }
    const ArchWseOperand start =
        keep(L, self, numbers > 1 ? 3 : 0, type, wafer_constant(0));
    const ArchWseOperand stop = keep(L, self, numbers > 1 ? 4 : 3, type, start);
    const ArchWseOperand step =
        keep(L, self, numbers > 2 ? 5 : 0, type, wafer_constant(1));
    const bool is_down = !step.is_variable && step.value < 0;
    const WaferValue at = wafer_variable_new(L, self, NULL, type, 0);

    wafer_emit_move(L, self, type, at.number, start);
    const WaferLoop *loop = enter(L, self);
    const guint again = wafer_emit_label(L, self);
    const guint is_more = wafer_scratch(L, self);

    wafer_emit_place(L, self, again);
    wafer_emit(L, self,
               &(WaferOperation){.name = is_down ? "gt" : "lt",
                                 .type = type,
                                 .to = is_more,
                                 .operands = {wafer_in_register(at.number), stop}});
    wafer_emit_jump_if(L, self, is_more, true, loop->end);
    (void) wafer_value_push(L, &at);
    wafer_pe_body(L, self, body, 1);
    wafer_emit_place(L, self, loop->next);
    wafer_emit(L, self,
               &(WaferOperation){.name = "add",
                                 .type = type,
                                 .to = at.number,
                                 .operands = {wafer_in_register(at.number), step}});
    wafer_emit_jump(L, self, again);
    return leave(L, self);
}

static const WaferLoop *check_loop(lua_State *L, const WaferPe *self)
{
    if (self->loop_count == 0) {
        luaL_error(L, "there is no loop here to leave");
    }
    return &self->loops[self->loop_count - 1];
}

/* pe:break_() */
static int leave_loop(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);

    wafer_emit_jump(L, self, check_loop(L, self)->end);
    return 0;
}

/* pe:continue_() */
static int next_turn(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);

    wafer_emit_jump(L, self, check_loop(L, self)->next);
    return 0;
}

const ApiCall wafer_branch_methods[] = {
    {"when", when,
     "(variable: gl.Variable, relation: gl.Relation|fun(), value?: "
     "number|gl.Variable|fun(), f?: fun(), else_f?: fun())"},
    {"when_scalar", when_scalar,
     "(a: gl.Array|number, relation: gl.Relation, b: gl.Array|number, f: fun(), "
     "else_f?: fun())"},
    {"assert_", stop_unless,
     "(variable: gl.Variable, relation?: gl.Relation, value?: number|gl.Variable)"},
    {"while_", repeat_while,
     "(variable: gl.Variable|fun(): gl.Variable, relation: gl.Relation|fun(), value?: "
     "number|gl.Variable|fun(), f?: fun(), next_f?: fun())"},
    {"for_range", for_range,
     "(type: gl.Type, stop: integer|gl.Variable, ...: integer|gl.Variable|fun(i: "
     "gl.Variable))"},
    {"break_", leave_loop, "()"},
    {"continue_", next_turn, "()"},
    {0},
};
