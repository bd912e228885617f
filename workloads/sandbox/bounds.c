/* Library functions that loop in C, counted as instructions or cut short. */
#include "workloads/sandbox/bounds.h"

#include <lauxlib.h>

#include "workloads/sandbox/sandbox.h"

static int call_library(lua_State *L)
{
    /* Called as C, not through Lua: its errors then name the script's line. */
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* Lua refuses strings of 2 GiB with an error of its own; what passes the script's
 * memory limit besides is the limit's to refuse. */
static void check_memory(lua_State *L, double bytes)
{
    WlSandbox *sandbox = sandbox_of(L);
    int64_t whole = bytes < (double) INT64_MAX ? (int64_t) bytes : INT64_MAX;

    if (whole <= INT32_MAX) {
        return;
    }
    if (!sandbox_account(sandbox, whole)) {
        sandbox_check(L);
    }
    (void) sandbox_account(sandbox, -whole);
}

int bounds_rep(lua_State *L)
{
    size_t text_length = 0;
    size_t separator_length = 0;
    luaL_checklstring(L, 1, &text_length);
    lua_Integer count = luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &separator_length);
    if (text_length == 0 && separator_length == 0) {
        /* Lua would copy nothing, as often as asked. */
        lua_pushliteral(L, "");
        return 1;
    }
    check_memory(L, (double) count * (double) (text_length + separator_length));
    return call_library(L);
}

int bounds_move(lua_State *L)
{
    lua_Integer first = luaL_checkinteger(L, 2);
    lua_Integer last = luaL_checkinteger(L, 3);
    if (last >= first) {
        sandbox_charge(L, (uint64_t) last - (uint64_t) first);
    }
    return call_library(L);
}

int bounds_shift(lua_State *L)
{
    /* Only __len can make a table longer than its memory. */
    if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL) {
        lua_pop(L, 1);
        lua_Integer length = luaL_len(L, 1);
        sandbox_charge(L, length > 0 ? (uint64_t) length : 0);
    }
    return call_library(L);
}
