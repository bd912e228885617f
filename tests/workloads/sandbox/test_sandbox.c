/* Tests of the sandbox: what scripts cannot reach, what they print, how they fail. */
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

static void scripts_cannot_get_hold_of_coroutines_of_the_host(void **state)
{
    (void) state;
    int yield_count = 0;
    WlSandboxStatus status = resume_until_end(
        "assert(coroutine.running() == nil) wait() assert(coroutine.running() == nil) "
        "local co co = coroutine.create(function() assert(coroutine.running() == co) "
        "end) "
        "assert(coroutine.resume(co))",
        &yield_count, NULL);

    assert_int_equal(status, SANDBOX_DONE);
    assert_int_equal(yield_count, 1);
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
        cmocka_unit_test(sorting_is_stable_and_survives_bad_orders),
        cmocka_unit_test(errors_of_the_host_pass_through_lua),
        cmocka_unit_test(an_error_of_the_host_that_was_caught_is_forgotten),
        cmocka_unit_test(host_calls_wait_in_loops_and_protected_calls),
        cmocka_unit_test(host_calls_refuse_to_wait_where_they_cannot),
        cmocka_unit_test(scripts_cannot_get_hold_of_coroutines_of_the_host),
        cmocka_unit_test(a_failed_coroutine_tells_its_own_line_and_closes),
        cmocka_unit_test(limits_hold_in_coroutines_of_the_host),
        cmocka_unit_test(two_processes_print_the_same_bytes),
    };
    return cmocka_run_group_tests_name("workloads.sandbox", tests, NULL, NULL);
}
