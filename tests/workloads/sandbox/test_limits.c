/* Tests of the limits on a script's steps, memory and time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "tests/workloads/chunk.h"
#include "workloads/error.h"

static void assert_prints(const char *text, const char *expected)
{
    g_autofree char *output = chunk_output(text);
    assert_string_equal(output, expected);
}

static void assert_fails(const char *text,
                         const WlSandboxConfig *config,
                         WlError code,
                         const char *message)
{
    g_autoptr(GError) error = NULL;
    bool is_done = chunk_run(text, config, &error);

    assert_false(is_done);
    if (!g_error_matches(error, WL_ERROR, (gint) code) ||
        !g_str_has_prefix(error->message, message)) {
        fail_msg("%s\ngives (%d) %s", text, error->code, error->message);
    }
}

/* Fails with a runtime error that starts so. */
static void assert_raises(const char *text, const char *message)
{
    WlSandboxConfig config = chunk_config(NULL);
    config.print = NULL;
    assert_fails(text, &config, WL_ERROR_RUNTIME, message);
}

/* Fails with the step limit, whatever the script tries. */
static void assert_hits_steps(const char *text)
{
    WlSandboxConfig config = chunk_config(NULL);
    config.print = NULL;
    config.steps = 100000;
    g_autoptr(GError) error = NULL;
    bool is_done = chunk_run(text, &config, &error);

    assert_false(is_done);
    if (!g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT) ||
        strstr(error->message, "without simulated time passing") == NULL) {
        fail_msg("%s\ngives (%d) %s", text, error->code, error->message);
    }
}

/* Of little memory, since most of these fill it with the smallest things there are. */
static void assert_hits_memory(const char *text)
{
    WlSandboxConfig config = chunk_config(NULL);
    config.print = NULL;
    config.memory_bytes = 8 << 20;
    assert_fails(text, &config, WL_ERROR_LIMIT, "t.lua: memory limit of 8 MiB passed");
}

static void deep_recursion_is_a_plain_error(void **state)
{
    (void) state;
    WlSandboxConfig config = chunk_config(NULL);
    config.memory_bytes = 256 << 20;
    assert_fails("local function f() return 1 + f() end f()", &config, WL_ERROR_RUNTIME,
                 "t.lua:1: stack overflow");
    assert_raises("local t = setmetatable({}, {}) "
                  "getmetatable(t).__index = function(_, k) return t[k] end print(t.x)",
                  "t.lua:1: ");
    assert_prints("local function f() return pcall(f) end print(select('#', f()) > 50)",
                  "true\n");
}

static void endless_loops_reach_the_step_limit(void **state)
{
    (void) state;
    assert_hits_steps("while true do end");
    assert_hits_steps("local function f() return f() end f()");
    assert_hits_steps("local s = ('a'):rep(10) while true do s:gsub('a', 'b') end");
    assert_hits_steps("coroutine.wrap(function() while true do end end)()");
    assert_hits_steps("local co = coroutine.wrap(function() while true do "
                      "coroutine.yield() end end) while true do co() end");
    assert_hits_steps("load(function() while true do end end)");
    assert_hits_steps("table.sort({ 3, 2, 1 }, function() while true do end end)");
}

static void step_limit_names_the_line_and_the_count(void **state)
{
    (void) state;
    WlSandboxConfig config = chunk_config(NULL);
    config.steps = 5000;
    assert_fails("\n\nwhile true do end", &config, WL_ERROR_LIMIT,
                 "t.lua:3: 8192 instructions ran without simulated time passing, "
                 "allowed are 5000");
}

static void nothing_in_a_script_swallows_the_step_limit(void **state)
{
    (void) state;
    assert_hits_steps("pcall(function() while true do end end)");
    assert_hits_steps("while true do pcall(function() while true do end end) end");
    assert_hits_steps("local function f() while true do pcall(f) end end f()");
    assert_hits_steps("coroutine.resume(coroutine.create(function() while true do end "
                      "end))");
    assert_hits_steps("pcall(coroutine.wrap(function() while true do end end))");
    assert_hits_steps(
        "coroutine.wrap(function() pcall(function() while true do end end) "
        "end)()");
    assert_hits_steps("local ok = load(function() while true do end end)");
    assert_hits_steps(
        "local function spin() while true do end end "
        "local function level(n) if n == 0 then spin() end "
        "while true do coroutine.resume(coroutine.create(level), n - 1) end "
        "end level(20)");
}

