/* Drafts: private until they are whole, and swept where nobody writes them any more. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "tests/traces/file_place.h"
#include "traces/error.h"
#include "traces/file/draft.h"

static void assert_contents(const char *path, const char *expected)
{
    g_autofree char *text = NULL;

    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, expected);
}

static guint count_entries(const FilePlace *place)
{
    g_autoptr(GDir) entries = g_dir_open(place->folder, 0, NULL);
    guint count = 0;

    while (g_dir_read_name(entries) != NULL) {
        count++;
    }
    return count;
}

static char *beside(const FilePlace *place, const char *name)
{
    return g_build_filename(place->folder, name, NULL);
}

static void put_text(TraceDraft *draft, const char *text)
{
    assert_non_null(draft);
    trace_draft_put(draft, text, strlen(text));
}

/* Writes a whole file. */
static void write_file(const char *path, const char *text)
{
    g_autoptr(TraceDraft) draft = trace_draft_open(path, NULL);

    put_text(draft, text);
    assert_true(trace_draft_close(draft, NULL));
}

static void two_drafts_of_one_file_do_not_meet(void **state)
{
    const FilePlace *place = *state;
    g_autoptr(TraceDraft) one = trace_draft_open(place->path, NULL);
    g_autoptr(TraceDraft) other = trace_draft_open(place->path, NULL);

    put_text(one, "one");
    put_text(other, "other");
    assert_int_equal(count_entries(place), 2);
    assert_true(trace_draft_close(one, NULL));
    assert_contents(place->path, "one");
    assert_true(trace_draft_close(other, NULL));
    assert_contents(place->path, "other");
    assert_int_equal(count_entries(place), 1);
}

static void a_link_to_nothing_gets_its_file(void **state)
{
    const FilePlace *place = *state;
    g_autofree char *link_path = beside(place, "link");
    g_autofree char *second = beside(place, "second");

    assert_int_equal(symlink("second", link_path), 0);
    assert_int_equal(symlink(place->path, second), 0);
    write_file(link_path, "through");
    assert_contents(place->path, "through");
    assert_true(g_file_test(link_path, G_FILE_TEST_IS_SYMLINK));
    assert_true(g_file_test(second, G_FILE_TEST_IS_SYMLINK));
    (void) g_unlink(link_path);
    (void) g_unlink(second);
}

static void links_in_a_circle_are_an_error(void **state)
{
    const FilePlace *place = *state;
    g_autoptr(GError) error = NULL;

    assert_int_equal(symlink(place->path, place->path), 0);
    assert_null(trace_draft_open(place->path, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
    assert_true(g_file_test(place->path, G_FILE_TEST_IS_SYMLINK));
    assert_int_equal(count_entries(place), 1);
}

static mode_t mode_of(const char *path)
{
    struct stat status = {0};

    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 0777;
}

static void a_file_keeps_its_permissions(void **state)
{
    const FilePlace *place = *state;
    const mode_t mask = umask(027);

    write_file(place->path, "new");
    assert_int_equal(mode_of(place->path), 0640);
    assert_int_equal(chmod(place->path, 0604), 0);
    write_file(place->path, "newer");
    assert_int_equal(mode_of(place->path), 0604);
    (void) umask(mask);
}

static void what_nobody_writes_is_swept(void **state)
{
    const FilePlace *place = *state;
    g_autofree char *dead = beside(place, ".gridloom-1-00000000");
    g_autofree char *living = beside(place, ".gridloom-2-00000000");
    g_autofree char *link_path = beside(place, ".gridloom-3-00000000");
    const int file = open(living, O_CREAT | O_RDWR, 0600);

    assert_int_equal(flock(file, LOCK_EX), 0);
    assert_true(g_file_set_contents(dead, "half", -1, NULL));
    assert_int_equal(symlink(place->path, link_path), 0);
    write_file(place->path, "whole");
    assert_false(g_file_test(dead, G_FILE_TEST_EXISTS));
    assert_true(g_file_test(living, G_FILE_TEST_EXISTS));
    assert_true(g_file_test(link_path, G_FILE_TEST_IS_SYMLINK));
    assert_contents(place->path, "whole");
    assert_int_equal(close(file), 0);
    (void) g_unlink(living);
    (void) g_unlink(link_path);
}

static void drafts_before_their_folder_wait_above_it(void **state)
{
    const FilePlace *place = *state;
    g_autofree char *folder = beside(place, "a");
    g_autofree char *path = g_build_filename(folder, "file", NULL);
    g_autoptr(TraceDraft) draft = trace_draft_open_early(path, NULL);

    assert_null(trace_draft_open(path, NULL));
    put_text(draft, "early");
    assert_int_equal(count_entries(place), 1);
    assert_int_equal(g_mkdir(folder, 0700), 0);
    assert_true(trace_draft_close(draft, NULL));
    assert_contents(path, "early");
    (void) g_unlink(path);
    (void) g_rmdir(folder);
}

static void a_process_that_ends_removes_its_own_drafts(void **state)
{
    const FilePlace *place = *state;
    g_autoptr(TraceDraft) draft = trace_draft_open(place->path, NULL);
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        TraceDraft *second = trace_draft_open(place->path, NULL);

        const guint before = count_entries(place);

        trace_draft_abandon();
        put_text(second, "late");
        _exit(before == 2 && count_entries(place) == 1 &&
                      !trace_draft_close(second, NULL)
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(count_entries(place), 1);
    put_text(draft, "whole");
    assert_true(trace_draft_close(draft, NULL));
    assert_contents(place->path, "whole");
}

static void an_open_file_is_written_to_by_its_number(void **state)
{
    const FilePlace *place = *state;
    const int file = trace_draft_nameless(NULL);
    g_autofree char *name = g_strdup_printf("/proc/self/fd/%d", file);
    g_autofree char *link_path = beside(place, "link");

    assert_true(file >= 0);
    assert_int_equal(symlink(name, link_path), 0);
    write_file(name, "one ");
    write_file(link_path, "two");
    assert_contents(name, "one two");
    assert_int_equal(close(file), 0);
    (void) g_unlink(link_path);
    assert_int_equal(count_entries(place), 0);
}

#define IN_FOLDER(test)                                                                \
    cmocka_unit_test_setup_teardown(test, file_place_make, file_place_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(two_drafts_of_one_file_do_not_meet),
        IN_FOLDER(a_link_to_nothing_gets_its_file),
        IN_FOLDER(links_in_a_circle_are_an_error),
        IN_FOLDER(a_file_keeps_its_permissions),
        IN_FOLDER(what_nobody_writes_is_swept),
        IN_FOLDER(drafts_before_their_folder_wait_above_it),
        IN_FOLDER(a_process_that_ends_removes_its_own_drafts),
        IN_FOLDER(an_open_file_is_written_to_by_its_number),
    };

    return cmocka_run_group_tests_name("traces.draft", tests, NULL, NULL);
}
