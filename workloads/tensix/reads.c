/* Watched tables are empty at first. A value that is read moves in, so that the next
 * read of it costs nothing; what needs more than one key has all of them move in, and
 * the table is then like any other. */
#include "workloads/tensix/reads.h"

#include <math.h>

#include <lauxlib.h>

#include "workloads/host/dram_buffer.h"
#include "workloads/host/plain.h"
#include "workloads/sandbox/guard.h"
#include "workloads/sandbox/order.h"

struct Reads {
    guint count;
    guint tables; /* given out so far, by number from 1 on */
};

/* Upvalues of the metamethods of a watched table. */
enum {
    UPVALUE_READS = 1, /* the Reads, whose user value is the list */
    UPVALUE_ORIGINAL,  /* the table that it looks like */
    UPVALUE_SEEN,      /* keys that were read, each with true */
    UPVALUE_NUMBER,
    UPVALUES = UPVALUE_NUMBER,
};

enum {
    FIELDS = 3, /* of a read in the list: number of the table, key, value */
};

/* Values that stand for others; addresses matter. */
static const char a_table, a_nil, how_many_keys;

static void push_mark(lua_State *L, const char *mark)
{
    lua_pushlightuserdata(L, (gpointer) mark);
}

static bool is_mark(lua_State *L, int index, const char *mark)
{
    return lua_touserdata(L, index) == (gconstpointer) mark;
}

static Reads *reads_of(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(UPVALUE_READS));
}

/* Notes that a key of the table of the running metamethod has the value on top of the
 * stack, which it pops. */
static void note(lua_State *L, int key)
{
    Reads *self = reads_of(L);
    const lua_Integer at = (lua_Integer) self->count * FIELDS;

    if (lua_isnil(L, -1) || lua_istable(L, -1)) {
        push_mark(L, lua_isnil(L, -1) ? &a_nil : &a_table);
        lua_replace(L, -2);
    }
    lua_getiuservalue(L, lua_upvalueindex(UPVALUE_READS), 1);
    lua_insert(L, -2);
    lua_rawseti(L, -2, at + 3);
    lua_pushvalue(L, key);
    lua_rawseti(L, -2, at + 2);
    lua_pushvalue(L, lua_upvalueindex(UPVALUE_NUMBER));
    lua_rawseti(L, -2, at + 1);
    lua_pop(L, 1);
    self->count++;
}

static void watch(lua_State *L, int reads);

/* Pushes the value of a key that was not read before, which moves into the watched
 * table at 1; else nil: there was none, or it was taken out. */
static void move_in(lua_State *L, int key)
{
    lua_pushvalue(L, key);
    if (lua_rawget(L, lua_upvalueindex(UPVALUE_SEEN)) != LUA_TNIL) {
        lua_pushnil(L);
        lua_replace(L, -2);
        return;
    }
    lua_pop(L, 1);
    lua_pushvalue(L, key);
    lua_pushboolean(L, 1);
    lua_rawset(L, lua_upvalueindex(UPVALUE_SEEN));
    lua_pushvalue(L, key);
    lua_rawget(L, lua_upvalueindex(UPVALUE_ORIGINAL));
    lua_pushvalue(L, -1);
    note(L, key);
    if (lua_istable(L, -1)) {
        watch(L, lua_upvalueindex(UPVALUE_READS));
    }
    if (!lua_isnil(L, -1)) {
        lua_pushvalue(L, key);
        lua_pushvalue(L, -2);
        lua_rawset(L, 1);
    }
}

/* Has all values move into the watched table at 1, which is then like any other. */
static void move_all_in(lua_State *L)
{
    lua_Integer count = 0;

    lua_pushnil(L);
    while (lua_next(L, lua_upvalueindex(UPVALUE_ORIGINAL)) != 0) {
        lua_pop(L, 1);
        move_in(L, lua_gettop(L));
        lua_pop(L, 1);
        count++;
    }
    push_mark(L, &how_many_keys);
    lua_pushinteger(L, count);
    note(L, lua_gettop(L) - 1);
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_setmetatable(L, 1);
}

static int read_key(lua_State *L)
{
    const bool can_be_key = !lua_isnil(L, 2) && (lua_type(L, 2) != LUA_TNUMBER ||
                                                 lua_rawequal(L, 2, 2) != 0);

    if (can_be_key) {
        move_in(L, 2);
    } else {
        lua_pushnil(L);
    }
    return 1;
}

/* A value that was never read is not read any more. */
static int write_key(lua_State *L)
{
    lua_settop(L, 3);
    lua_pushvalue(L, 2);
    lua_pushboolean(L, 1);
    lua_rawset(L, lua_upvalueindex(UPVALUE_SEEN));
    lua_rawset(L, 1);
    return 0;
}

static int read_length(lua_State *L)
{
    move_all_in(L);
    lua_pushinteger(L, (lua_Integer) lua_rawlen(L, 1));
    return 1;
}

static int read_pairs(lua_State *L)
{
    move_all_in(L);
    lua_pushcfunction(L, order_pairs);
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
}

/* What reads_all() finds in a metatable and calls. */
static int read_all(lua_State *L)
{
    move_all_in(L);
    return 0;
}

#define WHOLE "gridloom.whole"

