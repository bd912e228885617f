/* The world of a script: the permitted libraries, in versions that give every run the
 * same result and cannot reach files or processes. */
#include "workloads/sandbox/environment.h"

#include <stdbool.h>

#include <glib.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/guard.h"
#include "workloads/sandbox/order.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/sandbox/text.h"

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

/* Lua function table.sort(t, is_less). Lua's own picks its pivots by the clock. */
static int sort_table(lua_State *L)
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
    sandbox_charge(L, (uint64_t) count); /* only __len can make it longer than memory */
    lua_createtable(L, sim_i32(count), 0);
    lua_createtable(L, sim_i32(count), 0);
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

/* Upvalue 1 of each is the library's own function. */
static int bounds_rep(lua_State *L)
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

/* Counts the elements `first` to `last`, which a library function goes through: those
 * of a table with metamethods take no memory, and any number of them no time. */
static void charge_range(lua_State *L, lua_Integer first, lua_Integer last)
{
    if (last >= first) {
        sandbox_charge(L, (uint64_t) last - (uint64_t) first);
    }
}

/* table.move(t, first, last, to) */
static int bounds_move(lua_State *L)
{
    charge_range(L, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return call_library(L);
}

/* table.concat(t, separator, first, last) */
static int bounds_concat(lua_State *L)
{
    lua_Integer first = luaL_optinteger(L, 3, 1);

    luaL_checkany(L, 1);
    charge_range(L, first,
                 lua_isnoneornil(L, 4) ? luaL_len(L, 1) : luaL_checkinteger(L, 4));
    return call_library(L);
}

/* table.unpack(t, first, last) */
static int bounds_unpack(lua_State *L)
{
    lua_Integer first = luaL_optinteger(L, 2, 1);

    luaL_checkany(L, 1);
    charge_range(L, first,
                 lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3));
    return call_library(L);
}

/* table.insert(t, place, value), table.remove(t, place): they shift what is behind. */
static int bounds_shift(lua_State *L)
{
    if (lua_gettop(L) >= 2 && lua_type(L, 2) == LUA_TNUMBER) {
        charge_range(L, lua_tointeger(L, 2), luaL_len(L, 1));
    }
    return call_library(L);
}

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
        {LUA_TABLIBNAME, "concat", bounds_concat, true},
        {LUA_TABLIBNAME, "insert", bounds_shift, true},
        {LUA_TABLIBNAME, "move", bounds_move, true},
        {LUA_TABLIBNAME, "remove", bounds_shift, true},
        {LUA_TABLIBNAME, "sort", sort_table, false},
        {LUA_TABLIBNAME, "unpack", bounds_unpack, true},
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
