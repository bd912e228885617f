/* Files of runs: results and folders. Traces are read in tests of scenarios. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "tests/traces/file_place.h"
#include "traces/error.h"
#include "traces/reading/run_file.h"

static const char result_text[] = "\n\t {\"schema_version\": 1, \"chip\": \"c\"}\n";

static void assert_refused(const char *path, const char *says)
{
    g_autoptr(GError) error = NULL;

    assert_null(trace_run_read(path, &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    assert_non_null(g_strstr_len(error->message, -1, says));
    assert_true(g_str_has_prefix(error->message, path));
}

static void a_result_is_a_run(void **state)
{
    const FilePlace *place = *state;

    assert_true(g_file_set_contents(place->path, result_text, -1, NULL));
    g_autoptr(TraceRun) file = trace_run_read(place->path, NULL);
    g_autoptr(TraceRun) folder = trace_run_read(place->folder, NULL);

    assert_string_equal(file->name, place->path);
    assert_string_equal(folder->name, place->folder);
    assert_string_equal(json_object_get_string_member(file->result, "chip"), "c");
    assert_string_equal(json_object_get_string_member(folder->result, "chip"), "c");
    assert_true(file->is_whole && folder->is_whole);
    assert_null(file->timeline);
    assert_null(folder->timeline);
}

static void what_is_no_result_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"{", ""},
        {"{}", "no schema_version"},
        {"[]", "no schema_version"},
        {"{\"schema_version\": \"1\"}", "no schema_version"},
        {"{\"schema_version\": {}}", "no schema_version"},
        {"{\"schema_version\": 2}", "newer gridloom"},
        {"{\"schema_version\": 0}", "1 is the first"},
    };
    const FilePlace *place = *state;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_true(g_file_set_contents(place->path, cases[i].text, -1, NULL));
        assert_refused(place->path, cases[i].says);
    }
    (void) g_unlink(place->path);
    assert_refused(place->path, "No such file");
    assert_refused(place->folder, "neither result.json nor trace.pftrace");
}

static void brackets_in_texts_are_not_deep(void **state)
{
    const FilePlace *place = *state;
    g_autofree char *brackets = g_strnfill(1000, '[');
    g_autofree char *text = g_strdup_printf(
        "{\"schema_version\": 1, \"a\": \"\\\"%s\", \"b\": \"\\\\\"}", brackets);

    assert_true(g_file_set_contents(place->path, text, -1, NULL));
    g_autoptr(TraceRun) run = trace_run_read(place->path, NULL);

    assert_non_null(run);
    assert_true(g_file_set_contents(place->path, brackets, -1, NULL));
    assert_refused(place->path, "too deep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_result_is_a_run, file_place_make,
                                        file_place_remove),
        cmocka_unit_test_setup_teardown(what_is_no_result_is_refused, file_place_make,
                                        file_place_remove),
        cmocka_unit_test_setup_teardown(brackets_in_texts_are_not_deep, file_place_make,
                                        file_place_remove),
    };

    return cmocka_run_group_tests_name("traces.run_file", tests, NULL, NULL);
}
