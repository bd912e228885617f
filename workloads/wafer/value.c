/* Parts of a PE's program as a Lua type. */
#include "workloads/wafer/value.h"

#include <lauxlib.h>

#define TYPE_NAME "gridloom.wafer_value"

enum {
    HALF = 16, /* bits */
};

static const char *const kind_names[] = {
    [WAFER_ARRAY] = "an array",
    [WAFER_VARIABLE] = "a variable",
    [WAFER_DESCRIPTOR] = "a descriptor",
    [WAFER_FUNCTION] = "a function",
    [WAFER_DSR] = "a DSR",
};

void wafer_value_register(lua_State *L)
{
    luaL_newmetatable(L, TYPE_NAME);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

int wafer_value_push(lua_State *L, const WaferValue *value)
{
    WaferValue *self = lua_newuserdatauv(L, sizeof *self, 0);

    *self = *value;
    luaL_setmetatable(L, TYPE_NAME);
    return 1;
}

const WaferValue *wafer_value_test(lua_State *L, int index)
{
    return luaL_testudata(L, index, TYPE_NAME);
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

const WaferValue *
wafer_value_argument(lua_State *L, const WaferPe *pe, int index, WaferValueKind kind)
{
    lua_pushfstring(L, "argument %d", index - 1);
    const WaferValue *value =
        wafer_value_check(L, index, kind, pe->serial, lua_tostring(L, -1));

    lua_pop(L, 1);
    return value;
}

int64_t wafer_value_words(const WaferValue *descriptor)
{
    const uint64_t low = (descriptor->address & UINT16_MAX) |
                         (uint64_t) (descriptor->count & UINT16_MAX) << HALF;
    const uint64_t stride = (uint64_t) descriptor->stride & UINT16_MAX;
    const uint64_t high = (descriptor->number & UINT16_MAX) | stride << HALF;

    return (int64_t) (low | high << 2 * HALF);
}