static void looping_error_handlers_reach_the_step_limit(void **state)
{
    (void) state;
    assert_hits_steps("xpcall(function() while true do end end, "
                      "function() while true do end end)");
    assert_hits_steps("xpcall(error, function() while true do end end)");
    assert_hits_steps(
        "coroutine.wrap(function() xpcall(function() while true do end end, "
        "function() while true do end end) end)()");
    assert_hits_steps("error(setmetatable({}, { __tostring = function() "
                      "while true do end end }))");
}

static void looping_close_handlers_reach_the_step_limit(void **state)
{
    (void) state;
#define CLOSER                                                                         \
    "local c = setmetatable({}, { __close = function() while true do end end }) "
    assert_hits_steps(CLOSER "do local x <close> = c end");
    assert_hits_steps(CLOSER "local x <close> = c while true do end");
    assert_hits_steps(CLOSER "local x <close> = c error('e')");
    assert_hits_steps(CLOSER
                      "pcall(function() local x <close> = c while true do end end)");
    assert_hits_steps(CLOSER "coroutine.wrap(function() local x <close> = c "
                             "while true do end end)()");
    assert_hits_steps(CLOSER "coroutine.wrap(function() local x <close> = c "
                             "error('e') end)()");
    assert_hits_steps(CLOSER "local co = coroutine.create(function() "
                             "local x <close> = c coroutine.yield() end) "
                             "coroutine.resume(co) coroutine.close(co)");
    assert_hits_steps(CLOSER "local co = coroutine.create(function() "
                             "local x <close> = c while true do end end) "
                             "coroutine.resume(co) coroutine.close(co)");
#undef CLOSER
}

static void loops_inside_library_functions_count_as_steps(void **state)
{
    (void) state;
    assert_hits_steps("table.move({}, 1, math.maxinteger - 1, 2)");
    assert_hits_steps("table.insert(setmetatable({}, { __len = function() "
                      "return math.maxinteger // 2 end }), 1, 0)");
    assert_hits_steps("table.remove(setmetatable({}, { __len = function() "
                      "return math.maxinteger // 2 end }), 1)");
    assert_prints("print(#(''):rep(math.maxinteger))", "0\n");
}

/* Not the line that called the function. */
static void the_line_that_pays_is_named(void **state)
{
    WlSandboxConfig config = chunk_config(NULL);

    (void) state;
    config.steps = 100000;
    assert_fails("local function f() table.move({}, 1, math.maxinteger - 1, 2) end\n"
                 "f()",
                 &config, WL_ERROR_LIMIT, "t.lua:1: ");
}

static void progress_starts_the_count_again(void **state)
{
    (void) state;
    WlSandboxConfig config = chunk_config(NULL);
    config.steps = 100000;
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, NULL);
    const char *text = "for i = 1, 60000 do end";

    assert_true(chunk_run_in(sandbox, text, NULL));
    sandbox_progress(sandbox);
    assert_true(chunk_run_in(sandbox, text, NULL));
    assert_false(chunk_run_in(sandbox, text, NULL));
}

static void a_stopped_sandbox_runs_nothing_more(void **state)
{
    (void) state;
    GString *output = g_string_new(NULL);
    WlSandboxConfig config = chunk_config(output);
    config.steps = 10000;
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, NULL);
    g_autoptr(GError) error = NULL;

    assert_false(chunk_run_in(sandbox, "while true do end", NULL));
    bool is_done = chunk_run_in(sandbox, "print('alive')", &error);

    assert_false(is_done);
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT));
    assert_int_equal(output->len, 0);
    g_string_free(output, TRUE);
}

static bool interrupt_at_third(gpointer data)
{
    int *count = data;
    return ++*count == 3;
}

static void an_interrupt_stops_the_script(void **state)
{
    (void) state;
    int count = 0;
    WlSandboxConfig config = chunk_config(NULL);
    config.is_interrupted = interrupt_at_third;
    config.interrupted_data = &count;

    assert_fails("\nwhile true do pcall(function() while true do end end) end", &config,
                 WL_ERROR_LIMIT, "t.lua:2: interrupted");
    assert_int_equal(count, 3);
}

static void memory_is_limited(void **state)
{
    (void) state;
    assert_hits_memory("local t = {} while true do t[#t + 1] = {} end");
    assert_hits_memory("local s = 'x' while true do s = s .. s end");
    assert_hits_memory("return ('x'):rep(9 * 2^20 // 1)");
    assert_hits_memory("local t = {} for i = 1, 1e9 do t[i] = i end");
    assert_hits_memory("local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(100) .. i end");
    assert_hits_memory("local t = {} while true do t[#t + 1] = "
                       "coroutine.create(print) end");
}

