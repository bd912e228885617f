/* Runs a piece of Lua that has a function buffer(bytes [, is_bare]): host memory, with
 * data or, as in timing-only runs, without. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "tests/workloads/chunk.h"
#include "workloads/buffer/bytes.h"
#include "workloads/reference/methods.h"

static inline int buffer_chunk_make(lua_State *L)
{
    host_bytes_push(L, (uint64_t) luaL_checkinteger(L, 1), lua_toboolean(L, 2) == 0);
    return 1;
}

/* What `text` prints, or its error's message. The caller frees it. */
static inline char *buffer_chunk_output(const char *text)
{
    g_autoptr(GError) error = NULL;
    GString *output = g_string_new(NULL);
    WlSandboxConfig config = chunk_config(output);
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, &error);

    host_bytes_register(sandbox_state(sandbox), &bytes_api);
    lua_register(sandbox_state(sandbox), "buffer", buffer_chunk_make);
    if (!chunk_run_in(sandbox, text, &error)) {
        g_string_append(output, error->message);
    }
    return g_string_free(output, FALSE);
}

static inline void buffer_chunk_assert_prints(const char *text, const char *expected)
{
    g_autofree char *output = buffer_chunk_output(text);

    assert_string_equal(output, expected);
}

/* A piece of Lua, and what is in the message that refuses it. */
typedef struct {
    const char *text;
    const char *says;
} BufferChunkRefusal;

/* They all are, between two other pieces. */
static inline void buffer_chunk_assert_refused(const char *before,
                                               const BufferChunkRefusal *cases,
                                               gsize count,
                                               const char *after)
{
    for (gsize i = 0; i < count; i++) {
        g_autofree char *text = g_strconcat(before, cases[i].text, after, NULL);
        g_autofree char *output = buffer_chunk_output(text);

        if (strstr(output, cases[i].says) == NULL) {
            fail_msg("%s: %s", cases[i].text, output);
        }
    }
}
