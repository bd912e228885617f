/* Tests of the sandbox: what scripts cannot reach, limits, errors, waiting. */
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
    config.steps = 100 * 1000;
    g_autoptr(GError) error = NULL;
    bool is_done = chunk_run(text, &config, &error);

    assert_false(is_done);
    if (!g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT) ||
        strstr(error->message, "without simulated time passing") == NULL) {
        fail_msg("%s\ngives (%d) %s", text, error->code, error->message);
    }
}

static void assert_hits_memory(const char *text)
{
    WlSandboxConfig config = chunk_config(NULL);
    config.print = NULL;
    assert_fails(text, &config, WL_ERROR_LIMIT, "t.lua: memory limit of 64 MiB passed");
}

static void offers_no_way_to_files_processes_or_bytecode(void **state)
{
    (void) state;
    assert_prints(
        "print(io, os, package, debug, dofile, loadfile, collectgarbage, warn,"
        " string.dump)",
        "nil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\tnil\n");
}

static void globals_are_exactly_the_permitted_ones(void **state)
{
    (void) state;
    assert_prints(
        "local t = {} for k in pairs(_G) do t[#t + 1] = k end "
        "print(table.concat(t, ' '))",
        "_G _VERSION assert coroutine error getmetatable ipairs load math next "
        "pairs pcall print rawequal rawget rawlen rawset require select "
        "setmetatable string table tonumber tostring type utf8 xpcall\n");
}

static void load_takes_text_and_never_bytecode(void **state)
{
    (void) state;
    assert_prints("print(load('return 1 + 1')())"
                  "print(load('return x', 'c', 'b', { x = 5 })())"
                  "local ok, why = load('\\27Lua', 'c', 'b') print(ok, why)",
                  "2\n5\nnil\tattempt to load a binary chunk (mode is 't')\n");
}

static void metatables_take_no_finalizers_and_no_weak_modes(void **state)
{
    (void) state;
    assert_raises("setmetatable({}, { __gc = function() end })",
                  "t.lua:1: setmetatable: __gc is not available");
    assert_raises("setmetatable({}, { __mode = 'k' })",
                  "t.lua:1: setmetatable: __mode is not available");
    assert_prints("print(getmetatable(setmetatable({}, { __metatable = 7 })))", "7\n");
}

static void a_finalizer_set_afterwards_never_runs(void **state)
{
    (void) state;
    assert_prints("local m = {} for i = 1, 1000 do setmetatable({}, m) end "
                  "m.__gc = function() print('ran') end "
                  "for i = 1, 100000 do local t = { i } end print('end')",
                  "end\n");
}

static void random_numbers_follow_the_seed(void **state)
{
    (void) state;
    GString *first = g_string_new(NULL);
    GString *second = g_string_new(NULL);
    const char *text = "print(math.random(1 << 40), math.random())";
    WlSandboxConfig config = chunk_config(first);

    assert_true(chunk_run(text, &config, NULL));
    assert_true(chunk_run(text, &config, NULL));
    config.print_data = second;
    config.seed = 2;
    assert_true(chunk_run(text, &config, NULL));

    char *half = first->str + first->len / 2;
    assert_memory_equal(first->str, half, first->len / 2);
    assert_string_not_equal(half, second->str);
    g_string_free(first, TRUE);
    g_string_free(second, TRUE);
}

static void random_seeds_come_from_the_script_not_the_clock(void **state)
{
    (void) state;
    assert_raises("math.randomseed()", "t.lua:1: math.randomseed: give it a number");
    assert_prints(
        "math.randomseed(7) local a = math.random(1000000) math.randomseed(7) "
        "print(a == math.random(1000000))",
        "true\n");
}

static void values_print_without_addresses(void **state)
{
    (void) state;
    assert_prints(
        "local a, b = {}, {} print(b, a, b) print(tostring(print), a, "
        "coroutine.create(print)) print(string.format('%s|%5.1f|%s|%%', b, 1.5, "
        "nil)) print(('%q %s'):format('x', true))",
        "table: 1\ttable: 2\ttable: 1\n"
        "function: 1\ttable: 2\tthread: 1\n"
        "table: 1|  1.5|nil|%\n\"x\" true\n");
}

