/* Tables in a fixed order: integers, floats, strings by their bytes, booleans. */
#include "workloads/sandbox/order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/sandbox.h"

typedef enum {
    RANK_INTEGER,
    RANK_FLOAT,
    RANK_STRING,
    RANK_BOOLEAN,
    RANK_OTHER, /* at most one a table */
} Rank;

typedef struct {
    Rank rank;
    lua_Integer slot; /* where the list of keys holds it */
    union {
        lua_Integer integer;
        lua_Number number;
        struct {
            const char *bytes; /* lives as long as the list of keys */
            size_t length;
        } text;
        bool boolean;
    } value;
} Key;

/* The keys of a table at one moment, sorted. Its user value 1 is the list of keys. */
typedef struct {
    lua_Integer key_count;
    lua_Integer cursor; /* how many keys were passed when one was last given out */
    bool is_sequence;   /* exactly 1..key_count: no list and no `keys` */
    Key keys[];
} Snapshot;

static Key read_key(lua_State *L, int index, lua_Integer slot)
{
    Key key = {.rank = RANK_OTHER, .slot = slot};
    int type = lua_type(L, index);
    if (type == LUA_TNUMBER && lua_isinteger(L, index)) {
        key.rank = RANK_INTEGER;
        key.value.integer = lua_tointeger(L, index);
    } else if (type == LUA_TNUMBER) {
        key.rank = RANK_FLOAT;
        key.value.number = lua_tonumber(L, index);
    } else if (type == LUA_TSTRING) {
        key.rank = RANK_STRING;
        key.value.text.bytes = lua_tolstring(L, index, &key.value.text.length);
    } else if (type == LUA_TBOOLEAN) {
        key.rank = RANK_BOOLEAN;
        key.value.boolean = lua_toboolean(L, index) != 0;
    }
    return key;
}

static int compare_strings(const Key *a, const Key *b)
{
    size_t shared = MIN(a->value.text.length, b->value.text.length);
    int difference = a->value.text.bytes == b->value.text.bytes
                         ? 0
                         : memcmp(a->value.text.bytes, b->value.text.bytes, shared);
    if (difference != 0) {
        return difference;
    }
    return (a->value.text.length > b->value.text.length) -
           (a->value.text.length < b->value.text.length);
}

static int compare_keys(const Key *a, const Key *b)
{
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    switch (a->rank) {
    case RANK_INTEGER:
        return (a->value.integer > b->value.integer) -
               (a->value.integer < b->value.integer);
    case RANK_FLOAT:
        return (a->value.number > b->value.number) -
               (a->value.number < b->value.number);
    case RANK_STRING:
        return compare_strings(a, b);
    case RANK_BOOLEAN:
        return a->value.boolean - b->value.boolean;
    case RANK_OTHER:
        return 0;
    }
    g_assert_not_reached();
}

static int compare_for_qsort(const void *a, const void *b)
{
    return compare_keys(a, b);
}

static void refuse_others(lua_State *L, int other_count)
{
    if (other_count > 1) {
        luaL_error(L, "cannot traverse a table with two or more keys that are tables, "
                      "functions, userdata or threads: their order would differ from "
                      "run to run");
    }
}

/* Counts the keys of the table at `table`; true if they are exactly 1..count. */
static bool count_keys(lua_State *L, int table, lua_Integer *count)
{
    bool is_sequence = true;
    int other_count = 0;
    *count = 0;
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        (*count)++;
        is_sequence =
            is_sequence && lua_isinteger(L, -2) && lua_tointeger(L, -2) == *count;
        other_count += !is_sequence && read_key(L, -2, 0).rank == RANK_OTHER;
    }
    refuse_others(L, other_count);
    return is_sequence;
}

/* Counts a pass over so many keys: it takes less time than as many instructions. */
static void charge_pass(lua_State *L, lua_Integer count)
{
    enum {
        KEYS_PER_STEP = 8,
        FREE_KEYS = 1024,
    };

    if (count > FREE_KEYS) {
        sandbox_charge(L, (uint64_t) count / KEYS_PER_STEP);
    }
}

/* Pushes a snapshot of the table at `table`. */
static Snapshot *push_snapshot(lua_State *L, int table)
{
    luaL_checkstack(L, 8, NULL);
    lua_Integer count = 0;
    bool is_sequence = count_keys(L, table, &count);
    charge_pass(L, count);
    if (!is_sequence && count > G_MAXINT / 2) {
        luaL_error(L, "cannot traverse a table with so many keys");
    }
    size_t stored = is_sequence ? 0 : (size_t) count;
    Snapshot *self = lua_newuserdatauv(L, sizeof *self + stored * sizeof(Key), 1);
    *self = (Snapshot){.key_count = count, .is_sequence = is_sequence};
    if (is_sequence) {
        return self;
    }
    lua_createtable(L, sim_i32(count), 0);
    lua_Integer slot = 0;
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) {
        self->keys[slot] = read_key(L, -2, slot + 1);
        slot++;
        lua_pushvalue(L, -2);
        lua_rawseti(L, -4, slot);
    }
    lua_setiuservalue(L, -2, 1);
    /* A collection in between may have emptied slots of a weak table. */
    self->key_count = slot;
    qsort(self->keys, (size_t) slot, sizeof(Key), compare_for_qsort);
    return self;
}

