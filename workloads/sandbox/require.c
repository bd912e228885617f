/* Modules: other Lua files that a script may load, from two folders only. */
#include <stdbool.h>
#include <string.h>

#include <lauxlib.h>

#include "workloads/error.h"
#include "workloads/sandbox/beside.h"
#include "workloads/sandbox/environment.h"
#include "workloads/sandbox/sandbox.h"
#include "workloads/sandbox/source.h"

enum {
    NAME_BYTES = 255,
};

/* Upvalues of require(). */
enum {
    MODULES = 1, /* name -> what the module returned */
    LOADING = 2, /* names that are being loaded, outermost first */
};

static bool is_module_name(const char *name, size_t length)
{
    if (length == 0 || length > NAME_BYTES || name[0] == '/' ||
        name[length - 1] == '/' || strstr(name, "//") != NULL) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (!g_ascii_isalnum(name[i]) && name[i] != '_' && name[i] != '/') {
            return false;
        }
    }
    return true;
}

/* The text of a module; *shown is its path in messages. The caller frees both. */
static GBytes *
read_module(const WlSandbox *sandbox, const char *name, char **shown, GError **error)
{
    const char *library = sandbox_config(sandbox)->library_path;
    g_autofree char *own_folder = beside_folder(sandbox_path(sandbox));
    g_autofree char *library_folder =
        library == NULL ? NULL : g_strconcat(library, "/", NULL);
    const char *const folders[] = {own_folder, library_folder};
    GString *places = g_string_new(NULL);
    g_autofree char *list = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(folders) && folders[i] != NULL; i++) {
        g_autofree char *path = g_strconcat(folders[i], name, ".lua", NULL);
        GError *failure = NULL;
        g_autofree char *real = beside_find(folders[i], path, &failure);
        if (real != NULL || failure != NULL) {
            g_string_free(places, TRUE);
            *shown = g_strdup(path);
            if (failure != NULL) {
                g_propagate_error(error, failure);
                return NULL;
            }
            return source_read(real, path, error);
        }
        g_string_append_printf(places, "%s%s", i == 0 ? "" : " and ", path);
    }
    list = g_string_free(places, FALSE);
    (void) wl_refuse(error, "no module '%s': there is no %s", name, list);
    return NULL;
}

/* Pushes the compiled module. Holds no memory of its own when it raises. */
static void push_module(lua_State *L, const char *name)
{
    char *shown = NULL;
    GError *error = NULL;
    GBytes *text = read_module(sandbox_of(L), name, &shown, &error);
    bool is_loaded = text != NULL && sandbox_compile(L, shown, text, &error);
    g_clear_pointer(&text, g_bytes_unref);
    g_free(shown);
    if (!is_loaded) {
        sandbox_raise(L, error);
    }
}

/* Raises if the module at 1 is being loaded already, and says through which others. */
static void refuse_cycle(lua_State *L)
{
    lua_Integer count = (lua_Integer) lua_rawlen(L, lua_upvalueindex(LOADING));
    for (lua_Integer first = 1; first <= count; first++) {
        lua_rawgeti(L, lua_upvalueindex(LOADING), first);
        bool is_same = lua_rawequal(L, -1, 1) != 0;
        lua_pop(L, 1);
        if (!is_same) {
            continue;
        }
        luaL_Buffer chain;
        luaL_buffinit(L, &chain);
        for (lua_Integer i = first; i <= count; i++) {
            lua_rawgeti(L, lua_upvalueindex(LOADING), i);
            luaL_addvalue(&chain);
            luaL_addstring(&chain, " -> ");
        }
        luaL_addstring(&chain, lua_tostring(L, 1));
        luaL_pushresult(&chain);
        luaL_error(L, "modules require each other in a circle: %s",
                   lua_tostring(L, -1));
    }
}

static int require_module(lua_State *L)
{
    size_t length = 0;
    luaL_checktype(L, 1, LUA_TSTRING);
    const char *name = lua_tolstring(L, 1, &length);
    lua_settop(L, 1);
    if (!is_module_name(name, length)) {
        return luaL_error(L,
                          "'%s' is not the name of a module, expected letters, digits, "
                          "'_' and '/'",
                          name);
    }
    lua_pushvalue(L, 1);
    if (lua_rawget(L, lua_upvalueindex(MODULES)) != LUA_TNIL) {
        return 1;
    }
    refuse_cycle(L);
    push_module(L, name);

    lua_Integer depth = (lua_Integer) lua_rawlen(L, lua_upvalueindex(LOADING)) + 1;
    lua_pushvalue(L, 1);
    lua_rawseti(L, lua_upvalueindex(LOADING), depth);
    lua_pushvalue(L, 1);
    int status = lua_pcall(L, 1, 1, 0);
    lua_pushnil(L);
    lua_rawseti(L, lua_upvalueindex(LOADING), depth);
    sandbox_check(L);
    if (status != LUA_OK) {
        return lua_error(L);
    }
    if (lua_isnil(L, -1)) {
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, lua_upvalueindex(MODULES));
    return 1;
}

void require_push(lua_State *L)
{
    lua_newtable(L);
    lua_newtable(L);
    lua_pushcclosure(L, require_module, 2);
}
