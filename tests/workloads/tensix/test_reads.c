/* Reads of arguments: other arguments agree where they give the same for what was read,
 * whatever else they hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "tests/workloads/chunk.h"
#include "workloads/host/plain.h"
#include "workloads/tensix/reads.h"

/* What is read, by whom, and what the reader has instead: pieces of Lua. */
typedef struct {
    const char *kernel; /* of `args` */
    const char *arguments;
    const char *others;
    bool agrees;
} Reading;

static const char owner, reader;

/* Pushes the value of a piece of Lua. */
static void push(lua_State *L, const char *text)
{
    g_autofree char *chunk = g_strconcat("return ", text, NULL);

    assert_int_equal(luaL_loadstring(L, chunk), LUA_OK);
    lua_call(L, 0, 1);
}

static GBytes *packed(lua_State *L, const char *text)
{
    GBytes *bytes;

    push(L, text);
    bytes = plain_pack(L, -1, &(PlainWay){.what = "args"});
    lua_pop(L, 1);
    return bytes;
}

/* Lua function. */
static int run(lua_State *L)
{
    const Reading *reading = lua_touserdata(L, 1);
    g_autofree char *kernel =
        g_strconcat("function(args) ", reading->kernel, " end", NULL);
    g_autoptr(GBytes) others = packed(L, reading->others);
    const Reads *reads;

    reads_open(L);
    push(L, kernel);
    push(L, reading->arguments);
    reads = reads_watch(L, &owner);
    lua_call(L, 1, 0);
    lua_pushboolean(L, reads_agree(L, &owner, &reader, others, 0, reads_count(reads)));
    reads_forget(L, &owner);
    reads_forget(L, &reader);
    return 1;
}

static bool agrees(const Reading *reading)
{
    const WlSandboxConfig config = chunk_config(NULL);
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, NULL);
    lua_State *L = sandbox_state(sandbox);
    g_autoptr(GError) error = NULL;

    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, (gpointer) reading);
    if (!sandbox_call(L, 1, 1, &error)) {
        fail_msg("%s: %s", reading->kernel, error->message);
    }
    return lua_toboolean(L, -1) != 0;
}

static void what_was_read_decides(void **state)
{
    static const Reading readings[] = {
        {"", "{ a = 1 }", "{}", true},
        {"", "{ a = 1 }", "7", false},
        {"assert(args == 7)", "7", "7", true},
        {"assert(args == 7)", "7", "8", false},
        {"assert(args.a == 1)", "{ a = 1, b = 2 }", "{ a = 1, b = 3 }", true},
        {"assert(args.a == 1)", "{ a = 1 }", "{ a = 2 }", false},
        {"assert(args.a == 1)", "{ a = 1 }", "{ a = 1.0 }", false},
        {"assert(args.a == 0)", "{ a = 0.0 }", "{ a = -0.0 }", false},
        {"assert(args.a == nil)", "{}", "{ b = 1 }", true},
        {"assert(args.a == nil and args[nil] == nil)", "{}", "{ a = false }", false},
        {"assert(args.a.b.c == 'x')", "{ a = { b = { c = 'x' } } }",
         "{ a = { b = { c = 'x', d = 1 }, e = 2 } }", true},
        {"assert(args.a.b.c == 'x')", "{ a = { b = { c = 'x' } } }",
         "{ a = { b = { c = 'y' } } }", false},
        {"assert(args.a.b)", "{ a = { b = {} } }", "{ a = { b = 1 } }", false},
        {"assert(args.a.x == 1 and args.b.x == 2)", "{ a = { x = 1 }, b = { x = 2 } }",
         "{ b = { x = 2 }, a = { x = 1 } }", true},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(readings); i++) {
        if (agrees(&readings[i]) != readings[i].agrees) {
            fail_msg("%s: %s against %s", readings[i].kernel, readings[i].arguments,
                     readings[i].others);
        }
    }
}

static void lengths_and_passes_read_all_of_a_table(void **state)
{
    static const char *const kernels[] = {
        "assert(#args.a == 2)",
        "local n = 0 for _, v in pairs(args.a) do n = n + v end assert(n == 3)",
        "assert(next(args.a) == 1)",
        "assert(rawlen(args.a) == 2 and rawget(args.a, 2) == 2)",
        "assert(getmetatable(args.a) == nil)",
        "table.insert(args.a, 3) assert(args.a[3] == 3 and #args.a == 3)",
        "local a = setmetatable(args.a, { __index = { x = 5 } }) assert(a.x == 5)",
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(kernels); i++) {
        Reading reading = {kernels[i], "{ a = { 1, 2 }, b = 1 }",
                           "{ a = { 1, 2 }, b = 2 }", true};

        assert_true(agrees(&reading));
        reading.others = "{ a = { 1, 2, 3 }, b = 1 }";
        assert_false(agrees(&reading));
        reading.others = "{ a = { 1 }, b = 1 }";
        assert_false(agrees(&reading));
    }
}

static void a_list_is_read_as_far_as_somebody_goes(void **state)
{
    Reading reading = {"for i, v in ipairs(args) do if i == 2 then break end end",
                       "{ 1, 2, 3 }", "{ 1, 2, 4, 5 }", true};

    (void) state;
    assert_true(agrees(&reading));
    reading.kernel = "for i, v in ipairs(args) do assert(v == i) end";
    assert_false(agrees(&reading));
}

static void a_kernel_may_change_its_arguments(void **state)
{
    Reading reading = {"args.a = 5 assert(args.a == 5) args.a = nil assert(not args.a)",
                       "{ a = 1 }", "{ a = 2 }", true};

    (void) state;
    assert_true(agrees(&reading)); /* the value that it had was never read */
    reading.kernel = "assert(args.a == 1) args.a = nil assert(args.a == nil)";
    assert_false(agrees(&reading));
    reading.kernel = "args.b = 1 args.c = nil local n = 0 "
                     "for k in pairs(args) do n = n + 1 end assert(n == 2)";
    assert_false(agrees(&reading));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_read_decides),
        cmocka_unit_test(lengths_and_passes_read_all_of_a_table),
        cmocka_unit_test(a_list_is_read_as_far_as_somebody_goes),
        cmocka_unit_test(a_kernel_may_change_its_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
