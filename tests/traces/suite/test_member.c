/* Members of results by their paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/error.h"
#include "traces/suite/member.h"

static const char text[] =
    "{\"cycles\": 12, \"workload\": \"dot\", \"is_good\": true, \"none\": null,"
    " \"metrics\": {\"a\": {\"b\": 2.5}, \"list\": [10, 20],"
    " \"points\": [{\"bytes\": 32, \"rate\": 1.5, \"bound\": \"memory\"},"
    "              {\"bytes\": 64, \"rate\": 3, \"bound\": \"compute\"}]},"
    " \"roofs\": [{\"name\": \"L1\", \"value\": 7}, 5, {\"name\": \"DRAM\", "
    "\"value\": 9}]}";

static int set_up(void **state)
{
    *state = json_from_string(text, NULL);
    return *state == NULL;
}

static int tear_down(void **state)
{
    json_node_unref(*state);
    return 0;
}

static void numbers_are_found(void **state)
{
    JsonObject *result = json_node_get_object(*state);
    static const struct {
        const char *formula;
        double value;
    } formulas[] = {
        {"cycles", 12},
        {"metrics.a.b", 2.5},
        {"metrics.list.1", 20},
        {"metrics.points.0.rate", 1.5},
        {"metrics.points.bytes.64.rate", 3},
        {"metrics.points.bound.memory.bytes", 32},
        {"roofs.name.DRAM.value", 9},
        {"cycles/metrics.a.b+roofs.name.L1.value", 12 / 2.5 + 7},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(formulas); i++) {
        g_autoptr(GError) error = NULL;
        double value = 0;

        if (!result_number(result, formulas[i].formula, &value, &error)) {
            fail_msg("%s: %s", formulas[i].formula, error->message);
        }
        assert_true(value == formulas[i].value);
    }
}

static void numbers_that_are_not_there_are_named(void **state)
{
    JsonObject *result = json_node_get_object(*state);
    static const char *const formulas[] = {"nothing",
                                           "workload",
                                           "is_good",
                                           "none",
                                           "metrics",
                                           "metrics.a",
                                           "metrics.list.2",
                                           "metrics.points.0",
                                           "metrics.points.bytes",
                                           "metrics.points.bytes.65.rate",
                                           "roofs.name.L2.value",
                                           "cycles.more"};

    for (gsize i = 0; i < G_N_ELEMENTS(formulas); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *message =
            g_strdup_printf("the result: no number %s", formulas[i]);
        double value;

        assert_false(result_number(result, formulas[i], &value, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, message);
    }
}

static void words_are_texts_and_switches(void **state)
{
    JsonObject *result = json_node_get_object(*state);
    static const char *const wrong[] = {"cycles", "none", "metrics", "nothing"};
    g_autofree char *workload = result_word(result, "workload", NULL);
    g_autofree char *is_good = result_word(result, "is_good", NULL);
    g_autofree char *bound = result_word(result, "metrics.points.bytes.64.bound", NULL);

    assert_string_equal(workload, "dot");
    assert_string_equal(is_good, "true");
    assert_string_equal(bound, "compute");
    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *message = g_strdup_printf("the result: no text %s", wrong[i]);

        assert_null(result_word(result, wrong[i], &error));
        assert_string_equal(error->message, message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found),
        cmocka_unit_test(numbers_that_are_not_there_are_named),
        cmocka_unit_test(words_are_texts_and_switches),
    };

    return cmocka_run_group_tests_name("traces.suite_member", tests, set_up, tear_down);
}
