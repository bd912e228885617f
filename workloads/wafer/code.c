/* Scalar code and marks as methods of `pe`. */

#include "workloads/host/report.h"
#include "workloads/wafer/color.h"
#include "workloads/wafer/operand.h"

/* pe:activate(id), pe:block(id), pe:unblock(id): before the start, or in a task, where
 * it may be a variable. */
static int change_task(lua_State *L,
                       ArchWseSignal signal,
                       bool (*change)(ArchWseProgram *, guint, GError **))
{
    WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;

    if (wafer_value_test(L, 2) != NULL) {
        const guint variable = wafer_variable_check(L, self, 2, ARCH_WSE_U16);

        return wafer_pe_end(
            L, arch_wse_program_signal(self->program, signal, variable, &error),
            &error);
    }

    return wafer_pe_end(L, change(self->program, wafer_pe_number(L, 2), &error),
                        &error);
}

static int activate(lua_State *L)
{
    return change_task(L, ARCH_WSE_ACTIVATE, arch_wse_program_activate);
}

static int block(lua_State *L)
{
    return change_task(L, ARCH_WSE_BLOCK, arch_wse_program_block);
}

static int unblock(lua_State *L)
{
    return change_task(L, ARCH_WSE_UNBLOCK, arch_wse_program_unblock);
}

typedef bool
ChangeVariable(ArchWseProgram *, guint variable, ArchWseOperand operand, GError **);

static int change_variable(lua_State *L, ChangeVariable *change)
{
    WaferPe *self = wafer_pe_check(L);
    guint variable = wafer_variable_check(L, self, 2, ARCH_WSE_I32);
    ArchWseOperand operand = wafer_operand_integer(L, self, 3);
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

/* pe:scalar_op(name, destination, a [, b]) */
static int scalar_op(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const char *name = luaL_checkstring(L, 2);
    guint destination = wafer_value_argument(L, self, 3, WAFER_ARRAY)->number;
    guint source0 = wafer_value_argument(L, self, 4, WAFER_ARRAY)->number;
    guint source1 = lua_isnoneornil(L, 5)
                        ? ARCH_WSE_NONE
                        : wafer_value_argument(L, self, 5, WAFER_ARRAY)->number;
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

/* A line of a text and a number of a type, piece by piece. */
static bool print_number(WaferPe *self,
                         const char *text,
                         const WaferValue *variable,
                         GError **error)
{
    g_autofree char *start = g_strconcat(text, " ", NULL);

    return arch_wse_program_print_text(self->program, start, error) &&
           arch_wse_program_print_value(self->program, variable->type, ARCH_WSE_DECIMAL,
                                        wafer_in_register(variable->number), error) &&
           arch_wse_program_print_text(self->program, "\n", error);
}

/* pe:print(text [, variable]) */
static int print(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const char *text = luaL_checkstring(L, 2);
    const WaferValue *variable =
        lua_isnoneornil(L, 3) ? NULL : wafer_value_argument(L, self, 3, WAFER_VARIABLE);
    GError *error = NULL;
    bool is_done;

    luaL_argcheck(L, g_utf8_validate(text, -1, NULL), 2, "the text is not UTF-8");
    if (variable != NULL && variable->is_typed) {
        luaL_argcheck(L, arch_wse_type_bytes(variable->type) <= 4, 3,
                      "numbers of 64 bits are not printed");
        is_done = print_number(self, text, variable, &error);
    } else {
        is_done = arch_wse_program_print(
            self->program, text, variable == NULL ? ARCH_WSE_NONE : variable->number,
            &error);
    }
    return wafer_pe_end(L, is_done, &error);
}

/* pe:iteration_done() */
static int iteration_done(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;

    return wafer_pe_end(L, arch_wse_program_iteration(self->program, &error), &error);
}

const ApiCall wafer_code_methods[] = {
    {"activate", activate, "(task: integer|gl.Variable)"},
    {"block", block, "(task: integer|gl.Variable)"},
    {"unblock", unblock, "(task: integer|gl.Variable)"},
    {"assign", assign, "(variable: gl.Variable, value: integer|gl.Variable)"},
    {"add", add, "(variable: gl.Variable, value: integer|gl.Variable)"},
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