/* How many keys of the snapshot are not after the key at `index`. */
static lua_Integer count_passed(lua_State *L, const Snapshot *self, int index)
{
    if (lua_isnil(L, index)) {
        return 0;
    }
    Key key = read_key(L, index, 0);
    if (self->is_sequence) {
        bool is_inside =
            key.rank == RANK_INTEGER && key.value.integer < self->key_count;
        return is_inside ? MAX(key.value.integer, 0) : self->key_count;
    }
    if (self->cursor > 0 && compare_keys(&self->keys[self->cursor - 1], &key) == 0) {
        return self->cursor;
    }
    lua_Integer low = 0;
    lua_Integer high = self->key_count;
    while (low < high) {
        lua_Integer middle = low + (high - low) / 2;
        if (compare_keys(&self->keys[middle], &key) <= 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Pushes the first key after `passed` ones that the table still has, with its value.
 * Returns how many values it pushed: at the end a nil, as next() does. */
static int push_after(lua_State *L, Snapshot *self, int snapshot, lua_Integer passed)
{
    if (!self->is_sequence) {
        lua_getiuservalue(L, snapshot, 1);
    }
    int list = lua_gettop(L);
    for (; passed < self->key_count; passed++) {
        if (self->is_sequence) {
            lua_pushinteger(L, passed + 1);
        } else {
            lua_rawgeti(L, list, self->keys[passed].slot);
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL) {
            self->cursor = passed + 1;
            return 2;
        }
        lua_pop(L, 2);
    }
    lua_pushnil(L);
    return 1;
}

/* The iterator of pairs(); upvalue 1 is the snapshot. */
static int iterate(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    lua_pushvalue(L, lua_upvalueindex(1));
    Snapshot *self = lua_touserdata(L, 3);
    return push_after(L, self, 3, count_passed(L, self, 2));
}

static int finish_pairs(lua_State *L, int status, lua_KContext context)
{
    (void) L;
    (void) status;
    (void) context;
    return 3;
}

int order_pairs(lua_State *L)
{
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_callk(L, 1, 3, 0, finish_pairs);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    push_snapshot(L, 1);
    lua_pushcclosure(L, iterate, 1);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

/* Forgets the snapshot of the table at 1. */
static void drop_snapshot(lua_State *L)
{
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    lua_rawset(L, lua_upvalueindex(1));
}

static bool was_given_out(lua_State *L, const Snapshot *self, int index)
{
    Key key = read_key(L, index, 0);
    if (self->cursor == 0) {
        return false;
    }
    if (self->is_sequence) {
        return key.rank == RANK_INTEGER && key.value.integer == self->cursor;
    }
    return compare_keys(&self->keys[self->cursor - 1], &key) == 0;
}

/* Pushes the snapshot of the table at 1 if it gave out the key at `index` last: only
 * then is this the next step of one traversal. Otherwise NULL, and nothing pushed. */
static Snapshot *find_snapshot(lua_State *L, int index)
{
    lua_pushvalue(L, 1);
    lua_rawget(L, lua_upvalueindex(1));
    Snapshot *self = lua_touserdata(L, -1);
    if (self != NULL && was_given_out(L, self, index)) {
        return self;
    }
    lua_pop(L, 1);
    return NULL;
}

/* next(t): one pass and no sort, because scripts ask so whether a table is empty. */
static int push_first(lua_State *L)
{
    lua_settop(L, 1);
    lua_pushnil(L); /* 2: the least key so far */
    Key least = {.rank = RANK_OTHER};
    int other_count = 0;
    lua_Integer count = 0;
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
        count++;
        Key key = read_key(L, -2, 0);
        other_count += key.rank == RANK_OTHER;
        if (lua_isnil(L, 2) || compare_keys(&key, &least) < 0) {
            least = key;
            lua_pushvalue(L, -2);
            lua_replace(L, 2);
        }
    }
    refuse_others(L, other_count);
    charge_pass(L, count);
    if (lua_isnil(L, 2)) {
        drop_snapshot(L);
        return 1;
    }
    /* A new traversal may start here: it must see the keys of now. */
    if (find_snapshot(L, 2) != NULL) {
        drop_snapshot(L);
    }
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 2);
    lua_rawget(L, 1);
    return 2;
}

/* next(t, key); upvalue 1 maps tables to snapshots. */
static int next_key(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        return push_first(L);
    }
    Snapshot *self = find_snapshot(L, 2);
    if (self == NULL) {
        self = push_snapshot(L, 1);
        lua_pushvalue(L, 1);
        lua_pushvalue(L, 3);
        lua_rawset(L, lua_upvalueindex(1));
    }
    int pushed = push_after(L, self, 3, count_passed(L, self, 2));
    if (pushed == 1) {
        drop_snapshot(L);
        lua_pushnil(L);
    }
    return pushed;
}

void order_push_next(lua_State *L)
{
    lua_newtable(L);
    /* Weak keys: a snapshot must not keep its table alive. */
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pushcclosure(L, next_key, 1);
}