static void values_print_as_their_metatables_say(void **state)
{
    (void) state;
    assert_prints(
        "local t = setmetatable({}, { __tostring = function() return 'me' end })"
        "print(t, ('%s %10s'):format(t, t))"
        "print(setmetatable({}, { __name = 'matrix' }))"
        "print(setmetatable({}, { __name = 5 }))",
        "me\tme         me\nmatrix: 1\ntable: 2\n");
}

static void format_refuses_addresses(void **state)
{
    (void) state;
    assert_raises("print(string.format('%p', {}))", "t.lua:1: string.format: '%p'");
    assert_raises("print(string.format('%-20p', {}))", "t.lua:1: string.format: '%p'");
    assert_raises("string.format('%d', {})", "t.lua:1: bad argument #2 to 'format'");
    assert_raises("string.format('%s')", "t.lua:1: bad argument #2 to 'format'");
    assert_raises("string.format('%')", "t.lua:1: bad argument #2 to 'format'");
    assert_raises("string.format('%y', 1)", "t.lua:1: invalid conversion '%y'");
}

static void print_gives_one_line_at_a_time(void **state)
{
    (void) state;
    assert_prints("print() print('a\\nb', 1)", "\na\nb\t1\n");
}

static void errors_start_with_path_and_line(void **state)
{
    (void) state;
    assert_raises("\n\nerror('too bad')", "t.lua:3: too bad\nstack traceback:\n");
    assert_raises("\nerror('too bad', 0)", "t.lua:2: too bad\nstack traceback:\n");
    assert_raises("\nassert(false, 'too bad')", "t.lua:2: too bad\nstack traceback:\n");
    assert_raises("local x = nil + 1", "t.lua:1: attempt to perform arithmetic");
    assert_raises("error()", "t.lua:1: (error object is a nil value)");
    assert_raises("error({})", "t.lua:1: table: 1");
    assert_raises(
        "error(setmetatable({}, { __tostring = function() error('no') end }))",
        "t.lua:1: (error object is a table value)");
    assert_raises("error(setmetatable({}, { __tostring = function() return 'E' end }))",
                  "t.lua:1: E");
    assert_raises("coroutine.wrap(function() error('inner') end)()", "t.lua:1: inner");
}

static void errors_show_the_whole_of_a_long_path(void **state)
{
    (void) state;
    g_autofree char *folder = g_strnfill(200, 'd');
    g_autofree char *path = g_strconcat(folder, "/long.lua", NULL);
    g_autofree char *run_message = g_strconcat(path, ":1: stop", NULL);
    g_autofree char *parse_message = g_strconcat(path, ":1: unexpected symbol", NULL);
    WlSandboxConfig config = chunk_config(NULL);
    g_autoptr(WlSandbox) sandbox = sandbox_new(path, &config, NULL);
    lua_State *L = sandbox_state(sandbox);
    g_autoptr(GBytes) runs = g_bytes_new_static("error('stop')", 13);
    g_autoptr(GBytes) wrong = g_bytes_new_static("return +", 8);
    g_autoptr(GError) raised = NULL;
    g_autoptr(GError) malformed = NULL;

    assert_true(sandbox_compile(L, path, runs, NULL));
    assert_false(sandbox_call(L, 0, 0, &raised));
    assert_false(sandbox_compile(L, path, wrong, &malformed));

    assert_true(g_str_has_prefix(raised->message, run_message));
    assert_true(g_str_has_prefix(malformed->message, parse_message));
    assert_true(g_error_matches(malformed, WL_ERROR, WL_ERROR_SYNTAX));
    assert_int_equal(lua_gettop(L), 0);
}

static void deep_recursion_is_a_plain_error(void **state)
{
    (void) state;
    WlSandboxConfig config = chunk_config(NULL);
    config.memory_bytes = 256 * 1024 * 1024;
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
                 "t.lua:3: 8192 instructions ran without simulated time passing");
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

