/* Binds tables of calls, and explains calls that are not in them. */
#include "workloads/sandbox/api.h"

#include <string.h>

#include "arch/chipfile/spelling.h"
#include "arch/error.h"
#include "workloads/error.h"

/* Keys of the registry: the last name that was looked for in vain, and where. */
static const char missed_name;
static const char missed_api;
static const char missed_table;

void api_set(lua_State *L, const ApiCall *calls, int upvalues)
{
    for (const ApiCall *call = calls; call->name != NULL; call++) {
        for (int i = 0; i < upvalues; i++) {
            lua_pushvalue(L, -upvalues);
        }
        lua_pushcclosure(L, call->function, upvalues);
        lua_setfield(L, -(upvalues + 2), call->name);
    }
    lua_pop(L, upvalues);
}

/* Lua function __index(table, name); upvalues: the ApiClass, and the table. */
static int miss(lua_State *L)
{
    static const char *const places[] = {&missed_api, &missed_table};

    if (lua_type(L, 2) == LUA_TSTRING) {
        lua_pushvalue(L, 2);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &missed_name);
        for (int i = 0; i < 2; i++) {
            lua_pushvalue(L, lua_upvalueindex(i + 1));
            lua_rawsetp(L, LUA_REGISTRYINDEX, places[i]);
        }
    }
    lua_pushnil(L);
    return 1;
}

void api_watch(lua_State *L, const ApiClass *api)
{
    lua_createtable(L, 0, 1);
    lua_pushlightuserdata(L, (gpointer) api);
    lua_pushvalue(L, -3);
    lua_pushcclosure(L, miss, 2);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

void api_push(lua_State *L, const ApiClass *api)
{
    lua_newtable(L);
    for (guint i = 0; api->calls[i] != NULL; i++) {
        api_set(L, api->calls[i], 0);
    }
    api_watch(L, api);
}

/* The name in "attempt to call a nil value (method 'name')"; the caller frees it. */
static char *named_in(const char *message)
{
    const char *at = strstr(message, "attempt to call a nil value (");
    const char *first = at != NULL ? strchr(at, '\'') : NULL;
    const char *last = first != NULL ? strchr(first + 1, '\'') : NULL;

    return last != NULL ? g_strndup(first + 1, (gsize) (last - first - 1)) : NULL;
}

/* The function in the table at the top of the stack that is spelt most like `name`, of
 * several the first one by name; NULL: nothing is like it. It stays in the table. */
static const char *nearest_in(lua_State *L, const char *name)
{
    const char *nearest = NULL;
    guint least = G_MAXUINT;

    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        const char *known = lua_type(L, -2) == LUA_TSTRING && lua_isfunction(L, -1)
                                ? lua_tostring(L, -2)
                                : NULL;
        const guint distance =
            known != NULL ? arch_spelling_distance(name, known) : G_MAXUINT;

        if (known != NULL &&
            (distance < least ||
             (distance == least && nearest != NULL && strcmp(known, nearest) < 0))) {
            least = distance;
            nearest = known;
        }
    }
    return nearest != NULL && least <= (strlen(name) + 1) / 2 ? nearest : NULL;
}

static GError *explain(lua_State *L, const char *name, const ApiClass *api)
{
    g_autofree char *word = g_strdup_printf(" %s ", name);

    if (api->unmodelled != NULL && strstr(api->unmodelled, word) != NULL) {
        return g_error_new(ARCH_ERROR, ARCH_ERROR_UNMODELLED, "%s: not modelled", name);
    }
    const char *nearest = nearest_in(L, name);

    return g_error_new(WL_ERROR, WL_ERROR_RUNTIME, "no such call `%s`%s%s%s", name,
                       nearest != NULL ? "; nearest: `" : "",
                       nearest != NULL ? nearest : "", nearest != NULL ? "`" : "");
}

GError *api_explain(lua_State *L, const char *message)
{
    g_autofree char *name = named_in(message);
    GError *error = NULL;

    if (name == NULL || lua_checkstack(L, 6) == 0) {
        return NULL;
    }
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &missed_name) == LUA_TSTRING &&
        strcmp(lua_tostring(L, -1), name) == 0) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &missed_api);
        const ApiClass *api = lua_touserdata(L, -1);

        lua_rawgetp(L, LUA_REGISTRYINDEX, &missed_table);
        error = explain(L, name, api);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    return error;
}
