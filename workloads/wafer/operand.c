/* Reads numbers and variables of scalar code from a script's arguments. */
#include "workloads/wafer/operand.h"

#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "arch/number/half.h"
#include "sim/narrow.h"

const char *const wafer_type_names[] = {[ARCH_WSE_F16] = "f16",
                                        [ARCH_WSE_F32] = "f32",
                                        [ARCH_WSE_I16] = "i16",
                                        [ARCH_WSE_U16] = "u16",
                                        [ARCH_WSE_I32] = "i32",
                                        [ARCH_WSE_U32] = "u32",
                                        [ARCH_WSE_I8] = "i8",
                                        [ARCH_WSE_U8] = "u8",
                                        [ARCH_WSE_I64] = "i64",
                                        [ARCH_WSE_U64] = "u64",
                                        NULL};

/* Whole numbers that constants of a type may be: the machine has none of more than 32
 * bits. */
static const struct {
    lua_Integer least;
    lua_Integer most;
} ranges[] = {
    [ARCH_WSE_F16] = {0, 0},
    [ARCH_WSE_F32] = {0, 0},
    [ARCH_WSE_I16] = {INT16_MIN, INT16_MAX},
    [ARCH_WSE_U16] = {0, UINT16_MAX},
    [ARCH_WSE_I32] = {INT32_MIN, INT32_MAX},
    [ARCH_WSE_U32] = {0, UINT32_MAX},
    [ARCH_WSE_I8] = {INT8_MIN, INT8_MAX},
    [ARCH_WSE_U8] = {0, UINT8_MAX},
    [ARCH_WSE_I64] = {INT32_MIN, INT32_MAX},
    [ARCH_WSE_U64] = {0, INT32_MAX},
};

static bool is_float(ArchWseType type)
{
    return type == ARCH_WSE_F16 || type == ARCH_WSE_F32;
}

static bool is_wide(ArchWseType type)
{
    return type == ARCH_WSE_I64 || type == ARCH_WSE_U64;
}

int32_t wafer_low_word(int64_t bits)
{
    const int64_t low = (int64_t) ((uint64_t) bits & UINT32_MAX);

    return sim_i32(low > INT32_MAX ? low - UINT32_MAX - 1 : low);
}

ArchWseOperand wafer_in_register(guint variable)
{
    return (ArchWseOperand){.is_variable = true, .value = sim_i32(variable)};
}

ArchWseOperand wafer_constant(int32_t value)
{
    return (ArchWseOperand){.value = value};
}

ArchWseType wafer_type_check(lua_State *L, int index)
{
    return (ArchWseType) luaL_checkoption(L, index, NULL, wafer_type_names);
}