static void sorting_is_stable_and_survives_bad_orders(void **state)
{
    (void) state;
    assert_prints("local t = {} for i = 1, 1000 do t[i] = { i % 7, i } end "
                  "table.sort(t, function(a, b) return a[1] < b[1] end) "
                  "for i = 2, 1000 do local a, b = t[i - 1], t[i] "
                  "assert(a[1] < b[1] or a[1] == b[1] and a[2] < b[2]) end "
                  "local w = { 'b', 'c', 'a' } table.sort(w) print(table.concat(w)) "
                  "table.sort(w, function() return true end) print(#w)",
                  "abc\n3\n");
    assert_raises("table.sort({ 1, 'a' })", "t.lua:1: attempt to compare");
    assert_raises("table.sort({ 1, 2 }, 5)", "t.lua:1: bad argument #2 to 'sort'");
}

static void progress_starts_the_count_again(void **state)
{
    (void) state;
    WlSandboxConfig config = chunk_config(NULL);
    config.steps = 100 * 1000;
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
    assert_hits_memory("return ('x'):rep(70 * 2^20 // 1)");
    assert_hits_memory("local t = {} for i = 1, 1e9 do t[i] = i end");
    assert_hits_memory("local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(100) .. i end");
    assert_hits_memory("local t = {} while true do t[#t + 1] = "
                       "coroutine.create(print) end");
}

static void a_string_of_100_gib_is_a_plain_error(void **state)
{
    (void) state;
    assert_raises("return ('x'):rep(100 << 30)", "t.lua:1: resulting string too large");
}

static void nothing_in_a_script_swallows_the_memory_limit(void **state)
{
    (void) state;
    assert_hits_memory("pcall(string.rep, 'x', 2^30 // 1)");
    assert_hits_memory("local s = ('x'):rep(40 << 20) pcall(string.rep, s, 1, s)"
                       "pcall(string.rep, 'y', 40 << 20)");
    assert_hits_memory("pcall(function() local t = {} while true do t[#t + 1] = {} end "
                       "end)");
    assert_hits_memory(
        "coroutine.resume(coroutine.create(function() local t = {} while "
        "true do t[#t + 1] = {} end end))");
    assert_hits_memory(
        "xpcall(function() local t = {} while true do t[#t + 1] = {} end "
        "end, function() while true do end end)");
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
    config.memory_bytes = 12 * 1024;
    assert_fails("", &config, WL_ERROR_LIMIT, "t.lua: memory limit of 12 KiB passed");
}

static void host_buffers_count_towards_the_limit(void **state)
{
    (void) state;
    WlSandboxConfig config = chunk_config(NULL);
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, NULL);
    g_autoptr(GError) error = NULL;

    assert_true(sandbox_account(sandbox, 60 * 1024 * 1024));
    sandbox_account(sandbox, -60 * 1024 * 1024);
    assert_true(sandbox_account(sandbox, 60 * 1024 * 1024));
    assert_false(sandbox_account(sandbox, 10 * 1024 * 1024));

    assert_false(chunk_run_in(sandbox, "", &error));
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT));
    sandbox_account(sandbox, -60 * 1024 * 1024);
}

static int raise_fit(lua_State *L)
{
    return sandbox_raise(L, g_error_new(WL_ERROR, WL_ERROR_FIT, "81 cores"));
}

static GError *run_with_raise(const char *text)
{
    WlSandboxConfig config = chunk_config(NULL);
    config.print = NULL;
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, NULL);
    lua_pushcfunction(sandbox_state(sandbox), raise_fit);
    lua_setglobal(sandbox_state(sandbox), "raise_fit");
    GError *error = NULL;
    assert_false(chunk_run_in(sandbox, text, &error));
    return error;
}

static void assert_fit_error(const char *text, const char *message)
{
    g_autoptr(GError) error = run_with_raise(text);
    assert_string_equal(error->message, message);
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_FIT));
}

static void errors_of_the_host_pass_through_lua(void **state)
{
    (void) state;
    assert_fit_error("\nraise_fit()", "t.lua:2: 81 cores");
    assert_fit_error("local ok, e = pcall(raise_fit) error(e, 0)", "t.lua:1: 81 cores");
    assert_fit_error("\ncoroutine.wrap(raise_fit)()", "t.lua: 81 cores");
    assert_fit_error("local ok, e = pcall(raise_fit)\nerror('again: ' .. e)",
                     "t.lua:2: again: t.lua:1: 81 cores");
}

