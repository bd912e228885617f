/* Runs a piece of Lua in a sandbox and collects what it prints. */
#pragma once

#include <stdbool.h>
#include <string.h>

#include <glib.h>
#include <lua.h>

#include "workloads/sandbox/sandbox.h"
#include "workloads/script.h"

static inline void chunk_collect(gpointer data, const char *line)
{
    g_string_append_printf(data, "%s\n", line);
}

static inline WlSandboxConfig chunk_config(GString *output)
{
    WlSandboxConfig config = wl_sandbox_config_default();
    config.memory_bytes = 64 << 20;
    config.steps = 50000000;
    config.print = chunk_collect;
    config.print_data = output;
    return config;
}

/* Compiles and calls `text` as the file "t.lua" in the sandbox. */
static inline bool chunk_run_in(WlSandbox *sandbox, const char *text, GError **error)
{
    g_autoptr(GBytes) bytes = g_bytes_new_static(text, strlen(text));
    lua_State *L = sandbox_state(sandbox);
    return sandbox_compile(L, "t.lua", bytes, error) && sandbox_call(L, 0, 0, error);
}

static inline bool
chunk_run(const char *text, const WlSandboxConfig *config, GError **error)
{
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", config, error);
    return sandbox != NULL && chunk_run_in(sandbox, text, error);
}

/* What `text` prints, or its error's message. The caller frees it. */
static inline char *chunk_output(const char *text)
{
    g_autoptr(GError) error = NULL;
    GString *output = g_string_new(NULL);
    WlSandboxConfig config = chunk_config(output);
    if (!chunk_run(text, &config, &error)) {
        g_string_append(output, error->message);
    }
    return g_string_free(output, FALSE);
}
