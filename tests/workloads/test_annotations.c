/* Annotations of the script API: every call that a Lua state offers is in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "tests/workloads/chunk.h"
#include "workloads/annotations.h"
#include "workloads/host/family.h"
#include "workloads/tensix/kernel_api.h"

static WlSandbox *opened(lua_CFunction open)
{
    WlSandboxConfig config = chunk_config(NULL);
    WlSandbox *sandbox = sandbox_new("t.lua", &config, NULL);

    assert_non_null(sandbox);
    if (open != NULL) {
        lua_pushcfunction(sandbox_state(sandbox), open);
        assert_true(sandbox_call(sandbox_state(sandbox), 0, 0, NULL));
    }
    return sandbox;
}

/* Every function of the table at the top of the stack is in the text, with `before` in
 * front of its name, unless the table below it has it, too. Returns how many. */
static guint check_table(lua_State *L, const char *text, const char *before, int except)
{
    guint count = 0;

    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        const bool is_usual = except != 0 && lua_rawget(L, except) != LUA_TNIL;

        lua_settop(L, -2);
        if (lua_type(L, -2) != LUA_TSTRING || !lua_isfunction(L, -1) || is_usual) {
            continue;
        }
        g_autofree char *call = g_strdup_printf("%s%s(", before, lua_tostring(L, -2));

        if (strstr(text, call) == NULL) {
            fail_msg("%s is not in the annotations", call);
        }
        count++;
    }
    return count;
}

/* Pushes the table of methods of the metatable at the top, or nil. */
static void push_methods(lua_State *L)
{
    lua_getfield(L, -1, "__index");
    if (lua_isfunction(L, -1)) {
        assert_non_null(lua_getupvalue(L, -1, 1));
        lua_remove(L, -2);
    }
}

static void every_method_of_every_object_is_there(void **state G_GNUC_UNUSED)
{
    g_autofree char *text = wl_annotations();
    g_autoptr(WlSandbox) sandbox = opened(host_families_open);
    lua_State *L = sandbox_state(sandbox);
    guint count = 0;

    lua_pushvalue(L, LUA_REGISTRYINDEX);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING &&
            g_str_has_prefix(lua_tostring(L, -2), "gridloom.")) {
            push_methods(L);
            count += lua_istable(L, -1) ? check_table(L, text, ":", 0) : 0;
            lua_pop(L, 1);
        }
    }
    assert_true(count > 100);
}

static void every_function_of_kernels_is_there(void **state G_GNUC_UNUSED)
{
    static const lua_CFunction opens[] = {kernel_api_open_mover,
                                          kernel_api_open_compute};
    g_autofree char *text = wl_annotations();

    for (guint i = 0; i < G_N_ELEMENTS(opens); i++) {
        g_autoptr(WlSandbox) sandbox = opened(opens[i]);
        lua_State *L = sandbox_state(sandbox);

        lua_newtable(L);
        lua_pushglobaltable(L);
        for (const char *const *name =
                 (const char *const[]){"assert",       "error",    "getmetatable",
                                       "ipairs",       "load",     "next",
                                       "pairs",        "pcall",    "print",
                                       "rawequal",     "rawget",   "rawlen",
                                       "rawset",       "require",  "select",
                                       "setmetatable", "tonumber", "tostring",
                                       "type",         "xpcall",   NULL};
             *name != NULL; name++) {
            lua_pushboolean(L, 1);
            lua_setfield(L, -3, *name);
        }
        assert_true(check_table(L, text, "\nfunction ", lua_gettop(L) - 1) > 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_of_every_object_is_there),
        cmocka_unit_test(every_function_of_kernels_is_there),
    };

    return cmocka_run_group_tests_name("workloads.annotations", tests, NULL, NULL);
}
