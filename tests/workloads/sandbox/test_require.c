/* Tests of the files that scripts and modules may be, and of require. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/workloads/chunk.h"
#include "tests/workloads/folder.h"
#include "workloads/error.h"
#include "workloads/sandbox/source.h"

/* Runs `text` as the script main.lua of the folder. */
static bool
run_in(Folder *folder, const char *text, const WlSandboxConfig *config, GError **error)
{
    g_autofree char *path = g_build_filename(folder->path, "main.lua", NULL);
    g_autoptr(WlSandbox) sandbox = sandbox_new(path, config, error);
    g_autoptr(GBytes) bytes = g_bytes_new_static(text, strlen(text));
    lua_State *L = sandbox_state(sandbox);
    return sandbox_compile(L, path, bytes, error) && sandbox_call(L, 0, 0, error);
}

static void assert_prints(Folder *folder, const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    GString *output = g_string_new(NULL);
    WlSandboxConfig config = chunk_config(output);
    bool is_done = run_in(folder, text, &config, &error);
    g_autofree char *printed = g_string_free(output, FALSE);

    if (!is_done) {
        fail_msg("%s", error->message);
    }
    assert_string_equal(printed, expected);
}

/* Fails with this code and a message that contains all of the parts. */
static void
assert_fails(Folder *folder, const char *text, WlError code, const char *const *parts)
{
    g_autoptr(GError) error = NULL;
    WlSandboxConfig config = chunk_config(NULL);
    config.print = NULL;
    assert_false(run_in(folder, text, &config, &error));
    assert_int_equal(error->code, code);
    for (guint i = 0; parts[i] != NULL; i++) {
        if (strstr(error->message, parts[i]) == NULL) {
            fail_msg("'%s' lacks '%s'", error->message, parts[i]);
        }
    }
}

static void assert_refused(Folder *folder, const char *text, const char *part)
{
    const char *const parts[] = {part, NULL};
    assert_fails(folder, text, WL_ERROR_SYNTAX, parts);
}

static void modules_run_once_and_give_their_value(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    folder_write(&folder, "m.lua", "print('runs', ...) return { x = 5 }", -1);
    folder_write(&folder, "nothing.lua", "local x = 1", -1);

    assert_prints(&folder,
                  "print(require('m').x, require('m') == require('m')) "
                  "print(require('nothing'))",
                  "runs\tm\n5\ttrue\ntrue\n");
}

static void modules_lie_in_subfolders_too(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    assert_int_equal(g_mkdir(folder_path(&folder, "sub"), 0700), 0);
    folder_write(&folder, "sub/deep_1.lua", "return 'deep'", -1);

    assert_prints(&folder, "print(require('sub/deep_1'))", "deep\n");
}

static void the_library_comes_after_the_own_folder(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_auto(Folder) library = folder_new();
    folder_write(&folder, "both.lua", "return 'own'", -1);
    folder_write(&library, "both.lua", "return 'library'", -1);
    folder_write(&library, "only.lua", "return 'only in the library'", -1);
    GString *output = g_string_new(NULL);
    WlSandboxConfig config = chunk_config(output);
    config.library_path = library.path;

    bool is_done =
        run_in(&folder, "print(require('both')) print(require('only'))", &config, NULL);

    g_autofree char *printed = g_string_free(output, FALSE);
    assert_true(is_done);
    assert_string_equal(printed, "own\nonly in the library\n");
}

static void names_that_lead_elsewhere_are_refused(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    static const char *const rows[] = {"../m", "/etc/passwd", "a.b",      "",
                                       "a//b", "a/",          "./m",      "m\\0",
                                       "m ",   "m.lua",       "~/secret", "a\\nb"};
    static const char *const parts[] = {"main.lua:1: '", "is not the name of a module",
                                        NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strdup_printf("require('%s')", rows[i]);
        assert_fails(&folder, text, WL_ERROR_RUNTIME, parts);
    }
}

static void links_may_not_lead_out_of_the_folder(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_auto(Folder) outside = folder_new();
    const char *secret = folder_write(&outside, "secret.lua", "return 1", -1);
    folder_write(&folder, "real.lua", "return 'inside'", -1);
    assert_int_equal(symlink(secret, folder_path(&folder, "out.lua")), 0);
    assert_int_equal(symlink(outside.path, folder_path(&folder, "dir")), 0);
    assert_int_equal(symlink("real.lua", folder_path(&folder, "in.lua")), 0);

    assert_refused(&folder, "require('out')",
                   "out.lua: a link leads out of the folder");
    assert_refused(&folder, "require('dir/secret')", "a link leads out of the folder");
    assert_prints(&folder, "print(require('in'))", "inside\n");
}

static void a_missing_module_lists_where_it_was_looked_for(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    WlSandboxConfig config = chunk_config(NULL);
    config.library_path = "some/library";
    g_autoptr(GError) error = NULL;
    g_autofree char *expected =
        g_strdup_printf("%s/main.lua:2: no module 'gone': there is no %s/gone.lua and "
                        "some/library/gone.lua",
                        folder.path, folder.path);

    assert_false(run_in(&folder, "\nrequire('gone')", &config, &error));

    assert_string_equal(error->message, expected);
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_SYNTAX));
}

