/* Databases of sweeps: what was put is there, and what is not theirs is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib/gstdio.h>

#include "traces/error.h"
#include "traces/table/sweep_store.h"

static const char *const axes[] = {"n", "chip", NULL};
static const char *const metrics[] = {"seconds", "a \"b\"", NULL};

static const TraceSweepHead head = {.title = "a sweep",
                                    .version = "1",
                                    .digest = "d1",
                                    .inputs = "gridloom 1\nx.lua abc\n",
                                    .axes = axes,
                                    .metrics = metrics,
                                    .run_count = 3};

typedef struct {
    char *folder;
    char *path;
} Place;

static int make_place(void **state)
{
    Place *place = g_new0(Place, 1);

    place->folder = g_dir_make_tmp("gridloom-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "s.sqlite", NULL);
    *state = place;
    return 0;
}

static int remove_place(void **state)
{
    Place *place = *state;

    (void) g_remove(place->path);
    assert_int_equal(g_rmdir(place->folder), 0); /* and nothing else is left */
    g_free(place->path);
    g_free(place->folder);
    g_free(place);
    return 0;
}

static TraceSweepStore *open_good(const Place *place, const TraceSweepHead *of)
{
    g_autoptr(GError) error = NULL;
    TraceSweepStore *store = trace_sweep_store_open(place->path, of, &error);

    if (store == NULL) {
        fail_msg("%s", error->message);
    }
    return store;
}

static bool try_put(TraceSweepStore *store,
                    guint run,
                    TraceRunStatus status,
                    const char *seconds,
                    GError **error)
{
    const char *const values[] = {"4", "wse2"};
    const char *const cells[] = {seconds, NULL};
    const TraceSweepRow row = {.run = run,
                               .status = status,
                               .error = status == TRACE_RUN_DONE ? NULL : "no",
                               .values = values,
                               .metrics = status == TRACE_RUN_DONE ? cells : NULL,
                               .worker = "0.0",
                               .wall_seconds = 1};

    return trace_sweep_store_put(store, &row, error);
}

static void
put(TraceSweepStore *store, guint run, TraceRunStatus status, const char *seconds)
{
    assert_true(try_put(store, run, status, seconds, NULL));
}

static void what_was_put_is_there_again(void **state)
{
    const Place *place = *state;
    TraceSweepStore *first = open_good(place, &head);

    put(first, 2, TRACE_RUN_DONE, "0.1");
    put(first, 0, TRACE_RUN_FAILED, NULL);
    trace_sweep_store_free(first);
    g_autoptr(TraceSweepStore) again = open_good(place, &head);
    g_autoptr(TraceTable) table = trace_sweep_store_table(again, NULL);

    assert_int_equal(trace_sweep_store_status(again, 0), TRACE_RUN_FAILED);
    assert_int_equal(trace_sweep_store_status(again, 1), TRACE_RUN_MISSING);
    assert_int_equal(trace_sweep_store_status(again, 2), TRACE_RUN_DONE);
    assert_int_equal(trace_table_row_count(table), 2);
    assert_int_equal(trace_table_column_count(table), 7);
    assert_string_equal(trace_table_text(table, 0, 0), "1");
    assert_string_equal(trace_table_text(table, 0, 1), "failed");
    assert_string_equal(trace_table_text(table, 0, 2), "no");
    assert_string_equal(trace_table_text(table, 1, 3), "4");
    assert_string_equal(trace_table_text(table, 1, 4), "wse2");
    assert_string_equal(trace_table_text(table, 1, 5), "0.1");
    assert_null(trace_table_text(table, 1, 6));
    assert_string_equal(trace_table_column(table, 6)->name, "a \"b\"");
    assert_int_equal(trace_table_column(table, 4)->kind, TRACE_COLUMN_PARAMETER);
    assert_int_equal(trace_table_column(table, 5)->kind, TRACE_COLUMN_METRIC);
}