static void a_string_of_100_gib_passes_the_memory_limit(void **state)
{
    (void) state;
    assert_hits_memory("return ('x'):rep(100 << 30)");
}

static void nothing_in_a_script_swallows_the_memory_limit(void **state)
{
    (void) state;
    assert_hits_memory("pcall(string.rep, 'x', 2^30 // 1)");
    assert_hits_memory("local s = ('x'):rep(5 << 20) pcall(string.rep, s, 1, s)"
                       "pcall(string.rep, 'y', 5 << 20)");
    assert_hits_memory("pcall(function() local t = {} while true do t[#t + 1] = {} end "
                       "end)");
    assert_hits_memory(
        "coroutine.resume(coroutine.create(function() local t = {} while "
        "true do t[#t + 1] = {} end end))");
    assert_hits_memory(
        "xpcall(function() local t = {} while true do t[#t + 1] = {} end "
        "end, function() while true do end end)");
}

static void the_memory_limit_holds_without_a_step_limit(void **state)
{
    (void) state;
    WlSandboxConfig config = chunk_config(NULL);
    config.steps = 0;
    assert_fails("while true do pcall(string.rep, 'x', 1 << 30) end", &config,
                 WL_ERROR_LIMIT, "t.lua: memory limit of 64 MiB passed");
    assert_fails("while true do coroutine.resume(coroutine.create(string.rep), 'x', "
                 "1 << 30) end",
                 &config, WL_ERROR_LIMIT, "t.lua: memory limit of 64 MiB passed");
}

static void garbage_does_not_count_towards_the_limit(void **state)
{
    (void) state;
    assert_prints("for i = 1, 40 do local s = ('x'):rep((8 << 20) + i) end "
                  "for i = 1, 1e6 do local t = { i } end print('end')",
                  "end\n");
}

static void a_sandbox_too_small_for_lua_is_a_limit(void **state)
{
    (void) state;
    WlSandboxConfig config = chunk_config(NULL);
    config.memory_bytes = 1000;
    assert_fails("", &config, WL_ERROR_LIMIT,
                 "t.lua: memory limit of 1000 bytes passed");
    config.memory_bytes = 12 << 10;
    assert_fails("", &config, WL_ERROR_LIMIT, "t.lua: memory limit of 12 KiB passed");
}

static void host_buffers_count_towards_the_limit(void **state)
{
    (void) state;
    WlSandboxConfig config = chunk_config(NULL);
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, NULL);
    g_autoptr(GError) error = NULL;

    assert_true(sandbox_account(sandbox, 60 << 20));
    sandbox_account(sandbox, -(60 << 20));
    assert_true(sandbox_account(sandbox, 60 << 20));
    assert_false(sandbox_account(sandbox, 10 << 20));

    assert_false(chunk_run_in(sandbox, "", &error));
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT));
    sandbox_account(sandbox, -(60 << 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_recursion_is_a_plain_error),
        cmocka_unit_test(endless_loops_reach_the_step_limit),
        cmocka_unit_test(step_limit_names_the_line_and_the_count),
        cmocka_unit_test(nothing_in_a_script_swallows_the_step_limit),
        cmocka_unit_test(looping_error_handlers_reach_the_step_limit),
        cmocka_unit_test(looping_close_handlers_reach_the_step_limit),
        cmocka_unit_test(loops_inside_library_functions_count_as_steps),
        cmocka_unit_test(the_line_that_pays_is_named),
        cmocka_unit_test(progress_starts_the_count_again),
        cmocka_unit_test(a_stopped_sandbox_runs_nothing_more),
        cmocka_unit_test(an_interrupt_stops_the_script),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(a_string_of_100_gib_passes_the_memory_limit),
        cmocka_unit_test(nothing_in_a_script_swallows_the_memory_limit),
        cmocka_unit_test(the_memory_limit_holds_without_a_step_limit),
        cmocka_unit_test(garbage_does_not_count_towards_the_limit),
        cmocka_unit_test(a_sandbox_too_small_for_lua_is_a_limit),
        cmocka_unit_test(host_buffers_count_towards_the_limit),
    };
    return cmocka_run_group_tests_name("workloads.limits", tests, NULL, NULL);
}
