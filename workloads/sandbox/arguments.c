/* Reads the fields of tables that a script passes. */
#include "workloads/sandbox/arguments.h"

#include <math.h>

#include <lauxlib.h>

#include "sim/narrow.h"
#include "workloads/sandbox/field.h"
#include "workloads/sandbox/sandbox.h"

void arguments_check(lua_State *L, int index, const char *const *known)
{
    GError *error = NULL;

    luaL_checktype(L, index, LUA_TTABLE);
    if (!field_check_known(L, index, known, &error)) {
        sandbox_raise(L, error);
    }
}

static guint check_range(lua_State *L,
                         int index,
                         const char *name,
                         gint64 missing,
                         lua_Integer least,
                         lua_Integer most)
{
    int is_integer = 0;
    int type = field_push(L, index, name);
    lua_Integer value = lua_tointegerx(L, -1, &is_integer);

    lua_pop(L, 1);
    if (type == LUA_TNIL && missing >= 0) {
        return sim_u32(missing);
    }
    if (type != LUA_TNUMBER || is_integer == 0 || value < least || value > most) {
        luaL_error(L, "%s: expected an integer of %I to %I", name, (LUAI_UACINT) least,
                   (LUAI_UACINT) most);
    }
    return sim_u32(value);
}

guint arguments_integer(
    lua_State *L, int index, const char *name, gint64 missing, lua_Integer most)
{
    return check_range(L, index, name, missing, 0, most);
}

guint arguments_count(
    lua_State *L, int index, const char *name, gint64 missing, lua_Integer most)
{
    return check_range(L, index, name, missing, 1, most);
}

int32_t arguments_signed(lua_State *L, int index, const char *name, int32_t missing)
{
    int is_integer = 0;
    int type = field_push(L, index, name);
    lua_Integer value = lua_tointegerx(L, -1, &is_integer);

    lua_pop(L, 1);
    if (type == LUA_TNIL) {
        return missing;
    }
    if (type != LUA_TNUMBER || is_integer == 0 || value < INT32_MIN ||
        value > INT32_MAX) {
        luaL_error(L, "%s: expected an integer of 32 bits", name);
    }
    return sim_i32(value);
}

double arguments_number(lua_State *L, int index, const char *name, double missing)
{
    int type = field_push(L, index, name);
    double value = lua_tonumber(L, -1);

    lua_pop(L, 1);
    if (type == LUA_TNIL) {
        return missing;
    }
    if (type != LUA_TNUMBER || !isfinite(value)) {
        luaL_error(L, "%s: expected a finite number", name);
    }
    return value;
}

bool arguments_flag(lua_State *L, int index, const char *name)
{
    int type = field_push(L, index, name);
    bool is_set = lua_toboolean(L, -1) != 0;

    lua_pop(L, 1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
        luaL_error(L, "%s: expected true or false", name);
    }
    return is_set;
}

guint arguments_choice(
    lua_State *L, int index, const char *name, const char *const *names, bool is_needed)
{
    int type = field_push(L, index, name);
    const char *value = type == LUA_TSTRING ? lua_tostring(L, -1) : "";

    lua_pop(L, 1);
    if (type == LUA_TNIL && !is_needed) {
        return 0;
    }
    for (guint i = 0; names[i] != NULL; i++) {
        if (g_str_equal(names[i], value)) {
            return i;
        }
    }
    lua_pushstring(L, names[0]);
    for (guint i = 1; names[i] != NULL; i++) {
        lua_pushfstring(L, ", %s", names[i]);
        lua_concat(L, 2);
    }
    return sim_u32(luaL_error(L, "%s: expected one of %s", name, lua_tostring(L, -1)));
}

const char *arguments_text(lua_State *L, int index, const char *name)
{
    if (field_push(L, index, name) != LUA_TSTRING) {
        luaL_error(L, "%s: expected a string", name);
    }
    return lua_tostring(L, -1);
}

void answer_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

void answer_count(lua_State *L, const char *name, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer) value);
    lua_setfield(L, -2, name);
}

void answer_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}
