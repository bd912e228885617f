/* The scalar machine, its registers and its router as methods of `pe`. */

#include "workloads/sandbox/sandbox.h"
#include "workloads/wafer/operand.h"

/* Comparisons give 0 or 1. */
static ArchWseType result_type(const char *name, ArchWseType type)
{
    static const char *const comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge", NULL};

    return g_strv_contains(comparisons, name) ? ARCH_WSE_U16 : type;
}

/* pe:operate(name, type, to, a [, b]) */
static int operate(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const char *name = luaL_checkstring(L, 2);
    const ArchWseType type = wafer_type_check(L, 3);
    ArchWseOperand operands[2] = {wafer_operand_check(L, self, 5, type)};
    GError *error = NULL;

    lua_settop(L, 6);
    if (!lua_isnil(L, 6)) {
        operands[1] = wafer_operand_check(L, self, 6, type);
    }
    const guint to = wafer_target(L, self, 4, result_type(name, type));

    return arch_wse_program_operate(self->program, name, type, to, operands, &error)
               ? 1
               : sandbox_raise(L, error);
}

/* pe:as(type, x [, to]): x as a number of the type. */
static int as(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const ArchWseType type = wafer_type_check(L, 2);
    const WaferValue *from = wafer_value_argument(L, self, 3, WAFER_VARIABLE);
    GError *error = NULL;

    lua_settop(L, 4);
    const guint to = wafer_target(L, self, 4, type);

    return arch_wse_program_convert(self->program, from->type, type, to,
                                    wafer_in_register(from->number), &error)
               ? 1
               : sandbox_raise(L, error);
}

/* The integer with a type's bits: how registers extend it. */
static ArchWseType extension(ArchWseType type)
{
    if (type == ARCH_WSE_F16) {
        return ARCH_WSE_U16;
    }
    return type == ARCH_WSE_F32 ? ARCH_WSE_U32 : type;
}

/* pe:bitcast(type, x): the same bits as a number of the type. */
static int bitcast(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const ArchWseType type = wafer_type_check(L, 2);
    WaferValue value = *wafer_value_argument(L, self, 3, WAFER_VARIABLE);
    const ArchWseType from = value.type;
    GError *error = NULL;

    if (arch_wse_type_bytes(type) != arch_wse_type_bytes(from)) {
        return luaL_error(L, "bitcast: %s and %s have different sizes",
                          arch_wse_type_name(from), arch_wse_type_name(type));
    }
    if (extension(from) == extension(type) || arch_wse_type_bytes(type) >= 4) {
        value.type = type;
        value.is_typed = true;
        return wafer_value_push(L, &value);
    }
    const guint to = wafer_target(L, self, 4, type);

    return arch_wse_program_convert(self->program, extension(from), extension(type), to,
                                    wafer_in_register(value.number), &error)
               ? 1
               : sandbox_raise(L, error);
}

/* What the PE knows of itself, in the variable at 2 or a new one. */
static int sense(lua_State *L, ArchWseSense what, ArchWseType type)
{
    WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;
    const guint to = wafer_target(L, self, 2, type);

    return arch_wse_program_sense(self->program, what, to, &error)
               ? 1
               : sandbox_raise(L, error);
}

/* pe:get_timestamp([to]) */
static int get_timestamp(lua_State *L)
{
    return sense(L, ARCH_WSE_CLOCK, ARCH_WSE_U64);
}

/* pe:get_x_coord([to]) */
static int get_x_coord(lua_State *L)
{
    return sense(L, ARCH_WSE_COLUMN, ARCH_WSE_U16);
}

/* pe:get_y_coord([to]) */
static int get_y_coord(lua_State *L)
{
    return sense(L, ARCH_WSE_ROW, ARCH_WSE_U16);
}

/* pe:random16([to]) */
static int random16(lua_State *L)
{
    return sense(L, ARCH_WSE_RANDOM, ARCH_WSE_U16);
}

/* pe:random_seed(x) */
static int random_seed(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const ArchWseOperand seed = wafer_operand_check(L, self, 2, ARCH_WSE_U32);
    GError *error = NULL;

    return wafer_pe_end(L, arch_wse_program_seed(self->program, seed, &error), &error);
}

/* pe:set_config(address, x) */
static int set_config(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const ArchWseOperand address = wafer_operand_integer(L, self, 2);
    const ArchWseOperand value = wafer_operand_integer(L, self, 3);
    GError *error = NULL;

    return wafer_pe_end(
        L, arch_wse_program_set_config(self->program, address, value, &error), &error);
}

/* pe:get_config(variable, address) */
static int get_config(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const guint variable = wafer_variable_check(L, self, 2, ARCH_WSE_U16);
    const ArchWseOperand address = wafer_operand_integer(L, self, 3);
    GError *error = NULL;

    return wafer_pe_end(
        L, arch_wse_program_get_config(self->program, variable, address, &error),
        &error);
}

/* pe:set_teardown_handler(color, name, function) */
static int set_teardown_handler(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const guint color = wafer_pe_number(L, 2);
    const char *name = luaL_checkstring(L, 3);
    GError *error = NULL;
    guint function = 0;

    luaL_checktype(L, 4, LUA_TFUNCTION);
    if (!arch_wse_program_function(self->program, name, &function, &error) ||
        !arch_wse_program_begin_function(self->program, function, &error)) {
        return sandbox_raise(L, error);
    }
    self->loop_count = 0;
    wafer_pe_body(L, self, 4, 0);
    return wafer_pe_end(
        L,
        arch_wse_program_end_function(self->program, &error) &&
            arch_wse_program_teardown_handler(self->program, function, color, &error),
        &error);
}

const ApiCall wafer_machine_methods[] = {
    {"operate", operate,
     "(operation: string, type: gl.Type, to: gl.Variable?, a: number|gl.Variable, b?: "
     "number|gl.Variable): gl.Variable"},
    {"as", as, "(type: gl.Type, a: gl.Variable, to?: gl.Variable): gl.Variable"},
    {"bitcast", bitcast, "(type: gl.Type, a: gl.Variable): gl.Variable"},
    {"get_timestamp", get_timestamp, "(to?: gl.Variable): gl.Variable"},
    {"get_x_coord", get_x_coord, "(to?: gl.Variable): gl.Variable"},
    {"get_y_coord", get_y_coord, "(to?: gl.Variable): gl.Variable"},
    {"random16", random16, "(to?: gl.Variable): gl.Variable"},
    {"random_seed", random_seed, "(seed: integer|gl.Variable)"},
    {"set_config", set_config,
     "(address: integer|gl.Variable, value: integer|gl.Variable)"},
    {"get_config", get_config, "(to: gl.Variable, address: integer|gl.Variable)"},
    {"set_teardown_handler", set_teardown_handler,
     "(color: integer, name: string, f: fun())"},
    {0},
};