static void an_error_of_the_host_that_was_caught_is_forgotten(void **state)
{
    (void) state;
    g_autoptr(GError) error = run_with_raise("pcall(raise_fit)\nerror('other')");

    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_RUNTIME));
    assert_true(g_str_has_prefix(error->message, "t.lua:2: other\n"));
}

static int wait_here(lua_State *L)
{
    sandbox_may_yield(L, "wait");
    return lua_yield(L, 0);
}

/* Runs the text as a coroutine that may call wait(); how it stands at the end. */
static WlSandboxStatus
resume_until_end(const char *text, int *yield_count, GError **error)
{
    WlSandboxConfig config = chunk_config(NULL);
    config.print = NULL;
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, NULL);
    lua_State *L = sandbox_state(sandbox);
    lua_pushcfunction(L, wait_here);
    lua_setglobal(L, "wait");
    lua_State *thread = lua_newthread(L);
    g_autoptr(GBytes) bytes = g_bytes_new_static(text, strlen(text));
    assert_true(sandbox_compile(thread, "t.lua", bytes, NULL));
    int result_count = 0;
    WlSandboxStatus status = sandbox_resume(thread, 0, &result_count, error);
    for (*yield_count = 0; status == SANDBOX_YIELDED; (*yield_count)++) {
        lua_pop(thread, result_count);
        status = sandbox_resume(thread, 0, &result_count, error);
    }
    return status;
}

static void host_calls_wait_in_loops_and_protected_calls(void **state)
{
    (void) state;
    int yield_count = 0;
    WlSandboxStatus status = resume_until_end(
        "wait() pcall(wait) xpcall(wait, print) "
        "for k in pairs({ 1, 2 }) do wait() end "
        "assert(not pcall(function() wait() error('x') end))"
        "local t = setmetatable({}, { __index = function() wait() return 1 end,"
        "__pairs = function() wait() return next, {}, nil end }) assert(t.x == 1) "
        "for k in pairs(t) do end",
        &yield_count, NULL);

    assert_int_equal(status, SANDBOX_DONE);
    assert_int_equal(yield_count, 8);
}

static void assert_wait_fails(const char *text, const char *message)
{
    int yield_count = 0;
    g_autoptr(GError) error = NULL;
    assert_int_equal(resume_until_end(text, &yield_count, &error), SANDBOX_FAILED);
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_RUNTIME));
    if (!g_str_has_prefix(error->message, message)) {
        fail_msg("%s\ngives %s", text, error->message);
    }
}

static void host_calls_refuse_to_wait_where_they_cannot(void **state)
{
    (void) state;
    const char *inside = "t.lua:1: wait: cannot wait inside a callback of a library "
                         "function such as table.sort or string.gsub";
    assert_wait_fails("table.sort({ 2, 1 }, function() wait() end)", inside);
    assert_wait_fails("('x'):gsub('x', function() wait() end)", inside);
    assert_wait_fails("coroutine.wrap(function() wait() end)()",
                      "t.lua:1: wait: cannot wait inside a coroutine that the script "
                      "made");
}

static void a_failed_coroutine_tells_its_own_line_and_closes(void **state)
{
    (void) state;
    assert_wait_fails("wait()\nlocal function f()\nerror('deep') end\nf()",
                      "t.lua:3: deep\nstack traceback:\n");
    assert_wait_fails("local t <close> = setmetatable({}, { __close = function() "
                      "end })\nerror('e', 0)",
                      "t.lua:2: e\n");
}

static void limits_hold_in_coroutines_of_the_host(void **state)
{
    (void) state;
    int yield_count = 0;
    g_autoptr(GError) error = NULL;
    WlSandboxStatus status = resume_until_end(
        "wait() local c <close> = setmetatable({}, { __close = function() while true "
        "do "
        "end end }) while true do pcall(function() while true do end end) end",
        &yield_count, &error);

    assert_int_equal(status, SANDBOX_FAILED);
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT));
}

