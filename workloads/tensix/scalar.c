/* Operations of a RISC-V and their keys. */
#include "workloads/tensix/scalar.h"

#include <math.h>
#include <string.h>

#include <glib.h>
#include <lauxlib.h>

#include "sim/narrow.h"

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

uint32_t scalar_check_cycles(lua_State *L, int index, const ScalarCosts *costs)
{
    double cycles = 0;

    luaL_checktype(L, index, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, index) != 0) {
        const bool is_named = lua_type(L, -2) == LUA_TSTRING;
        const gsize which = find(L, index, is_named ? lua_tostring(L, -2) : NULL);
        int is_integer = 0;
        const lua_Integer count = lua_tointegerx(L, -1, &is_integer);

        luaL_argcheck(L, is_integer != 0 && count >= 0 && count <= G_MAXINT32, index,
                      "counts are whole numbers, not below 0");
        cycles += (double) count * costs->cycles[which];
        lua_pop(L, 1);
    }
    luaL_argcheck(L, cycles <= G_MAXINT32, index, "more cycles than one call can take");
    return sim_u32(ceil(cycles));
}
