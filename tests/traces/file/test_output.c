/* Output files: whole or not at all, and devices stay devices. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/file/output.h"

/* A folder of its own for each test. */
typedef struct {
    char *path;
} Folder;

static int make_folder(void **state)
{
    Folder *folder = g_new0(Folder, 1);

    folder->path = g_dir_make_tmp("gridloom-output-XXXXXX", NULL);
    *state = folder;
    return folder->path != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    Folder *folder = *state;
    g_autoptr(GDir) entries = g_dir_open(folder->path, 0, NULL);
    const char *name;

    while (entries != NULL && (name = g_dir_read_name(entries)) != NULL) {
        g_autofree char *path = g_build_filename(folder->path, name, NULL);

        (void) g_remove(path);
    }
    (void) g_rmdir(folder->path);
    g_free(folder->path);
    g_free(folder);
    return 0;
}

static char *path_in(void **state, const char *name)
{
    const Folder *folder = *state;

    return g_build_filename(folder->path, name, NULL);
}

static guint count_entries(void **state)
{
    const Folder *folder = *state;
    g_autoptr(GDir) entries = g_dir_open(folder->path, 0, NULL);
    guint count = 0;

    while (g_dir_read_name(entries) != NULL) {
        count++;
    }
    return count;
}

static void assert_contents(const char *path, const char *expected)
{
    g_autofree char *text = NULL;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, expected);
}