/* Prints all that could differ from run to run. */
static const char reproducible[] =
    "local t = {} for i = 1, 200 do t['key' .. i] = i t[i * 1.5] = i end "
    "t[print] = 1 t[true] = 2 t[-3] = 0 "
    "for k, v in pairs(t) do print(k, v) end for k, v in next, t do print(k, v) end "
    "print(t, print, coroutine.create(print), string, _G, math.random(), {}) "
    "local s = {} for i = 1, 5000 do s[i] = { i // 1000, i } end "
    "table.sort(s, function(a, b) return a[1] > b[1] end) "
    "for i = 1, 5000, 97 do print(s[i][2]) end "
    "print(pcall(error, {})) print(pcall(string.rep)) print(('%s'):format(print)) "
    "fmt = string.format alias = fmt other = alias alias('%d', 'x')";

static int print_reproducible(void)
{
    g_autofree char *output = chunk_output(reproducible);
    g_print("%s", output);
    return 0;
}

static const char *program;

static void assert_child_prints(char **output)
{
    const char *arguments[] = {program, "--print", NULL};
    int status = 0;
    assert_true(g_spawn_sync(NULL, (char **) arguments, NULL, G_SPAWN_DEFAULT, NULL,
                             NULL, output, NULL, &status, NULL));
    assert_int_equal(status, 0);
    assert_true(strlen(*output) > 5000);
}

static void two_processes_print_the_same_bytes(void **state)
{
    (void) state;
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;
    assert_child_prints(&first);
    assert_child_prints(&second);

    assert_string_equal(first, second);
    assert_null(strstr(first, "0x"));
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1) {
        return print_reproducible();
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offers_no_way_to_files_processes_or_bytecode),
        cmocka_unit_test(globals_are_exactly_the_permitted_ones),
        cmocka_unit_test(load_takes_text_and_never_bytecode),
        cmocka_unit_test(metatables_take_no_finalizers_and_no_weak_modes),
        cmocka_unit_test(a_finalizer_set_afterwards_never_runs),
        cmocka_unit_test(random_numbers_follow_the_seed),
        cmocka_unit_test(random_seeds_come_from_the_script_not_the_clock),
        cmocka_unit_test(values_print_without_addresses),
        cmocka_unit_test(values_print_as_their_metatables_say),
        cmocka_unit_test(format_refuses_addresses),
        cmocka_unit_test(print_gives_one_line_at_a_time),
        cmocka_unit_test(errors_start_with_path_and_line),
        cmocka_unit_test(errors_show_the_whole_of_a_long_path),
        cmocka_unit_test(deep_recursion_is_a_plain_error),
        cmocka_unit_test(endless_loops_reach_the_step_limit),
        cmocka_unit_test(step_limit_names_the_line_and_the_count),
        cmocka_unit_test(nothing_in_a_script_swallows_the_step_limit),
        cmocka_unit_test(looping_error_handlers_reach_the_step_limit),
        cmocka_unit_test(looping_close_handlers_reach_the_step_limit),
        cmocka_unit_test(loops_inside_library_functions_count_as_steps),
        cmocka_unit_test(sorting_is_stable_and_survives_bad_orders),
        cmocka_unit_test(progress_starts_the_count_again),
        cmocka_unit_test(a_stopped_sandbox_runs_nothing_more),
        cmocka_unit_test(an_interrupt_stops_the_script),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(a_string_of_100_gib_is_a_plain_error),
        cmocka_unit_test(nothing_in_a_script_swallows_the_memory_limit),
        cmocka_unit_test(garbage_does_not_count_towards_the_limit),
        cmocka_unit_test(a_sandbox_too_small_for_lua_is_a_limit),
        cmocka_unit_test(host_buffers_count_towards_the_limit),
        cmocka_unit_test(errors_of_the_host_pass_through_lua),
        cmocka_unit_test(an_error_of_the_host_that_was_caught_is_forgotten),
        cmocka_unit_test(host_calls_wait_in_loops_and_protected_calls),
        cmocka_unit_test(host_calls_refuse_to_wait_where_they_cannot),
        cmocka_unit_test(a_failed_coroutine_tells_its_own_line_and_closes),
        cmocka_unit_test(limits_hold_in_coroutines_of_the_host),
        cmocka_unit_test(two_processes_print_the_same_bytes),
    };
    return cmocka_run_group_tests_name("workloads.sandbox", tests, NULL, NULL);
}
