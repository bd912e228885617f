/* Kernels of a script, in the registry of its state. */
#include "workloads/script/kernels.h"

#include <glib.h>
#include <lauxlib.h>

#include "sim/compare.h"

/* Its address is the registry key of the table of kernels. */
static const char kernels_key = 0;

void kernels_keep(lua_State *L, int index)
{
    lua_pushvalue(L, index);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &kernels_key);
}

void kernels_push(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &kernels_key);
}

/* Pushes the names of the kernels in the table at `index`, as a list for people. */
static void push_names(lua_State *L, int index)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    lua_pushnil(L);
    while (lua_next(L, index) != 0) {
        g_ptr_array_add(names, (gpointer) lua_tostring(L, -2));
        lua_pop(L, 1);
    }
    g_ptr_array_sort(names, sim_compare_texts);
    g_ptr_array_add(names, NULL);
    g_autofree char *list = g_strjoinv(", ", (char **) names->pdata);

    lua_pushstring(L, list);
}

void kernels_check(lua_State *L, const char *name)
{
    kernels_push(L);
    if (!lua_istable(L, -1)) {
        luaL_error(L, "the script declares no kernels");
    }
    lua_pushstring(L, name);
    if (lua_rawget(L, -2) != LUA_TFUNCTION) {
        push_names(L, lua_gettop(L) - 1);
        luaL_error(L, "the script declares no kernel %s; there are %s", name,
                   lua_tostring(L, -1));
    }
    lua_pop(L, 2);
}
