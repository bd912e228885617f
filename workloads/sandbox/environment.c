/* The world of a script: the permitted libraries, in versions that give every run the
 * same result and cannot reach files or processes. */
#include "workloads/sandbox/environment.h"

#include <stdbool.h>

#include <glib.h>
#include <lauxlib.h>
#include <lualib.h>

#include "workloads/sandbox/bounds.h"
#include "workloads/sandbox/guard.h"
#include "workloads/sandbox/order.h"
#include "workloads/sandbox/require.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/sandbox/sort.h"
#include "workloads/sandbox/text.h"

typedef struct {
    const char *library;
    const char *name;
    lua_CFunction function; /* NULL: taken away */
    bool keeps_original;    /* as upvalue 1 */
} Replacement;

static int refuse_metafield(lua_State *L, const char *field)
{
    return luaL_error(L,
                      "setmetatable: %s is not available: when garbage is collected "
                      "differs from run to run",
                      field);
}

/* NOTE: Lua also runs no hooks in a __gc, so nothing could stop a loop there. A __gc
 * that is set later is never called. */
static int set_metatable(lua_State *L)
{
    static const char *const refused[] = {"__gc", "__mode"};
    for (guint i = 0; i < G_N_ELEMENTS(refused) && lua_istable(L, 2); i++) {
        lua_pushstring(L, refused[i]);
        if (lua_rawget(L, 2) != LUA_TNIL) {
            return refuse_metafield(L, refused[i]);
        }
        lua_pop(L, 1);
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* Upvalue 1 is the generator's state, as the library's function expects it; upvalue 2
 * is that function. */
static int set_random_seed(lua_State *L)
{
    if (lua_isnoneornil(L, 1)) {
        return luaL_error(L, "math.randomseed: give it a number: a seed from the clock "
                             "would differ from run to run");
    }
    return lua_tocfunction(L, lua_upvalueindex(2))(L);
}

static void open_random(lua_State *L)
{
    lua_getglobal(L, LUA_MATHLIBNAME);
    lua_getfield(L, -1, "randomseed");
    lua_CFunction original = lua_tocfunction(L, -1);
    const char *state = lua_getupvalue(L, -1, 1);
    g_assert(original != NULL && state != NULL);
    lua_pushcfunction(L, original);
    lua_pushcclosure(L, set_random_seed, 2);
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, "randomseed");
    lua_pushinteger(L, (lua_Integer) sandbox_config(sandbox_of(L))->seed);
    lua_call(L, 1, 0);
    lua_pop(L, 2);
}

static void open_libraries(lua_State *L)
{
    static const luaL_Reg libraries[] = {
        {LUA_GNAME, luaopen_base},       {LUA_STRLIBNAME, luaopen_string},
        {LUA_TABLIBNAME, luaopen_table}, {LUA_MATHLIBNAME, luaopen_math},
        {LUA_UTF8LIBNAME, luaopen_utf8}, {LUA_COLIBNAME, luaopen_coroutine},
    };
    for (guint i = 0; i < G_N_ELEMENTS(libraries); i++) {
        luaL_requiref(L, libraries[i].name, libraries[i].func, 1);
        lua_pop(L, 1);
    }
    /* Tracebacks look here for a name, in an order that differs from run to run when a
     * script gives a function two names. They then find none. */
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
}

static void replace(lua_State *L, const Replacement *replacement)
{
    lua_getglobal(L, replacement->library);
    lua_getfield(L, -1, replacement->name);
    /* A misspelt name would leave the door open. */
    g_assert(lua_iscfunction(L, -1));
    if (replacement->function == NULL) {
        lua_pop(L, 1);
        lua_pushnil(L);
    } else if (replacement->keeps_original) {
        lua_pushcclosure(L, replacement->function, 1);
    } else {
        lua_pop(L, 1);
        lua_pushcfunction(L, replacement->function);
    }
    lua_setfield(L, -2, replacement->name);
    lua_pop(L, 1);
}

void environment_open(lua_State *L)
{
    static const Replacement replacements[] = {
        {LUA_GNAME, "collectgarbage", NULL, false},
        {LUA_GNAME, "dofile", NULL, false},
        {LUA_GNAME, "loadfile", NULL, false},
        {LUA_GNAME, "warn", NULL, false},
        {LUA_STRLIBNAME, "dump", NULL, false},
        {LUA_GNAME, "load", guard_load, true},
        {LUA_GNAME, "pairs", order_pairs, false},
        {LUA_GNAME, "pcall", guard_pcall, false},
        {LUA_GNAME, "print", text_print, false},
        {LUA_GNAME, "setmetatable", set_metatable, true},
        {LUA_GNAME, "tostring", text_tostring, false},
        {LUA_GNAME, "xpcall", guard_xpcall, false},
        {LUA_COLIBNAME, "close", guard_close, true},
        {LUA_COLIBNAME, "resume", guard_resume, false},
        {LUA_COLIBNAME, "running", guard_running, false},
        {LUA_COLIBNAME, "wrap", guard_wrap, false},
        {LUA_STRLIBNAME, "format", text_format, true},
        {LUA_STRLIBNAME, "rep", bounds_rep, true},
        {LUA_TABLIBNAME, "insert", bounds_shift, true},
        {LUA_TABLIBNAME, "move", bounds_move, true},
        {LUA_TABLIBNAME, "remove", bounds_shift, true},
        {LUA_TABLIBNAME, "sort", sort_table, false},
    };
    open_libraries(L);
    text_open(L);
    for (guint i = 0; i < G_N_ELEMENTS(replacements); i++) {
        replace(L, &replacements[i]);
    }
    order_push_next(L);
    lua_setglobal(L, "next");
    require_push(L);
    lua_setglobal(L, "require");
    open_random(L);
}
