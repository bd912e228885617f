/* Operations of a RISC-V and their keys. */
#include "workloads/tensix/scalar.h"

#include <math.h>
#include <string.h>

#include <glib.h>
#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/tensix/reads.h"

typedef struct {
    const char *name;
    const char *key; /* NULL: a cycle */
} Operation;

static const Operation operations[SCALAR_OPERATIONS] = {
    {"add", NULL},
    {"multiply", "riscv.multiply_cycles"},
    {"divide", "riscv.divide_most_cycles"},
    {"load", "riscv.l1_load_cycles"},
    {"local_load", "riscv.local_load_cycles"},
    {"store", "riscv.l1_store_cycles"},
    {"branch", "riscv.branch_taken_cycles"},
    {"turn", "riscv.loop_cycles"},
    {"float_add", "riscv.float_add_cycles"},
    {"float_multiply", "riscv.float_multiply_cycles"},
    {"float_divide", "riscv.float_divide_cycles"},
};

void scalar_costs_load(ScalarCosts *self, const ArchParams *params)
{
    for (gsize i = 0; i < SCALAR_OPERATIONS; i++) {
        self->cycles[i] =
            operations[i].key == NULL ? 1 : arch_params_real(params, operations[i].key);
    }
}

static gsize find(lua_State *L, int index, const char *name)
{
    g_autoptr(GString) known = g_string_new(NULL);

    for (gsize i = 0; i < SCALAR_OPERATIONS; i++) {
        if (name != NULL && strcmp(name, operations[i].name) == 0) {
            return i;
        }
        g_string_append_printf(known, "%s%s", i == 0 ? "" : ", ", operations[i].name);
    }
    lua_pushfstring(L, "no operation '%s', there are %s", name == NULL ? "?" : name,
                    known->str);
    g_string_free(g_steal_pointer(&known), TRUE);
    luaL_argerror(L, index, lua_tostring(L, -1));
    return 0;
}

/* The count of an entry: `name = count`, or a name in a list, which is one. */
static lua_Integer check_entry(lua_State *L, int index, gsize *which)
{
    const bool is_listed = lua_isinteger(L, -2) && lua_type(L, -1) == LUA_TSTRING;
    const bool is_named = lua_type(L, -2) == LUA_TSTRING;
    int is_integer = 0;
    lua_Integer count = 1;

    if (is_listed) {
        *which = find(L, index, lua_tostring(L, -1));
        return count;
    }
    *which = find(L, index, is_named ? lua_tostring(L, -2) : NULL);
    count = lua_tointegerx(L, -1, &is_integer);
    luaL_argcheck(L, is_integer != 0 && count >= 0 && count <= G_MAXINT32, index,
                  "counts are whole numbers, not below 0");
    return count;
}

uint32_t scalar_check_cycles(lua_State *L, int index, const ScalarCosts *costs)
{
    double cycles = 0;

    luaL_checktype(L, index, LUA_TTABLE);
    reads_all(L, index);
    lua_pushnil(L);
    while (lua_next(L, index) != 0) {
        gsize which = 0;
        const lua_Integer count = check_entry(L, index, &which);

        cycles += (double) count * costs->cycles[which];
        lua_pop(L, 1);
    }
    luaL_argcheck(L, cycles <= G_MAXINT32, index, "more cycles than one call can take");
    return sim_u32(ceil(cycles));
}

/* Upvalues of a loop. */
enum {
    LOOP_NEXT = 1,
    LOOP_LAST,
    LOOP_STEP,
    LOOP_SCALAR, /* the function, and what it is called with */
    LOOP_TURN,
};

static lua_Integer loop_value(lua_State *L, int upvalue)
{
    return lua_tointeger(L, lua_upvalueindex(upvalue));
}

static int loop_paid(lua_State *L, int status, lua_KContext value)
{
    (void) status;
    lua_pushinteger(L, value);
    return 1;
}

static int loop_turn(lua_State *L)
{
    const lua_Integer value = loop_value(L, LOOP_NEXT);
    const lua_Integer last = loop_value(L, LOOP_LAST);
    const lua_Integer step = loop_value(L, LOOP_STEP);

    if (step > 0 ? value > last : value < last) {
        return 0;
    }
    lua_pushinteger(L, value + step);
    lua_replace(L, lua_upvalueindex(LOOP_NEXT));
    lua_pushvalue(L, lua_upvalueindex(LOOP_SCALAR));
    lua_pushvalue(L, lua_upvalueindex(LOOP_TURN));
    lua_callk(L, 1, 0, value, loop_paid);
    return loop_paid(L, LUA_OK, value);
}

int scalar_loop(lua_State *L)
{
    const lua_Integer first = luaL_checkinteger(L, 1);
    const lua_Integer last = luaL_checkinteger(L, 2);
    const lua_Integer step = luaL_optinteger(L, 3, 1);

    luaL_argcheck(L, step != 0, 3, "a step of 0 goes nowhere");
    luaL_argcheck(L, first >= -G_MAXINT32 && first <= G_MAXINT32, 1, "out of range");
    luaL_argcheck(L, last >= -G_MAXINT32 && last <= G_MAXINT32, 2, "out of range");
    luaL_argcheck(L, step >= -G_MAXINT32 && step <= G_MAXINT32, 3, "out of range");
    lua_pushinteger(L, first);
    lua_pushinteger(L, last);
    lua_pushinteger(L, step);
    lua_getglobal(L, "scalar");
    lua_createtable(L, 0, 1);
    lua_pushinteger(L, 1);
    lua_setfield(L, -2, "turn");
    lua_pushcclosure(L, loop_turn, LOOP_TURN);
    return 1;
}
