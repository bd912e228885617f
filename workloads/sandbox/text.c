/* Values as text that is the same in every run: no addresses. */
#include "workloads/sandbox/text.h"

#include <stdbool.h>
#include <string.h>

#include <lauxlib.h>

#include "workloads/sandbox/sandbox.h"
#include "workloads/script.h"

/* Its address is the registry key of the table object -> number, type -> last. */
static const char numbers_key = 0;

void text_open(lua_State *L)
{
    lua_newtable(L);
    /* Weak keys: a number must not keep its object alive. */
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &numbers_key);
}

/* The number of the object at `index`, given at first use. */
static lua_Integer number_of(lua_State *L, int index)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &numbers_key);
    lua_pushvalue(L, index);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_pop(L, 1);
        int type = lua_type(L, index);
        lua_rawgeti(L, -1, type);
        lua_Integer number = lua_tointeger(L, -1) + 1;
        lua_pop(L, 1);
        lua_pushinteger(L, number);
        lua_rawseti(L, -2, type);
        lua_pushvalue(L, index);
        lua_pushinteger(L, number);
        lua_rawset(L, -3);
        lua_pushinteger(L, number);
    }
    lua_Integer number = lua_tointeger(L, -1);
    lua_pop(L, 2);
    return number;
}

static bool has_address(int type)
{
    return type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD ||
           type == LUA_TUSERDATA || type == LUA_TLIGHTUSERDATA;
}

static bool has_metafield(lua_State *L, int index, const char *name)
{
    if (luaL_getmetafield(L, index, name) == LUA_TNIL) {
        return false;
    }
    lua_pop(L, 1);
    return true;
}

const char *text_push(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    luaL_checkstack(L, 6, NULL);
    if (!has_address(lua_type(L, index)) || has_metafield(L, index, "__tostring")) {
        return luaL_tolstring(L, index, NULL);
    }
    lua_Integer number = number_of(L, index);
    if (luaL_getmetafield(L, index, "__name") == LUA_TNIL) {
        lua_pushnil(L);
    }
    const char *kind =
        lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, index);
    lua_pushfstring(L, "%s: %I", kind, (LUAI_UACINT) number);
    lua_remove(L, -2);
    return lua_tostring(L, -1);
}

int text_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    text_push(L, 1);
    return 1;
}

int text_format(lua_State *L)
{
    size_t length = 0;
    const char *format = luaL_checklstring(L, 1, &length);
    int argument = 1;
    for (size_t i = 0; i < length; i++) {
        if (format[i] != '%') {
            continue;
        }
        i++;
        if (i < length && format[i] == '%') {
            continue;
        }
        while (i < length && format[i] != '\0' &&
               strchr("-+ #0123456789.", format[i])) {
            i++;
        }
        argument++;
        if (i < length && format[i] == 'p') {
            return luaL_error(L, "string.format: '%%p' shows an address, which differs "
                                 "from run to run");
        }
        if (i < length && format[i] == 's' && argument <= lua_gettop(L)) {
            text_push(L, argument);
            lua_replace(L, argument);
        }
    }
    /* Called as C, not through Lua: its errors then name the script's line. */
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static void print_lines(const WlSandboxConfig *config, const char *text, size_t length)
{
    const char *end = text + length;
    for (;;) {
        const char *stop = memchr(text, '\n', (size_t) (end - text));
        g_autofree char *line =
            g_strndup(text, (size_t) ((stop == NULL ? end : stop) - text));
        config->print(config->print_data, line);
        if (stop == NULL) {
            return;
        }
        text = stop + 1;
    }
}

int text_print(lua_State *L)
{
    int count = lua_gettop(L);
    luaL_Buffer line;
    luaL_buffinit(L, &line);
    for (int i = 1; i <= count; i++) {
        if (i > 1) {
            luaL_addchar(&line, '\t');
        }
        text_push(L, i);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    size_t length = 0;
    const char *text = lua_tolstring(L, -1, &length);
    const WlSandboxConfig *config = sandbox_config(sandbox_of(L));
    if (config->print != NULL) {
        print_lines(config, text, length);
        sandbox_check(L);
    }
    return 0;
}
