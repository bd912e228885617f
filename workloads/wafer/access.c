/* Loads and stores of numbers in memory as methods of `pe`. */

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/wafer/emit.h"
#include "workloads/wafer/operand.h"

enum {
    ADDRESSES = 65536,
};

/* A place in memory: bytes from `base` on. */
typedef struct {
    ArchWseOperand base;
    int offset;
} Place;

/* The constant at `index`, of one of the array's numbers. */
static guint check_constant(lua_State *L, const WaferValue *array, int index)
{
    int is_integer = 0;
    const lua_Integer number = lua_tointegerx(L, index, &is_integer);

    if (is_integer == 0 || number < 0 || number >= (lua_Integer) array->count) {
        luaL_error(L, "argument %d: expected an integer of 0 to %d or a variable",
                   index - 1, sim_i32(array->count) - 1);
    }
    return sim_u32(number);
}

/* The number of an array that the argument at `index` says. */
static Place
check_place(lua_State *L, WaferPe *self, const WaferValue *array, int index)
{
    const guint bytes = arch_wse_type_bytes(array->type);

    if (lua_type(L, index) == LUA_TNUMBER) {
        return (Place){.base = wafer_constant(sim_i32(array->address)),
                       .offset =
                           sim_i32((uint64_t) check_constant(L, array, index) * bytes)};
    }
    const ArchWseOperand number =
        wafer_in_register(wafer_variable_check(L, self, index, ARCH_WSE_U16));

    if (bytes == 1) {
        return (Place){.base = number, .offset = sim_i32(array->address)};
    }
    const guint scratch = wafer_scratch(L, self);

    wafer_emit(L, self,
               &(WaferOperation){
                   .name = "shl",
                   .type = ARCH_WSE_U16,
                   .to = scratch,
                   .operands = {number, wafer_constant(g_bit_nth_msf(bytes, -1))}});
    return (Place){.base = wafer_in_register(scratch),
                   .offset = sim_i32(array->address)};
}

/* The address at `index`. */
static Place check_address(lua_State *L, const WaferPe *self, int index)
{
    return (Place){.base = wafer_operand_check(L, self, index, ARCH_WSE_U16)};
}

static int load_from(
    lua_State *L, const WaferPe *self, ArchWseType type, const Place *place, int to)
{
    const guint variable = wafer_target(L, self, to, type);
    GError *error = NULL;

    return arch_wse_program_load(self->program, type, variable, place->base,
                                 place->offset, &error)
               ? 1
               : sandbox_raise(L, error);
}

static int store_to(lua_State *L,
                    const WaferPe *self,
                    ArchWseType type,
                    const Place *place,
                    ArchWseOperand number)
{
    GError *error = NULL;

    return wafer_pe_end(L,
                        arch_wse_program_store(self->program, type, number, place->base,
                                               place->offset, &error),
                        &error);
}

/* pe:load(array, index [, to]) */
static int load(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const WaferValue *array = wafer_value_argument(L, self, 2, WAFER_ARRAY);

    lua_settop(L, 4);
    const Place place = check_place(L, self, array, 3);

    return load_from(L, self, array->type, &place, 4);
}

/* pe:store(array, index, x) */
static int store(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const WaferValue *array = wafer_value_argument(L, self, 2, WAFER_ARRAY);
    const ArchWseOperand number = wafer_operand_check(L, self, 4, array->type);
    const Place place = check_place(L, self, array, 3);

    return store_to(L, self, array->type, &place, number);
}

/* pe:load_at(type, address [, to]) */
static int load_at(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const ArchWseType type = wafer_type_check(L, 2);
    const Place place = check_address(L, self, 3);

    lua_settop(L, 4);
    return load_from(L, self, type, &place, 4);
}

/* pe:store_at(type, address, x) */
static int store_at(lua_State *L)
{
    const WaferPe *self = wafer_pe_check(L);
    const ArchWseType type = wafer_type_check(L, 2);
    const Place place = check_address(L, self, 3);

    return store_to(L, self, type, &place, wafer_operand_check(L, self, 4, type));
}

/* pe:address(array [, index]): an integer, or a variable if the index is one. */
static int address(lua_State *L)
{
    WaferPe *self = wafer_pe_check(L);
    const WaferValue *array = wafer_value_argument(L, self, 2, WAFER_ARRAY);
    Place place = {.base = wafer_constant(sim_i32(array->address))};
    GError *error = NULL;

    if (!lua_isnoneornil(L, 3)) {
        place = check_place(L, self, array, 3);
    }
    if (!place.base.is_variable) {
        lua_pushinteger(L, (place.base.value + place.offset) % ADDRESSES);
        return 1;
    }
    const ArchWseOperand sum[] = {place.base, wafer_constant(place.offset)};
    const guint to = wafer_target(L, self, 4, ARCH_WSE_U16);

    return arch_wse_program_operate(self->program, "add", ARCH_WSE_U16, to, sum, &error)
               ? 1
               : sandbox_raise(L, error);
}

const ApiCall wafer_access_methods[] = {
    {"load", load,
     "(array: gl.Array, index: integer|gl.Variable, to?: gl.Variable): gl.Variable"},
    {"store", store,
     "(array: gl.Array, index: integer|gl.Variable, value: number|gl.Variable)"},
    {"load_at", load_at,
     "(type: gl.Type, address: integer|gl.Variable, to?: gl.Variable): gl.Variable"},
    {"store_at", store_at,
     "(type: gl.Type, address: integer|gl.Variable, value: number|gl.Variable)"},
    {"address", address,
     "(array: gl.Array, index?: integer|gl.Variable): integer|gl.Variable"},
    {0},
};
