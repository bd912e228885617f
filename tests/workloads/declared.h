/* Scripts that a test declares: loaded, refused, run. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "tests/workloads/folder.h"
#include "workloads/error.h"
#include "workloads/script.h"
#include "workloads/script/entry.h"

/* The end of a declaration whose run() does nothing. */
#define DECLARED_RUN " run = function() end }"

/* Loads the text as vecadd.lua. */
static inline WlScript *declared_load(Folder *folder, const char *text, GError **error)
{
    WlSandboxConfig config = wl_sandbox_config_default();
    config.steps = 10000000;
    return wl_script_load(folder_write(folder, "vecadd.lua", text, -1), &config, error);
}

/* It cannot be loaded, and the message says why after the path. */
static inline void assert_declaration_refused(const char *text, const char *message)
{
    g_auto(Folder) folder = folder_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(WlScript) script = declared_load(&folder, text, &error);
    g_autofree char *expected =
        g_strdup_printf("%s/vecadd.lua: %s", folder.path, message);

    assert_null(script);
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_SYNTAX));
    assert_string_equal(error->message, expected);
}

/* Lua function: calls run(41, p) of the script given as light userdata. */
static inline int declared_call_run(lua_State *L)
{
    WlScript *script = lua_touserdata(L, 1);
    script_push_run(script, L);
    lua_pushinteger(L, 41);
    script_push_values(script, L);
    lua_call(L, 2, 1);
    return 1;
}

/* The script's run() finds its values right, and returns 42. */
static inline void assert_run_is_right(WlScript *script)
{
    g_autoptr(GError) error = NULL;
    lua_State *L = sandbox_state(script_sandbox(script));
    lua_pushcfunction(L, declared_call_run);
    lua_pushlightuserdata(L, script);
    bool is_done = sandbox_call(L, 1, 1, &error);

    if (!is_done) {
        fail_msg("%s", error->message);
    }
    assert_int_equal(lua_tointeger(L, -1), 42);
}
