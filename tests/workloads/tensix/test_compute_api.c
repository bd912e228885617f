/* The functions of compute kernels: those of the table of operations, no others, and
 * all of them documented. */
#include <lauxlib.h>

#include "arch/tensix/compute/operation.h"
#include "tests/workloads/chunk.h"
#include "tests/workloads/machine.h"
#include "workloads/tensix/kernel_api.h"

/* How many values the function on top of the stack holds: none if it is for kernels of
 * all kinds, its row if it is a compute kernel's, two if it only refuses. */
static int values_of(lua_State *L)
{
    int count = 0;

    while (lua_getupvalue(L, -1, count + 1) != NULL) {
        lua_pop(L, 1);
        count++;
    }
    return count;
}

/* The row of the function on top of the stack, which is called `name`. */
static void check_row(lua_State *L, const char *name)
{
    const ArchComputeFunction *function = NULL;

    (void) lua_getupvalue(L, -1, 1);
    function = lua_islightuserdata(L, -1) ? lua_touserdata(L, -1) : NULL;
    lua_pop(L, 1);
    if (function == NULL || !g_str_equal(function->name, name)) {
        luaL_error(L, "%s has not its own row", name);
    }
}

/* Lua function: counts the functions that have a row, of the globals that are not in
 * the table it is given. */
static int count_rows(lua_State *L)
{
    static const char *const all[] = {"get_tile_size", "get_arg", "my_x", "my_y",
                                      "my_chip",       "loop",    NULL};
    lua_Integer count = 0;

    lua_pushglobaltable(L);
    lua_pushnil(L);
    while (lua_next(L, 2) != 0) {
        const char *name = lua_tostring(L, 3);
        const bool is_new = lua_getfield(L, 1, name) == LUA_TNIL;

        lua_pop(L, 1);
        if (is_new && values_of(L) == 1) {
            check_row(L, name);
            count++;
        } else if (is_new && values_of(L) == 0 && !g_strv_contains(all, name)) {
            return luaL_error(L, "%s has no row", name);
        }
        lua_pop(L, 1);
    }
    lua_pushinteger(L, count);
    return 1;
}

/* Lua function: a table of all globals. */
static int list_globals(lua_State *L)
{
    lua_newtable(L);
    lua_pushglobaltable(L);
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -6);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return 1;
}

/* How many functions that have a row are globals after `open`. */
static guint rows_after(lua_CFunction open)
{
    const WlSandboxConfig config = chunk_config(NULL);
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, NULL);
    lua_State *L = sandbox_state(sandbox);
    g_autoptr(GError) error = NULL;
    bool is_done = false;

    lua_pushcfunction(L, count_rows);
    lua_pushcfunction(L, list_globals);
    is_done = sandbox_call(L, 0, 1, &error);
    lua_pushcfunction(L, open);
    is_done = is_done && sandbox_call(L, 0, 0, &error) && sandbox_call(L, 1, 1, &error);
    if (!is_done) {
        fail_msg("%s", error->message);
    }
    return (guint) lua_tointeger(L, -1);
}

static guint function_count(void)
{
    guint count = 0;

    while (arch_compute_function_at(count) != NULL) {
        count++;
    }
    return count;
}

/* Lua function. */
static int open_host(lua_State *L)
{
    kernel_api_open_host(L);
    return 0;
}

static void compute_kernels_have_the_functions_of_the_table(void **state)
{
    (void) state;
    assert_true(function_count() > 70);
    assert_int_equal(rows_after(kernel_api_open_compute), function_count());
    assert_int_equal(rows_after(open_host), 0);
}

/* What a kernel may write for the arguments; NULL: the frame of the kernel calls it. */
static const char *arguments_of(const ArchComputeFunction *function)
{
    static const char *const texts[ARCH_ARGUMENTS] = {
        [ARCH_ARGUMENTS_NONE] = "()",
        [ARCH_ARGUMENTS_SHIFT] = "(0, 32)",
        [ARCH_ARGUMENTS_BUFFER] = "(0)",
        [ARCH_ARGUMENTS_BUFFERS] = "(0, 1)",
        [ARCH_ARGUMENTS_START_BUFFER] = "(0, 2)",
        [ARCH_ARGUMENTS_START_BUFFERS] = "(0, 1, 2)",
        [ARCH_ARGUMENTS_NEXT_BUFFER] = "(1, 0)",
        [ARCH_ARGUMENTS_TILE] = "(0, 0, 0)",
        [ARCH_ARGUMENTS_ROW_TILE] = "(0, 0, 0, 1)",
        [ARCH_ARGUMENTS_TILES] = "(0, 1, 0, 0, 0)",
        [ARCH_ARGUMENTS_REDUCTION] = "(0, 1, 0, 0, 0, 'row')",
        [ARCH_ARGUMENTS_BLOCK] = "(0, 1, 0, 0, 0, false, 1, 1, 1)",
        [ARCH_ARGUMENTS_DST] = "(0)",
        [ARCH_ARGUMENTS_DST_PAIR] = "(0, 1, 2)",
        [ARCH_ARGUMENTS_DST_TRIPLE] = "(0, 1, 2)",
        [ARCH_ARGUMENTS_SCALAR] = "(0, 2.5)",
        [ARCH_ARGUMENTS_MINUS_SCALAR] = "(0, 2.5)",
        [ARCH_ARGUMENTS_VALUE] = "(0, 0, 5)",
        [ARCH_ARGUMENTS_ZONE] = "('empty', function() end)",
        [ARCH_ARGUMENTS_COUNTS] = "{ add = 3, divide = 1 }",
        [ARCH_ARGUMENTS_UNATTRIBUTED] = "(1)",
    };
    const bool is_turn =
        function->op >= ARCH_COMPUTE_ACQUIRE && function->op <= ARCH_COMPUTE_RELEASE;

    return is_turn ? NULL : texts[function->arguments];
}