/* The check before the run and the write after it refuse the same. */
static void assert_check_fails(const char *path, const char *why)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *message = g_strdup_printf("%s: cannot be written, %s", path, why);

    assert_false(trace_output_check(path, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
    assert_string_equal(error->message, message);
}

static void assert_write_fails(const char *path)
{
    g_autoptr(GError) error = NULL;

    assert_false(trace_output_write(path, "new", &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
    assert_true(g_str_has_prefix(error->message, path));
}

static void a_new_file_holds_the_text(void **state)
{
    g_autofree char *path = path_in(state, "result.json");

    assert_true(trace_output_check(path, NULL));
    assert_true(trace_output_write(path, "line\n", NULL));

    assert_contents(path, "line\n");
    assert_int_equal(count_entries(state), 1);
}

static void an_old_file_is_replaced_by_a_shorter_one(void **state)
{
    g_autofree char *path = path_in(state, "result.json");

    assert_true(trace_output_write(path, "a long text\n", NULL));
    assert_true(trace_output_write(path, "", NULL));

    assert_contents(path, "");
    assert_int_equal(count_entries(state), 1);
}

static void a_reader_keeps_the_old_text(void **state)
{
    g_autofree char *path = path_in(state, "result.json");
    char text[4] = "";

    assert_true(trace_output_write(path, "old", NULL));
    FILE *reader = fopen(path, "r");
    assert_non_null(reader);
    assert_true(trace_output_write(path, "new", NULL));

    assert_int_equal(fread(text, 1, 3, reader), 3);
    assert_string_equal(text, "old");
    assert_int_equal(fclose(reader), 0);
    assert_contents(path, "new");
}

static void checking_leaves_no_trace(void **state)
{
    g_autofree char *fresh = path_in(state, "fresh");
    g_autofree char *old = path_in(state, "old");

    assert_true(trace_output_write(old, "old", NULL));
    assert_true(trace_output_check(fresh, NULL));
    assert_true(trace_output_check(old, NULL));

    assert_int_equal(count_entries(state), 1);
    assert_contents(old, "old");
}

static void a_folder_that_is_missing_is_said_to_be(void **state)
{
    g_autofree char *path = path_in(state, "missing/result.json");
    g_autofree char *slash = path_in(state, "missing/");

    assert_check_fails(path, "its folder does not exist");
    assert_write_fails(path);
    assert_check_fails(slash, "its folder does not exist");
    assert_write_fails(slash);
    assert_int_equal(count_entries(state), 0);
}

static void a_file_in_the_place_of_a_folder_is_no_folder(void **state)
{
    g_autofree char *file = path_in(state, "file");
    g_autofree char *below = path_in(state, "file/result.json");

    assert_true(trace_output_write(file, "old", NULL));
    assert_check_fails(below, "its folder does not exist");
    assert_write_fails(below);
    assert_contents(file, "old");
}

static void a_folder_is_not_written_to(void **state)
{
    const Folder *folder = *state;

    assert_check_fails(folder->path, "it is a folder");
    assert_write_fails(folder->path);
    assert_int_equal(count_entries(state), 0);
}

static void a_name_is_not_empty(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;

    assert_false(trace_output_check("", &error));
    assert_string_equal(error->message,
                        "(empty name): cannot be written, give a file name or - for "
                        "standard output");
    assert_write_fails("");
}

/* Even for root, nothing can be made in /proc. */
static void
a_place_that_takes_no_files_is_found_before_the_run(void **state G_GNUC_UNUSED)
{
    assert_false(trace_output_check("/proc/gridloom.json", NULL));
    assert_write_fails("/proc/gridloom.json");
}

static void a_failure_keeps_the_old_file(void **state)
{
    g_autofree char *path = path_in(state, "result.json");
    g_autofree char *moved = g_strconcat(((Folder *) *state)->path, ".away", NULL);

    assert_true(trace_output_write(path, "old", NULL));
    assert_true(trace_output_check(path, NULL));
    assert_int_equal(g_rename(((Folder *) *state)->path, moved), 0);
    assert_write_fails(path);
    assert_int_equal(g_rename(moved, ((Folder *) *state)->path), 0);

    assert_contents(path, "old");
    assert_int_equal(count_entries(state), 1);
}

static void a_device_stays_a_device(void **state G_GNUC_UNUSED)
{
    struct stat before = {0};
    struct stat after = {0};

    assert_int_equal(stat("/dev/null", &before), 0);
    assert_true(trace_output_check("/dev/null", NULL));
    assert_true(trace_output_write("/dev/null", "gone", NULL));

    assert_int_equal(stat("/dev/null", &after), 0);
    assert_true(S_ISCHR(after.st_mode));
    assert_int_equal(before.st_ino, after.st_ino);
}

static void a_full_device_is_an_error(void **state G_GNUC_UNUSED)
{
    assert_true(trace_output_check("/dev/full", NULL));
    assert_write_fails("/dev/full");
}

static void a_pipe_gets_the_text_and_stays_a_pipe(void **state)
{
    g_autofree char *path = path_in(state, "pipe");
    struct stat after = {0};
    char text[16] = "";

    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_true(trace_output_check(path, NULL));
    assert_true(trace_output_write(path, "through\n", NULL));

    assert_int_equal(read(reader, text, sizeof text - 1), 8);
    assert_string_equal(text, "through\n");
    assert_int_equal(close(reader), 0);
    assert_int_equal(lstat(path, &after), 0);
    assert_true(S_ISFIFO(after.st_mode));
}

/* /dev/stdout is a link: a rename over it would take it away from everybody. */
static void a_link_stays_a_link_and_its_file_is_replaced(void **state)
{
    g_autofree char *file = path_in(state, "file");
    g_autofree char *link = path_in(state, "link");

    assert_true(trace_output_write(file, "old", NULL));
    assert_int_equal(symlink(file, link), 0);
    assert_true(trace_output_check(link, NULL));
    assert_int_equal(count_entries(state), 2);
    assert_true(trace_output_write(link, "new", NULL));

    assert_contents(file, "new");
    assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    assert_int_equal(count_entries(state), 2);
}

static void a_dash_is_standard_output(void **state)
{
    g_autofree char *path = path_in(state, "stdout");
    int target = open(path, O_CREAT | O_WRONLY, 0600);

    assert_int_equal(fflush(stdout), 0);
    int saved = dup(STDOUT_FILENO);
    assert_true(dup2(target, STDOUT_FILENO) >= 0);
    bool can = trace_output_check("-", NULL);
    bool is_done = trace_output_write("-", "printed\n", NULL);
    assert_true(dup2(saved, STDOUT_FILENO) >= 0);

    assert_true(can && is_done);
    assert_contents(path, "printed\n");
    assert_false(g_file_test("-", G_FILE_TEST_EXISTS));
    assert_int_equal(close(saved), 0);
    assert_int_equal(close(target), 0);
}

static void standard_output_that_is_full_is_an_error(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    int target = open("/dev/full", O_WRONLY);

    assert_int_equal(fflush(stdout), 0);
    int saved = dup(STDOUT_FILENO);
    assert_true(dup2(target, STDOUT_FILENO) >= 0);
    bool is_done = trace_output_write("-", "printed\n", &error);
    assert_true(dup2(saved, STDOUT_FILENO) >= 0);
    clearerr(stdout);

    assert_false(is_done);
    assert_string_equal(error->message,
                        "standard output: cannot be written, No space left on device");
    assert_int_equal(close(saved), 0);
    assert_int_equal(close(target), 0);
}

static void only_a_dash_is_called_so(void **state)
{
    static char *const with[] = {(char *) "a.svg", (char *) "-", NULL};
    static char *const without[] = {(char *) "a.svg", (char *) "./-", NULL};

    (void) state;
    assert_true(trace_output_is_stdout("-"));
    assert_false(trace_output_is_stdout("--"));
    assert_false(trace_output_is_stdout(NULL));
    assert_true(trace_output_has_stdout(with));
    assert_false(trace_output_has_stdout(without));
    assert_false(trace_output_has_stdout(NULL));
}

#define IN_FOLDER(test)                                                                \
    cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

static void folders_are_made_but_not_below_a_file(void **state)
{
    g_autofree char *above = path_in(state, "a");
    g_autofree char *folder = g_build_filename(above, "b", NULL);
    g_autofree char *file = path_in(state, "file");
    g_autofree char *below = g_build_filename(file, "c", NULL);
    g_autoptr(GError) error = NULL;

    assert_true(trace_output_make_folder(folder, NULL));
    assert_true(trace_output_make_folder(folder, NULL));
    assert_true(g_file_test(folder, G_FILE_TEST_IS_DIR));
    assert_true(trace_output_write(file, "", NULL));
    assert_false(trace_output_make_folder(below, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
    assert_non_null(strstr(error->message, "folder cannot be made"));
    assert_int_equal(g_rmdir(folder), 0);
}

static void assert_says(GError *error, const char *message)
{
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
    assert_string_equal(error->message, message);
    g_error_free(error);
}

static void a_file_may_lie_in_a_folder_that_is_still_to_be_made(void **state)
{
    const char *path = "no_such/deep/r.json";
    GError *error = NULL;

    (void) state;
    assert_true(trace_output_check_beside(NULL, "--json", NULL, NULL));
    assert_true(trace_output_check_beside(path, "--json", "no_such/deep", NULL));
    assert_false(trace_output_check_beside(path, "--json", NULL, NULL));
    assert_false(trace_output_check_beside(path, "--json", path, &error));
    assert_says(error, "no_such/deep/r.json: named by --json and by --out, give a file "
                       "and a folder");
}

static void some_options_take_no_standard_output(void **state)
{
    GError *error = NULL;

    (void) state;
    assert_true(trace_output_check_file(NULL, "--report", NULL));
    assert_true(trace_output_check_file("r.html", "--report", NULL));
    assert_false(trace_output_check_file("-", "--report", &error));
    assert_says(error, "--report: standard output cannot take it, give a file");
}

static void a_folder_is_made_below_folders(void **state)
{
    g_autofree char *below = path_in(state, "a/b");
    GError *error = NULL;

    assert_true(trace_output_check_folder(below, "--out", NULL));
    assert_false(trace_output_check_folder("/dev/null/a", "--out", &error));
    assert_says(error, "/dev/null/a: folder cannot be made, /dev/null is a file");
    error = NULL;
    assert_false(trace_output_check_folder("", "--out", &error));
    assert_says(error, "--out: the name is empty, give a folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_new_file_holds_the_text),
        IN_FOLDER(an_old_file_is_replaced_by_a_shorter_one),
        IN_FOLDER(a_reader_keeps_the_old_text),
        IN_FOLDER(checking_leaves_no_trace),
        IN_FOLDER(a_folder_that_is_missing_is_said_to_be),
        IN_FOLDER(a_file_in_the_place_of_a_folder_is_no_folder),
        IN_FOLDER(a_folder_is_not_written_to),
        IN_FOLDER(folders_are_made_but_not_below_a_file),
        cmocka_unit_test(a_file_may_lie_in_a_folder_that_is_still_to_be_made),
        cmocka_unit_test(some_options_take_no_standard_output),
        IN_FOLDER(a_folder_is_made_below_folders),
        cmocka_unit_test(a_name_is_not_empty),
        cmocka_unit_test(a_place_that_takes_no_files_is_found_before_the_run),
        IN_FOLDER(a_failure_keeps_the_old_file),
        cmocka_unit_test(a_device_stays_a_device),
        cmocka_unit_test(a_full_device_is_an_error),
        IN_FOLDER(a_pipe_gets_the_text_and_stays_a_pipe),
        IN_FOLDER(a_link_stays_a_link_and_its_file_is_replaced),
        IN_FOLDER(a_dash_is_standard_output),
        cmocka_unit_test(only_a_dash_is_called_so),
        cmocka_unit_test(standard_output_that_is_full_is_an_error),
    };

    return cmocka_run_group_tests_name("traces.output", tests, NULL, NULL);
}