static void a_row_is_replaced(void **state)
{
    g_autoptr(TraceSweepStore) store = open_good(*state, &head);

    put(store, 1, TRACE_RUN_LOST, NULL);
    put(store, 1, TRACE_RUN_DONE, "12345678901234567");
    g_autoptr(TraceTable) table = trace_sweep_store_table(store, NULL);

    assert_int_equal(trace_sweep_store_status(store, 1), TRACE_RUN_DONE);
    assert_int_equal(trace_table_row_count(table), 1);
    assert_string_equal(trace_table_text(table, 0, 1), "done");
    assert_string_equal(trace_table_text(table, 0, 5), "1.23456789012346e+16");
}

static void two_do_not_write_at_once(void **state)
{
    const Place *place = *state;
    g_autoptr(TraceSweepStore) first = open_good(place, &head);
    g_autoptr(GError) error = NULL;

    assert_null(trace_sweep_store_open(place->path, &head, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
    put(first, 0, TRACE_RUN_DONE, "1"); /* its own locks are still there */
}

static void what_nobody_would_find_is_not_put(void **state)
{
    const Place *place = *state;
    TraceSweepStore *store = open_good(place, &head);
    g_autoptr(GError) error = NULL;

    put(store, 0, TRACE_RUN_DONE, "1");
    assert_true(trace_sweep_store_is_there(store));
    assert_int_equal(g_remove(place->path), 0);
    assert_false(trace_sweep_store_is_there(store));
    assert_false(try_put(store, 1, TRACE_RUN_DONE, "1", &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
    assert_int_equal(trace_sweep_store_status(store, 1), TRACE_RUN_MISSING);
    assert_null(trace_sweep_store_table(store, NULL));

    /* Another file of the same name is another file. */
    assert_true(g_file_set_contents(place->path, "", -1, NULL));
    assert_false(try_put(store, 1, TRACE_RUN_DONE, "1", NULL));
    trace_sweep_store_free(store);

    /* It begins anew, whatever SQLite has left of the old one. */
    g_autoptr(TraceSweepStore) again = open_good(place, &head);

    assert_int_equal(trace_sweep_store_status(again, 0), TRACE_RUN_MISSING);
    put(again, 0, TRACE_RUN_DONE, "1");
}

static void another_sweep_is_refused(void **state)
{
    const Place *place = *state;
    TraceSweepHead other = head;
    g_autoptr(GError) error = NULL;

    trace_sweep_store_free(open_good(place, &head));
    other.digest = "d2";

    assert_null(trace_sweep_store_open(place->path, &other, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    assert_non_null(strstr(error->message, "holds another sweep, 'a sweep'"));
}

static void a_file_that_changed_is_named(void **state)
{
    const Place *place = *state;
    TraceSweepHead other = head;
    TraceSweepStore *store = open_good(place, &head);

    assert_null(trace_sweep_store_changed(store));
    trace_sweep_store_free(store);
    other.inputs = "gridloom 1\nx.lua abd\n";
    store = open_good(place, &other);

    assert_string_equal(trace_sweep_store_changed(store), "x.lua");
    trace_sweep_store_free(store);
}

static void what_is_no_database_is_left_alone(void **state)
{
    const Place *place = *state;
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *after = NULL;
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < 1000; i++) {
        g_string_append(text, "something else\n");
    }
    assert_true(g_file_set_contents(place->path, text->str, -1, NULL));

    assert_null(trace_sweep_store_open(place->path, &head, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    assert_true(g_file_get_contents(place->path, &after, NULL, NULL));
    assert_string_equal(after, text->str);
}

static void a_folder_that_is_not_there_is_an_error(void **state)
{
    const Place *place = *state;
    g_autofree char *path = g_build_filename(place->folder, "no", "s.sqlite", NULL);
    g_autoptr(GError) error = NULL;

    assert_null(trace_sweep_store_open(path, &head, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_WRITE));
}

int main(void)
{
#define PLACED(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)
    const struct CMUnitTest tests[] = {
        PLACED(what_was_put_is_there_again),
        PLACED(a_row_is_replaced),
        PLACED(two_do_not_write_at_once),
        PLACED(what_nobody_would_find_is_not_put),
        PLACED(another_sweep_is_refused),
        PLACED(a_file_that_changed_is_named),
        PLACED(what_is_no_database_is_left_alone),
        PLACED(a_folder_that_is_not_there_is_an_error),
    };

    return cmocka_run_group_tests_name("traces.sweep_store", tests, NULL, NULL);
}
