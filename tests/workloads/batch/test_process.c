/* What runs of this program leave, and the words that they are started with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "workloads/batch.h"
#include "workloads/error.h"

enum {
    CODE = 256, /* of wait(): times the exit code */
};

static void a_process_is_read(void **state)
{
    g_auto(WlProcess) done = wl_process_read("{\"cycles\": 7}", "", 0);
    g_auto(WlProcess) silent = wl_process_read("[1]", "", 0);
    g_auto(WlProcess) checked =
        wl_process_read("{\"cycles\": 7}", "gridloom: check failed\n", 4 * CODE);
    g_auto(WlProcess) killed = wl_process_read("", "", 9);

    (void) state;
    assert_null(done.why);
    assert_int_equal(json_object_get_int_member(wl_process_result(&done), "cycles"), 7);
    assert_string_equal(silent.why, "the run gave no result");
    assert_int_equal(silent.code, WL_EXIT_STOPPED);
    assert_null(wl_process_result(&silent));
    assert_string_equal(checked.why, "check failed");
    assert_int_equal(checked.code, 4);
    assert_non_null(wl_process_result(&checked));
    assert_string_equal(killed.why, "the run was ended by signal 9");
    assert_int_equal(killed.code, WL_EXIT_STOPPED);
}

static void the_first_complaint_counts(void **state)
{
    g_autofree char *later =
        wl_process_complaint("a script prints\ngridloom: no\ngridloom: more\n", CODE);
    g_autofree char *none = wl_process_complaint("", 3 * CODE);

    (void) state;
    assert_string_equal(later, "no");
    assert_string_equal(none, "the run ended with code 3");
}

static void input_and_model_refuse(void **state)
{
    (void) state;
    assert_true(wl_process_is_refused(&(WlProcess){.code = WL_EXIT_INPUT}));
    assert_true(wl_process_is_refused(&(WlProcess){.code = WL_EXIT_UNMODELLED}));
    assert_false(wl_process_is_refused(&(WlProcess){.code = WL_EXIT_STOPPED}));
}

static void words_are_added(void **state)
{
    char first[] = "a=1";
    char second[] = "b=2";
    char *values[] = {first, second, NULL};
    GPtrArray *words = g_ptr_array_new();
    g_auto(GStrv) line = NULL;

    (void) state;
    wl_words_option(words, NULL, "dot");
    wl_words_option(words, "--chip", NULL);
    wl_words_each(words, "--set", values);
    wl_words_each(words, "--set", NULL);
    wl_words_count(words, "--seed", 3);
    line = wl_words_end(words);
    g_autofree char *text = g_strjoinv(" ", line);

    assert_string_equal(text, "dot --set a=1 --set b=2 --seed 3");
}

static void lines_of_suites_are_commands(void **state)
{
    static const struct {
        const char *line;
        const char *words;
    } rows[] = {{"dot 'a=1 2'", "run|dot|a=1 2|--threads|3"},
                {"gridloom noc transfer --op read", "noc|transfer|--op|read"},
                {"gridloom run dot", "run|dot|--threads|3"}};
    g_autoptr(GError) error = NULL;

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_auto(GStrv) words = wl_words_of_line(rows[i].line, 3, NULL);
        g_autofree char *text = g_strjoinv("|", words);

        assert_string_equal(text, rows[i].words);
    }
    assert_null(wl_words_of_line("dot 'a", 1, NULL));
    assert_null(wl_words_of_line("gridloom validate", 1, &error));
    assert_string_equal(error->message, "a validation runs no validations");
}

static void lines_of_files_write_nothing(void **state)
{
    static const char *const wrong[] = {
        "dot --json x",
        "dot --out=x",
        "dot -o x",
        "dot --trace x",
        "dot -- --chip",
        "dot -qo x",
        "gridloom sweep x",
        "gridloom roofline r.json -o x",
        "gridloom noc transfer --heatmap=x",
        "gridloom",
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_auto(GStrv) words = wl_words_of_line(wrong[i], 1, &error);

        assert_null(words);
        assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_SYNTAX));
        assert_true(g_str_has_prefix(error->message, wrong[i]));
    }
    g_auto(GStrv) words = wl_words_of_line("dot a=-1 --chip=wse2 --set a.b=2", 0, NULL);
    g_autofree char *text = g_strjoinv("|", words);

    assert_string_equal(text, "run|dot|a=-1|--chip=wse2|--set|a.b=2");
}

static void a_batch_of_none_is_done(void **state)
{
    g_autoptr(GPtrArray) none = g_ptr_array_new();
    const WlBatch batch = {.runs = none, .jobs = 1};

    (void) state;
    assert_true(wl_batch_do(&batch));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_is_read),
        cmocka_unit_test(the_first_complaint_counts),
        cmocka_unit_test(input_and_model_refuse),
        cmocka_unit_test(words_are_added),
        cmocka_unit_test(lines_of_suites_are_commands),
        cmocka_unit_test(lines_of_files_write_nothing),
        cmocka_unit_test(a_batch_of_none_is_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