/* A compute kernel that calls every function, and those that give it two tiles and take
 * the result. */
static char *all_calls(void)
{
    GString *text = g_string_new(
        "reader = function()\n"
        "  for cb = 0, 1 do cb_reserve_back(cb, 1) cb_push_back(cb, 1) end\n"
        "end,\n"
        "writer = function() cb_wait_front(2, 1) cb_pop_front(2, 1) end,\n"
        "compute = function()\n"
        "  cb_wait_front(0, 1) cb_wait_front(1, 1) tile_regs_acquire()\n");
    const ArchComputeFunction *function;

    for (guint i = 0; (function = arch_compute_function_at(i)) != NULL; i++) {
        const char *arguments = arguments_of(function);

        if (arguments != NULL) {
            g_string_append_printf(text, "  %s%s\n", function->name, arguments);
        }
    }
    g_string_append(text,
                    "  tile_regs_commit() cb_reserve_back(2, 1) tile_regs_wait()\n"
                    "  pack_tile(0, 2) tile_regs_release()\n"
                    "  cb_push_back(2, 1) cb_pop_front(0, 1) cb_pop_front(1, 1)\n"
                    "end\n");
    return g_string_free(text, FALSE);
}

static void every_function_runs_with_data_and_without(void **state)
{
    static const char body[] =
        "local program, core = host.program(), { x = 0, y = 0 }\n"
        "for i = 0, 2 do\n"
        "  program:circular_buffer{ cores = core, index = i, pages = 1, format = "
        "'bf16' }\n"
        "end\n"
        "for _, name in ipairs{ 'reader', 'writer', 'compute' } do\n"
        "  program:kernel{ kernel = name, processor = name, cores = core }\n"
        "end\n"
        "print(host.wait(host.launch(program)))";
    g_autofree char *kernels = all_calls();
    g_auto(Result) data = machine_run_well(body, &(Machine){.kernels = kernels});
    g_auto(Result) time =
        machine_run_well(body, &(Machine){.kernels = kernels, .is_timing_only = true});
    const char *cycles = result_text(&data, "printed");

    (void) state;
    assert_true(g_ascii_strtoull(cycles, NULL, 10) > 10000);
    assert_string_equal(cycles, result_text(&time, "printed"));
}

static void each_place_in_dst_is_checked(void **state)
{
    static const char body[] =
        "local program = host.program()\n"
        "program:kernel{ kernel = 'compute', processor = 'compute', cores = { x = 0, y "
        "= 0 } }\n"
        "host.wait(host.launch(program))";
    static const char *const calls[] = {"256, 1, 2", "0, 256, 2", "0, 1, 256"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(calls); i++) {
        g_autofree char *kernels = g_strdup_printf(
            "compute = function() tile_regs_acquire() mad_tile(%s) end", calls[i]);
        g_autofree char *message =
            g_strdup_printf("bad argument #%zu to 'mad_tile'", i + 1);
        g_auto(Result) result = machine_run(body, &(Machine){.kernels = kernels});

        assert_non_null(strstr(result_text(&result, "error"), message));
    }
}

/* The text of all pages about workloads. */
static char *pages(void)
{
    static const char folder[] = GRIDLOOM_SOURCE_DIR "/workloads/doc";
    g_autoptr(GDir) pages = g_dir_open(folder, 0, NULL);
    GString *all = g_string_new(NULL);
    g_autofree char *first = NULL;
    const char *name = NULL;

    assert_true(g_file_get_contents(GRIDLOOM_SOURCE_DIR "/workloads/README.md", &first,
                                    NULL, NULL));
    g_string_append(all, first);
    while (pages != NULL && (name = g_dir_read_name(pages)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_autofree char *text = NULL;

        assert_true(g_file_get_contents(path, &text, NULL, NULL));
        g_string_append(all, text);
    }
    return g_string_free(all, FALSE);
}

static void every_operation_is_documented(void **state)
{
    g_autofree char *text = pages();
    const ArchComputeFunction *function;

    (void) state;
    for (guint i = 0; (function = arch_compute_function_at(i)) != NULL; i++) {
        g_autofree char *word = g_strdup_printf("\\b%s\\b", function->name);

        /* Other names of an operation may be told by a rule. */
        if (g_str_equal(function->name, tensix_operations[function->op].name) &&
            !g_regex_match_simple(word, text, 0, 0)) {
            fail_msg("no page of workloads/ names %s", function->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compute_kernels_have_the_functions_of_the_table),
        cmocka_unit_test(every_function_runs_with_data_and_without),
        cmocka_unit_test(each_place_in_dst_is_checked),
        cmocka_unit_test(every_operation_is_documented),
    };

    return cmocka_run_group_tests_name("workloads.tensix_compute_api", tests, NULL,
                                       NULL);
}
