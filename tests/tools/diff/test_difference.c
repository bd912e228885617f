/* Numbers of results, and which of them differ. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#include "tools/gridloom/diff/difference.h"

static JsonObject *object_of(const char *text)
{
    g_autoptr(JsonNode) node = json_from_string(text, NULL);

    assert_non_null(node);
    return json_node_dup_object(node);
}

static DiffNumbers *numbers_of(const char *text)
{
    g_autoptr(JsonObject) object = object_of(text);
    DiffNumbers *numbers = diff_numbers_new();

    diff_numbers_add_result(numbers, object);
    return numbers;
}

static void results_have_numbers_by_name(void **state)
{
    static const struct {
        const char *name;
        double value;
    } expected[] = {
        {"cycles", 7},
        {"busy.math", 0.5},
        {"metrics.is_on", 1},
        {"metrics.history[0]", 1},
        {"metrics.history[1]", 2.5},
        {"metrics.parts[idle].joules", 3},
        {"metrics.parts[idle].joules #2", 4},
        {"roofs[DRAM].value", 9},
        {"check.max_abs_error", 0},
        {"check.pass", 1},
    };
    g_autoptr(DiffNumbers) numbers = numbers_of(
        "{\"schema_version\": 1, \"seed\": 3, \"parameters\": {\"nx\": 4}, \"host\": "
        "{\"wall_seconds\": 5}, \"chip_parameters\": [{\"value\": 1}], \"cycles\": 7, "
        "\"busy\": {\"math\": 0.5}, \"metrics\": {\"is_on\": true, \"note\": \"text\", "
        "\"none\": null, \"history\": [1, 2.5], \"parts\": [{\"part\": \"idle\", "
        "\"joules\": 3}, {\"part\": \"idle\", \"joules\": 4}]}, \"roofs\": [{\"name\": "
        "\"DRAM\", \"value\": 9}], \"check\": {\"status\": \"pass\", "
        "\"max_abs_error\": 0}}");

    (void) state;
    assert_int_equal(diff_numbers_count(numbers), G_N_ELEMENTS(expected));
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        assert_string_equal(diff_numbers_at(numbers, i)->name, expected[i].name);
        assert_true(diff_numbers_at(numbers, i)->value == expected[i].value);
        assert_ptr_equal(diff_numbers_find(numbers, expected[i].name),
                         diff_numbers_at(numbers, i));
    }
    assert_null(diff_numbers_find(numbers, "host.wall_seconds"));
}

static void differences_are_ordered_by_their_size(void **state)
{
    static const struct {
        const char *name;
        double relative;
        bool is_above;
    } expected[] = {
        {"lost", INFINITY, true},
        {"zero", -INFINITY, true},
        {"new", INFINITY, true},
        {"negative", 1.5, true},
        {"half", -0.5, true},
        {"tolerated", 0.25, false},
        {"at_its_tolerance", 0.125, false},
    };
    const char *const texts[] = {"tolerated=0.5", "at_its_tolerance=0.125", NULL};
    g_autoptr(DiffTolerances) tolerances = diff_tolerances_read(texts, NULL);
    g_autoptr(DiffNumbers) a =
        numbers_of("{\"same\": 1, \"at_its_tolerance\": 8, \"half\": 4, \"lost\": 3, "
                   "\"tolerated\": 100, \"zero\": 0, \"negative\": -2}");
    g_autoptr(DiffNumbers) b =
        numbers_of("{\"new\": 1, \"same\": 1, \"at_its_tolerance\": 9, \"half\": 2, "
                   "\"tolerated\": 125, \"zero\": -1, \"negative\": 1}");
    g_autoptr(GArray) found = diff_differences(a, b, tolerances);

    (void) state;
    assert_int_equal(found->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < found->len; i++) {
        const DiffDifference *item = &g_array_index(found, DiffDifference, i);

        assert_string_equal(item->name, expected[i].name);
        assert_true(item->relative == expected[i].relative);
        assert_int_equal(item->is_above, expected[i].is_above);
    }
    assert_true(isnan(g_array_index(found, DiffDifference, 0).b));
    assert_true(isnan(g_array_index(found, DiffDifference, 2).a));
    assert_int_equal(diff_differences_above(found), 5);
}

static void what_runs_were_given_is_told(void **state)
{
    static const struct {
        const char *name;
        const char *a;
        const char *b;
    } expected[] = {
        {"seed", "1", "2"},
        {"parameters.nx", "64", "128"},
        {"parameters.old", "on", NULL},
        {"parameters.new", NULL, "0.5"},
        {"noc.hop_cycles", "9", "12"},
    };
    g_autoptr(JsonObject) a = object_of(
        "{\"chip\": \"wse2\", \"seed\": 1, \"parameters\": {\"nx\": 64, \"ny\": 1, "
        "\"old\": \"on\"}, \"chip_parameters\": [{\"section\": \"noc\", \"key\": "
        "\"hop_cycles\", \"value\": \"9\"}]}");
    g_autoptr(JsonObject) b = object_of(
        "{\"chip\": \"wse2\", \"seed\": 2, \"parameters\": {\"nx\": 128, \"ny\": 1, "
        "\"new\": 0.5}, \"chip_parameters\": [{\"section\": \"noc\", \"key\": "
        "\"hop_cycles\", \"value\": \"12\"}]}");
    g_autoptr(GArray) unlike = diff_unlike(a, b);
    g_autoptr(GArray) none = diff_unlike(a, a);

    (void) state;
    assert_int_equal(none->len, 0);
    assert_int_equal(unlike->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < unlike->len; i++) {
        const DiffUnlike *item = &g_array_index(unlike, DiffUnlike, i);

        assert_string_equal(item->name, expected[i].name);
        assert_int_equal(g_strcmp0(item->a, expected[i].a), 0);
        assert_int_equal(g_strcmp0(item->b, expected[i].b), 0);
    }
    json_object_set_string_member(b, "chip", "wse3");
    g_autoptr(GArray) chips = diff_unlike(a, b);

    assert_int_equal(chips->len,
                     G_N_ELEMENTS(expected)); /* the chip, not its numbers */
    assert_string_equal(g_array_index(chips, DiffUnlike, 0).name, "chip");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_have_numbers_by_name),
        cmocka_unit_test(differences_are_ordered_by_their_size),
        cmocka_unit_test(what_runs_were_given_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