static void a_circle_of_modules_is_named(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    folder_write(&folder, "a.lua", "require('b')", -1);
    folder_write(&folder, "b.lua", "require('c')", -1);
    folder_write(&folder, "c.lua", "\nrequire('b')", -1);
    static const char *const parts[] = {
        "c.lua:2: modules require each other in a circle: b -> c -> b", NULL};

    assert_fails(&folder, "require('a')", WL_ERROR_RUNTIME, parts);
}

static void a_module_that_failed_can_be_tried_again(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    folder_write(&folder, "f.lua", "if not ready then error('not yet') end return 'ok'",
                 -1);

    assert_prints(&folder,
                  "print((pcall(require, 'f'))) ready = true print(require('f'))",
                  "false\nok\n");
}

static void errors_in_modules_name_the_module(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    folder_write(&folder, "wrong.lua", "\nreturn +", -1);
    folder_write(&folder, "raises.lua", "\n\nerror('too bad')", -1);
    g_autofree char *syntax =
        g_strconcat(folder.path, "/wrong.lua:2: unexpected", NULL);
    g_autofree char *raised = g_strconcat(folder.path, "/raises.lua:3: too bad", NULL);
    const char *const parts[] = {raised, NULL};

    assert_refused(&folder, "require('wrong')", syntax);
    assert_fails(&folder, "require('raises')", WL_ERROR_RUNTIME, parts);
}

static void a_module_cannot_hide_a_limit(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    folder_write(&folder, "spin.lua", "while true do end", -1);
    static const char *const parts[] = {"spin.lua:1: ", "instructions ran", NULL};

    assert_fails(&folder, "pcall(require, 'spin')", WL_ERROR_LIMIT, parts);
}

static void modules_that_are_no_scripts_are_refused(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    folder_write(&folder, "empty.lua", "", -1);
    folder_write(&folder, "code.lua", "\033Lua\x54", -1);
    assert_int_equal(g_mkdir(folder_path(&folder, "dir.lua"), 0700), 0);

    assert_refused(&folder, "require('empty')", "empty.lua: is empty");
    assert_refused(&folder, "require('code')", "code.lua: is Lua bytecode");
    assert_refused(&folder, "require('dir')", "dir.lua: is a folder, not a script");
}

static void assert_no_source(const char *path, const char *why)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) text = source_read(path, "shown", &error);
    g_autofree char *expected = g_strconcat("shown: ", why, NULL);

    assert_null(text);
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_SYNTAX));
    assert_string_equal(error->message, expected);
}

static void files_that_are_no_scripts_are_refused(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autofree char *large = g_strnfill((16 << 20) + 1, '-');
    const char *pipe_path = folder_path(&folder, "pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);

    assert_no_source(folder.path, "is a folder, not a script");
    assert_no_source(pipe_path, "is not a regular file");
    assert_no_source("/dev/null", "is not a regular file");
    assert_no_source(folder_write(&folder, "large", large, -1),
                     "is longer than 16 MiB");
    assert_no_source(folder_write(&folder, "nul", "a\0b", 3),
                     "is binary, not a script");
    assert_no_source(folder_write(&folder, "empty", "", 0), "is empty");
    assert_no_source(folder_path(&folder, "missing"), "No such file or directory");
}

static void a_file_of_exactly_16_mib_is_read(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autofree char *large = g_strnfill(16 << 20, '-');
    const char *path = folder_write(&folder, "large", large, -1);

    g_autoptr(GBytes) text = source_read(path, path, NULL);

    assert_non_null(text);
    assert_int_equal(g_bytes_get_size(text), 16 << 20);
}

static void marks_in_front_of_a_script_are_skipped(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    folder_write(&folder, "marked.lua", "\xef\xbb\xbf#!/usr/bin/lua\nreturn 'ran'", -1);

    assert_prints(&folder, "print(require('marked'))", "ran\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules_run_once_and_give_their_value),
        cmocka_unit_test(modules_lie_in_subfolders_too),
        cmocka_unit_test(the_library_comes_after_the_own_folder),
        cmocka_unit_test(names_that_lead_elsewhere_are_refused),
        cmocka_unit_test(links_may_not_lead_out_of_the_folder),
        cmocka_unit_test(a_missing_module_lists_where_it_was_looked_for),
        cmocka_unit_test(a_circle_of_modules_is_named),
        cmocka_unit_test(a_module_that_failed_can_be_tried_again),
        cmocka_unit_test(errors_in_modules_name_the_module),
        cmocka_unit_test(a_module_cannot_hide_a_limit),
        cmocka_unit_test(modules_that_are_no_scripts_are_refused),
        cmocka_unit_test(files_that_are_no_scripts_are_refused),
        cmocka_unit_test(a_file_of_exactly_16_mib_is_read),
        cmocka_unit_test(marks_in_front_of_a_script_are_skipped),
    };
    return cmocka_run_group_tests_name("workloads.require", tests, NULL, NULL);
}