/* Replaces the table on top of the stack by a watched one. */
static void watch(lua_State *L, int reads)
{
    static const luaL_Reg methods[] = {
        {"__index", read_key},   {"__newindex", write_key}, {"__len", read_length},
        {"__pairs", read_pairs}, {WHOLE, read_all},
    };
    const int original = lua_gettop(L);
    const int seen = original + 1;
    Reads *self = lua_touserdata(L, reads);

    luaL_checkstack(L, UPVALUES + 4, "no room to read arguments");
    lua_newtable(L);
    lua_pushinteger(L, ++self->tables);
    lua_newtable(L);
    lua_createtable(L, 0, G_N_ELEMENTS(methods));
    for (gsize i = 0; i < G_N_ELEMENTS(methods); i++) {
        lua_pushvalue(L, reads);
        lua_pushvalue(L, original);
        lua_pushvalue(L, seen);
        lua_pushvalue(L, seen + 1);
        lua_pushcclosure(L, methods[i].func, UPVALUES);
        lua_setfield(L, -2, methods[i].name);
    }
    lua_setmetatable(L, -2);
    lua_replace(L, original);
    lua_settop(L, original);
}

Reads *reads_watch(lua_State *L, gconstpointer owner)
{
    const int value = lua_gettop(L);
    Reads *self = lua_newuserdatauv(L, sizeof *self, 1);

    *self = (Reads){0};
    lua_newtable(L);
    lua_setiuservalue(L, -2, 1);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, owner);
    /* The arguments are what a table with one field holds, and that is read first. */
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, value);
    lua_rawseti(L, -2, 1);
    watch(L, value + 1);
    lua_geti(L, -1, 1);
    lua_replace(L, value);
    lua_settop(L, value);
    return self;
}

guint reads_count(const Reads *self)
{
    return self->count;
}

void reads_forget(lua_State *L, gconstpointer who)
{
    /* Assigning nil to a key that exists cannot raise. */
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, who) != LUA_TNIL) {
        lua_pushnil(L);
        lua_rawsetp(L, LUA_REGISTRYINDEX, who);
    }
    lua_pop(L, 1);
}

bool reads_is_same(double a, double b)
{
    return a == b && signbit(a) == signbit(b);
}

static bool is_same_number(lua_State *L, int a, int b)
{
    return lua_isinteger(L, a) == lua_isinteger(L, b) &&
           (lua_isinteger(L, a) != 0
                ? lua_tointeger(L, a) == lua_tointeger(L, b)
                : reads_is_same(lua_tonumber(L, a), lua_tonumber(L, b)));
}

static bool is_same(lua_State *L, int a, int b)
{
    const HostDramBuffer *buffer = dram_buffer_test(L, a);
    const HostDramBuffer *other = dram_buffer_test(L, b);

    if (buffer != NULL && other != NULL) {
        return buffer->pages == other->pages && buffer->chip == other->chip;
    }
    return lua_type(L, a) == LUA_TNUMBER && lua_type(L, b) == LUA_TNUMBER
               ? is_same_number(L, a, b)
               : lua_rawequal(L, a, b) != 0;
}

static lua_Integer count_keys(lua_State *L, int table)
{
    lua_Integer count = 0;

    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        lua_pop(L, 1);
        count++;
    }
    return count;
}

/* Whether the read at `key` and `expected` gives the same in `table`, one of `tables`,
 * to which it adds a table that is found. All are indices of the stack. */
static bool agrees(lua_State *L, int tables, int table, int key, int expected)
{
    if (is_mark(L, key, &how_many_keys)) {
        return count_keys(L, table) == lua_tointeger(L, expected);
    }
    lua_pushvalue(L, key);
    lua_rawget(L, table);
    if (lua_istable(L, -1)) {
        lua_rawseti(L, tables, (lua_Integer) lua_rawlen(L, tables) + 1);
        return is_mark(L, expected, &a_table);
    }
    return lua_isnil(L, -1) ? is_mark(L, expected, &a_nil)
                            : is_same(L, lua_gettop(L), expected);
}

/* Pushes the tables of `reader` that were read, by number. */
static void push_tables(lua_State *L, gconstpointer reader, GBytes *arguments)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, reader) == LUA_TTABLE) {
        return;
    }
    lua_pop(L, 1);
    lua_newtable(L);
    lua_createtable(L, 1, 0);
    plain_push(L, arguments);
    lua_rawseti(L, -2, 1);
    lua_rawseti(L, -2, 1);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, reader);
}

bool reads_agree(lua_State *L,
                 gconstpointer owner,
                 gconstpointer reader,
                 GBytes *arguments,
                 guint from,
                 guint to)
{
    const int top = lua_gettop(L);
    const int tables = top + 1;
    const int reads = top + 2;
    bool is_same_so_far = true;

    push_tables(L, reader, arguments);
    lua_rawgetp(L, LUA_REGISTRYINDEX, owner);
    lua_getiuservalue(L, -1, 1);
    lua_replace(L, reads);
    for (guint i = from; i < to && is_same_so_far; i++) {
        const lua_Integer at = (lua_Integer) i * FIELDS;

        lua_rawgeti(L, reads, at + 1);
        lua_rawgeti(L, tables, lua_tointeger(L, -1));
        lua_rawgeti(L, reads, at + 2);
        lua_rawgeti(L, reads, at + 3);
        is_same_so_far = agrees(L, tables, reads + 2, reads + 3, reads + 4);
        lua_settop(L, reads);
    }
    lua_settop(L, top);
    return is_same_so_far;
}

void reads_all(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    if (lua_istable(L, index) && luaL_getmetafield(L, index, WHOLE) != LUA_TNIL) {
        if (lua_tocfunction(L, -1) == read_all) {
            lua_pushvalue(L, index);
            lua_call(L, 1, 0);
        } else {
            lua_pop(L, 1);
        }
    }
}

static int all_of_first(lua_State *L)
{
    reads_all(L, 1);
    return 0;
}

void reads_open(lua_State *L)
{
    static const char *const names[] = {"rawget", "rawset",       "rawlen",
                                        "next",   "getmetatable", "setmetatable"};

    lua_pushglobaltable(L);
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        guard_put_first(L, names[i], all_of_first);
    }
    lua_pop(L, 1);
}
