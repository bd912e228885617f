/* Converts Lua values to JSON nodes. */
#include "workloads/sandbox/json_value.h"

#include <math.h>

#include <lauxlib.h>

#include "sim/compare.h"
#include "sim/narrow.h"
#include "workloads/sandbox/sandbox.h"

enum {
    DEPTH_MAXIMUM = 32,
    VALUE_BYTES = 128, /* about what a value takes as JSON, its text not counted */
};

static JsonNode *convert(lua_State *L, int index, int depth);

static JsonNode *convert_array(lua_State *L, int index, lua_Unsigned count, int depth)
{
    JsonNode *node = json_node_new(JSON_NODE_ARRAY);
    JsonArray *array = json_array_new();

    json_node_take_array(node, array);
    for (lua_Unsigned i = 1; i <= count; i++) {
        lua_rawgeti(L, index, (lua_Integer) i);
        json_array_add_element(array, convert(L, lua_gettop(L), depth + 1));
        lua_pop(L, 1);
    }
    return node;
}

static JsonNode *convert_object(lua_State *L, int index, int depth)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);
    JsonObject *object = json_object_new();

    json_node_take_object(node, object);
    lua_pushnil(L);
    while (lua_next(L, index) != 0) {
        lua_pop(L, 1);
        g_ptr_array_add(names, g_strdup(lua_tostring(L, -1)));
    }
    g_ptr_array_sort(names, sim_compare_texts);
    for (guint i = 0; i < names->len; i++) {
        lua_pushstring(L, g_ptr_array_index(names, i));
        lua_rawget(L, index);
        json_object_set_member(object, g_ptr_array_index(names, i),
                               convert(L, lua_gettop(L), depth + 1));
        lua_pop(L, 1);
    }
    return node;
}

static JsonNode *convert_number(lua_State *L, int index)
{
    JsonNode *node = json_node_new(JSON_NODE_VALUE);

    if (lua_isinteger(L, index)) {
        json_node_set_int(node, lua_tointeger(L, index));
    } else if (isfinite(lua_tonumber(L, index))) {
        json_node_set_double(node, lua_tonumber(L, index));
    } else {
        json_node_init_null(node);
    }
    return node;
}

static JsonNode *convert(lua_State *L, int index, int depth)
{
    JsonNode *node;

    switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
        node = json_node_new(JSON_NODE_VALUE);
        json_node_set_boolean(node, lua_toboolean(L, index));
        return node;
    case LUA_TNUMBER:
        return convert_number(L, index);
    case LUA_TSTRING:
        node = json_node_new(JSON_NODE_VALUE);
        json_node_set_string(node, lua_tostring(L, index));
        return node;
    default:
        return lua_rawlen(L, index) > 0
                   ? convert_array(L, index, lua_rawlen(L, index), depth)
                   : convert_object(L, index, depth);
    }
}

/* The script pays for what it reports, for good. */
static void account(lua_State *L, uint64_t bytes)
{
    if (!sandbox_account(sandbox_of(L), (int64_t) bytes)) {
        sandbox_check(L);
    }
}

static void check_text(lua_State *L, int index, const char *what, uint64_t *bytes)
{
    size_t length = 0;
    const char *text = lua_tolstring(L, index, &length);

    /* With a length, a NUL is not valid either. */
    if (!g_utf8_validate(text, (gssize) length, NULL)) {
        luaL_error(L, "%s is not UTF-8", what);
    }
    *bytes += length;
}

static void check(lua_State *L, int index, int depth, uint64_t *bytes);

static void check_table(lua_State *L, int index, int depth, uint64_t *bytes)
{
    lua_Unsigned count = lua_rawlen(L, index);

    lua_pushnil(L);
    while (lua_next(L, index) != 0) {
        lua_Integer key = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;

        if (count > 0 ? (key < 1 || (lua_Unsigned) key > count)
                      : lua_type(L, -2) != LUA_TSTRING) {
            luaL_error(L, "a reported table has keys 1..n or names, not both");
        }
        if (count == 0) {
            check_text(L, -2, "a name in a reported table", bytes);
        }
        check(L, lua_gettop(L), depth + 1, bytes);
        lua_pop(L, 1);
    }
    for (lua_Unsigned i = 1; i <= count; i++) {
        if (lua_rawgeti(L, index, (lua_Integer) i) == LUA_TNIL) {
            luaL_error(L, "a reported list has no element %d", sim_i32(i));
        }
        lua_pop(L, 1);
    }
}

/* Raises before anything is allocated that an error would lose. */
static void check(lua_State *L, int index, int depth, uint64_t *bytes)
{
    uint64_t limit_bytes = sim_account_limit(sandbox_memory(sandbox_of(L)));
    int type = lua_type(L, index);

    *bytes += VALUE_BYTES;
    if (type == LUA_TBOOLEAN || type == LUA_TNUMBER) {
        return;
    }
    if (type == LUA_TSTRING) {
        check_text(L, index, "a reported text", bytes);
        return;
    }
    if (type != LUA_TTABLE) {
        luaL_error(L,
                   "a %s cannot be reported, only numbers, strings, booleans and "
                   "tables of them",
                   lua_typename(L, type));
    }
    if (depth == DEPTH_MAXIMUM) {
        luaL_error(L, "a reported table is nested more than %d deep", DEPTH_MAXIMUM);
    }
    /* A table that stands in many places counts in each: few can be very many. */
    if (*bytes > limit_bytes) {
        account(L, *bytes);
    }
    luaL_checkstack(L, 4, "a reported table is nested too deep");
    check_table(L, index, depth, bytes);
}

JsonNode *json_value_of(lua_State *L, int index)
{
    uint64_t bytes = 0;

    index = lua_absindex(L, index);
    check(L, index, 0, &bytes);
    account(L, bytes);
    luaL_checkstack(L, 4 * DEPTH_MAXIMUM, "no room to report a table");
    return convert(L, index, 0);
}
