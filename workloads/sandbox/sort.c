/* A table.sort that gives the same result in every run, and keeps equals in order. */
#include "workloads/sandbox/sort.h"

#include <stdbool.h>

#include <glib.h>
#include <lauxlib.h>

#include "workloads/sandbox/sandbox.h"

/* Stack slots of sort_table. */
enum {
    TABLE = 1,
    IS_LESS = 2,
    SOURCE = 3, /* the runs to merge */
    TARGET = 4, /* where the merged runs go */
};

/* Whether element `a` of the source belongs before element `b`. */
static bool is_before(lua_State *L, lua_Integer a, lua_Integer b)
{
    if (lua_isnil(L, IS_LESS)) {
        lua_rawgeti(L, SOURCE, a);
        lua_rawgeti(L, SOURCE, b);
        bool is_less = lua_compare(L, -2, -1, LUA_OPLT) != 0;
        lua_pop(L, 2);
        return is_less;
    }
    lua_pushvalue(L, IS_LESS);
    lua_rawgeti(L, SOURCE, a);
    lua_rawgeti(L, SOURCE, b);
    lua_call(L, 2, 1);
    bool is_less = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    return is_less;
}

/* Merges the runs [first, middle) and [middle, end) of the source. */
static void merge(lua_State *L, lua_Integer first, lua_Integer middle, lua_Integer end)
{
    lua_Integer left = first;
    lua_Integer right = middle;
    bool is_merged = middle >= end || !is_before(L, middle, middle - 1);
    for (lua_Integer to = first; to < end; to++) {
        bool takes_left =
            is_merged ? left < middle
                      : left < middle && (right >= end || !is_before(L, right, left));
        lua_rawgeti(L, SOURCE, takes_left ? left++ : right++);
        lua_rawseti(L, TARGET, to);
    }
}

int sort_table(lua_State *L)
{
    luaL_checktype(L, TABLE, LUA_TTABLE);
    lua_Integer count = luaL_len(L, TABLE);
    luaL_argcheck(L, count < G_MAXINT, TABLE, "array too big");
    if (!lua_isnoneornil(L, IS_LESS)) {
        luaL_checktype(L, IS_LESS, LUA_TFUNCTION);
    }
    lua_settop(L, IS_LESS);
    if (count < 2) {
        return 0;
    }
    lua_createtable(L, (int) count, 0);
    lua_createtable(L, (int) count, 0);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_geti(L, TABLE, i);
        lua_rawseti(L, SOURCE, i);
    }
    for (lua_Integer width = 1; width < count; width *= 2) {
        for (lua_Integer first = 1; first <= count; first += 2 * width) {
            merge(L, first, MIN(first + width, count + 1),
                  MIN(first + 2 * width, count + 1));
        }
        sandbox_charge(L, (uint64_t) count);
        lua_insert(L, SOURCE); /* the target becomes the source */
    }
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, SOURCE, i);
        lua_seti(L, TABLE, i);
    }
    return 0;
}