static int64_t float_bits(ArchWseType type, double value)
{
    const float rounded = (float) value;
    uint32_t bits = 0;

    if (type == ARCH_WSE_F16) {
        return arch_half_from_double(value);
    }
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

int64_t wafer_number_check(
    lua_State *L, int index, ArchWseType type, const char *what, const char *other)
{
    const double real = lua_tonumber(L, index);
    int is_integer = 0;
    const lua_Integer value = lua_tointegerx(L, index, &is_integer);

    if (is_float(type)) {
        if (lua_type(L, index) != LUA_TNUMBER || isnan(real)) {
            luaL_error(L, "%s: expected a number of %s%s", what, wafer_type_names[type],
                       other);
        }
        return float_bits(type, real);
    }
    if (lua_type(L, index) != LUA_TNUMBER || is_integer == 0 ||
        value < ranges[type].least || value > ranges[type].most) {
        luaL_error(L, "%s: expected an integer of %I to %I%s", what, ranges[type].least,
                   ranges[type].most, other);
    }
    return value;
}

static bool holds(const WaferValue *variable, ArchWseType type)
{
    if (!variable->is_typed) {
        return !is_wide(type);
    }
    return variable->type == type || (!is_float(type) && !is_float(variable->type) &&
                                      !is_wide(type) && !is_wide(variable->type));
}

/* The register of the variable at `index`. */
static guint check_register(
    lua_State *L, const WaferPe *self, int index, ArchWseType type, const char *what)
{
    const WaferValue *variable =
        wafer_value_check(L, index, WAFER_VARIABLE, self->serial, what);

    if (!holds(variable, type)) {
        luaL_error(L, "%s: expected a variable of type %s, got one %s%s", what,
                   wafer_type_names[type],
                   variable->is_typed ? "of type " : "without a type",
                   variable->is_typed ? wafer_type_names[variable->type] : "");
    }
    return variable->number;
}

static ArchWseOperand check_operand(
    lua_State *L, const WaferPe *self, int index, ArchWseType type, const char *what)
{
    return lua_type(L, index) == LUA_TNUMBER
               ? wafer_constant(wafer_low_word(
                     wafer_number_check(L, index, type, what, " or a variable")))
               : wafer_in_register(check_register(L, self, index, type, what));
}

guint wafer_variable_check(lua_State *L,
                           const WaferPe *self,
                           int index,
                           ArchWseType type)
{
    const char *what = lua_pushfstring(L, "argument %d", index - 1);
    const guint variable = check_register(L, self, index, type, what);

    lua_pop(L, 1);
    return variable;
}

guint wafer_variable_any(lua_State *L, const WaferPe *self, int index)
{
    return wafer_value_argument(L, self, index, WAFER_VARIABLE)->number;
}

ArchWseOperand
wafer_operand_check(lua_State *L, const WaferPe *self, int index, ArchWseType type)
{
    const char *what = lua_pushfstring(L, "argument %d", index - 1);
    const ArchWseOperand operand = check_operand(L, self, index, type, what);

    lua_pop(L, 1);
    return operand;
}

ArchWseOperand wafer_list_operand(
    lua_State *L, const WaferPe *self, int index, guint number, ArchWseType type)
{
    const char *what = lua_pushfstring(L, "number %d of the list", sim_i32(number));
    const ArchWseOperand operand = check_operand(L, self, index, type, what);

    lua_pop(L, 1);
    return operand;
}

ArchWseOperand wafer_operand_integer(lua_State *L, const WaferPe *self, int index)
{
    int is_integer = 0;
    const lua_Integer value = lua_tointegerx(L, index, &is_integer);

    if (lua_type(L, index) != LUA_TNUMBER) {
        return wafer_in_register(wafer_variable_check(L, self, index, ARCH_WSE_I32));
    }
    luaL_argcheck(L, is_integer != 0 && value >= INT32_MIN && value <= UINT32_MAX,
                  index, "expected an integer of 32 bits or a variable");
    return wafer_constant(wafer_low_word(value));
}

WaferValue wafer_variable_new(
    lua_State *L, const WaferPe *self, const char *name, ArchWseType type, int64_t bits)
{
    WaferValue value = {
        .kind = WAFER_VARIABLE,
        .owner = self->serial,
        .type = type,
        .is_typed = true,
        .increment = ARCH_WSE_NONE,
    };
    guint upper = 0;
    GError *error = NULL;

    if (!arch_wse_program_variable(self->program, name, wafer_low_word(bits),
                                   &value.number, &error) ||
        (is_wide(type) &&
         !arch_wse_program_variable(self->program, NULL, bits < 0 ? -1 : 0, &upper,
                                    &error))) {
        sandbox_raise(L, error);
    }
    return value;
}

guint wafer_pair_new(lua_State *L, const WaferPe *self, int64_t bits)
{
    const int64_t words[] = {(int64_t) ((uint64_t) bits & UINT32_MAX),
                             (int64_t) ((uint64_t) bits >> 32)};
    guint first = 0;
    guint second = 0;
    GError *error = NULL;

    if (!arch_wse_program_variable(self->program, NULL, wafer_low_word(words[0]),
                                   &first, &error) ||
        !arch_wse_program_variable(self->program, NULL, wafer_low_word(words[1]),
                                   &second, &error)) {
        sandbox_raise(L, error);
    }
    return first;
}

guint wafer_target(lua_State *L, const WaferPe *self, int index, ArchWseType type)
{
    if (lua_isnoneornil(L, index)) {
        const WaferValue value = wafer_variable_new(L, self, NULL, type, 0);

        (void) wafer_value_push(L, &value);
        return value.number;
    }
    const guint number = wafer_variable_check(L, self, index, type);

    lua_pushvalue(L, index);
    return number;
}

guint wafer_scratch(lua_State *L, WaferPe *self)
{
    GError *error = NULL;

    if (self->scratch == ARCH_WSE_NONE &&
        !arch_wse_program_variable(self->program, NULL, 0, &self->scratch, &error)) {
        sandbox_raise(L, error);
    }
    return self->scratch;
}
