/* The scalar machine, its registers and its router as methods of `pe`. */

#include "sim/narrow.h"
#include "workloads/host/report.h"
#include "workloads/wafer/pe.h"

static guint check_variable(lua_State *L, const WaferPe *self, int index)
{
    lua_pushfstring(L, "argument %d", index - 1);
    guint number =
        wafer_value_check(L, index, WAFER_VARIABLE, self->serial, lua_tostring(L, -1))
            ->number;

    lua_pop(L, 1);
    return number;
}

/* An integer of 32 bits, with or without a sign, or a variable. */
static ArchWseOperand check_operand(lua_State *L, const WaferPe *self, int index)
{
    int is_integer = 0;
    lua_Integer value = lua_tointegerx(L, index, &is_integer);

    if (lua_type(L, index) != LUA_TNUMBER) {
        return (ArchWseOperand){.is_variable = true,
                                .value = sim_i32(check_variable(L, self, index))};
    }
    luaL_argcheck(L, is_integer != 0 && value >= INT32_MIN && value <= UINT32_MAX,
                  index, "expected an integer of 32 bits or a variable");
    return (ArchWseOperand){
        .value = sim_i32(value > INT32_MAX ? value - UINT32_MAX - 1 : value)};
}

static ArchWseType check_type(lua_State *L, int index)
{
    return (ArchWseType) luaL_checkoption(L, index, NULL, wafer_type_names);
}

/* pe:operate(name, type, variable, a [, b]) */
static int operate(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const char *name = luaL_checkstring(L, 2);
    const ArchWseType type = check_type(L, 3);
    const guint variable = check_variable(L, self, 4);
    ArchWseOperand operands[2] = {check_operand(L, self, 5)};
    GError *error = NULL;

    if (!lua_isnoneornil(L, 6)) {
        operands[1] = check_operand(L, self, 6);
    }
    return wafer_pe_end(
        L,
        arch_wse_program_operate(self->program, name, type, variable, operands, &error),
        &error);
}

/* pe:random16(variable) */
static int random16(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    GError *error = NULL;

    return wafer_pe_end(L,
                        arch_wse_program_sense(self->program, ARCH_WSE_RANDOM,
                                               check_variable(L, self, 2), &error),
                        &error);
}

/* pe:set_config(address, x) */
static int set_config(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const ArchWseOperand address = check_operand(L, self, 2);
    const ArchWseOperand value = check_operand(L, self, 3);
    GError *error = NULL;

    return wafer_pe_end(
        L, arch_wse_program_set_config(self->program, address, value, &error), &error);
}

/* pe:get_config(variable, address) */
static int get_config(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const guint variable = check_variable(L, self, 2);
    const ArchWseOperand address = check_operand(L, self, 3);
    GError *error = NULL;

    return wafer_pe_end(
        L, arch_wse_program_get_config(self->program, variable, address, &error),
        &error);
}

/* pe:dsd_value(descriptor): one like it, whose length and stride can change from here
 * on. */
static int dsd_value(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const guint from =
        wafer_value_check(L, 2, WAFER_DESCRIPTOR, self->serial, "argument 1")->number;
    WaferValue value = {.kind = WAFER_DESCRIPTOR, .owner = self->serial};
    GError *error = NULL;
    guint upper = 0;

    if (!arch_wse_program_variable(self->program, NULL, 0, &value.increment, &error) ||
        !arch_wse_program_variable(self->program, NULL, 0, &upper, &error) ||
        !arch_wse_program_dsd_value(self->program, from, value.increment, &error) ||
        !arch_wse_program_register_dsd(self->program, ARCH_WSE_IN_DSD, value.increment,
                                       &value.number, &error)) {
        return sandbox_raise(L, error);
    }
    value.is_value = true;
    return wafer_value_push(L, &value);
}

static int set_dsd(lua_State *L, ArchWseDsdField field)
{
    WaferPe *self = wafer_pe_check(L);
    const WaferValue *value =
        wafer_value_check(L, 2, WAFER_DESCRIPTOR, self->serial, "argument 1");
    const ArchWseOperand operand = check_operand(L, self, 3);
    GError *error = NULL;

    luaL_argcheck(L, value->is_value, 2, "pe:dsd_value makes descriptors that change");
    return wafer_pe_end(L,
                        arch_wse_program_dsd_set(self->program, value->increment, field,
                                                 operand.is_variable, operand.value,
                                                 &error),
                        &error);
}

/* pe:set_dsd_length(value, x) */
static int set_dsd_length(lua_State *L)
{
    return set_dsd(L, ARCH_WSE_LENGTH);
}

/* pe:set_dsd_stride(value, x) */
static int set_dsd_stride(lua_State *L)
{
    return set_dsd(L, ARCH_WSE_STRIDE);
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
    wafer_pe_body(L, self, 4, 0);
    return wafer_pe_end(
        L,
        arch_wse_program_end_function(self->program, &error) &&
            arch_wse_program_teardown_handler(self->program, function, color, &error),
        &error);
}

const ApiCall wafer_machine_methods[] = {
    {"operate", operate,
     "(operation: string, type: gl.Type, to: gl.Variable, a: integer|gl.Variable, b?: "
     "integer|gl.Variable)"},
    {"random16", random16, "(to: gl.Variable)"},
    {"set_config", set_config,
     "(address: integer|gl.Variable, value: integer|gl.Variable)"},
    {"get_config", get_config, "(to: gl.Variable, address: integer|gl.Variable)"},
    {"dsd_value", dsd_value, "(dsd: gl.Dsd): gl.Dsd"},
    {"set_dsd_length", set_dsd_length, "(dsd: gl.Dsd, length: integer|gl.Variable)"},
    {"set_dsd_stride", set_dsd_stride, "(dsd: gl.Dsd, stride: integer|gl.Variable)"},
    {"set_teardown_handler", set_teardown_handler,
     "(color: integer, name: string, f: fun())"},
    {0},
};
