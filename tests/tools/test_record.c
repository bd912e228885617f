/* Tests of tables that say how structs become JSON and text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/gridloom/record.h"

typedef struct {
    struct {
        double joules;
    } energy;
    uint64_t bytes;
    guint cores;
    int change;
    bool is_best;
    const char *name;
} Design;

static char *label(gconstpointer record)
{
    const Design *self = record;

    return self->name == NULL ? NULL : g_strdup_printf("%s!", self->name);
}

static const RecordField fields[] = {
    {"name", "NAME", RECORD_MEMBER(Design, name)},
    {"joules", "ENERGY [J]", "%.2f", RECORD_MEMBER(Design, energy.joules)},
    {"bytes", "BYTES", RECORD_MEMBER(Design, bytes)},
    {"cores", NULL, RECORD_MEMBER(Design, cores)},
    {"change", NULL, RECORD_MEMBER(Design, change)},
    {"best", "BEST", RECORD_MEMBER(Design, is_best)},
    {NULL, "LABEL", .text = label},
};
static const RecordTable table = RECORD_TABLE(fields);

static const Design designs[] = {
    {.energy.joules = 3,
     .bytes = 1 << 20,
     .cores = 2,
     .change = -1,
     .name = "a, \"b\""},
    {.energy.joules = NAN, .cores = 1, .is_best = true},
};

static void a_record_becomes_members_in_the_order_of_the_table(void **state)
{
    (void) state;
    g_autoptr(JsonObject) object = record_to_json(&table, &designs[0]);
    g_autoptr(GList) names = json_object_get_members(object);

    assert_int_equal(g_list_length(names), 6);
    assert_string_equal(names->data, "name");
    assert_string_equal(g_list_last(names)->data, "best");
    assert_string_equal(json_object_get_string_member(object, "name"), "a, \"b\"");
    assert_true(json_object_get_double_member(object, "joules") ==
                designs[0].energy.joules);
    assert_int_equal(json_object_get_int_member(object, "bytes"), 1 << 20);
    assert_int_equal(json_object_get_int_member(object, "cores"), 2);
    assert_int_equal(json_object_get_int_member(object, "change"), -1);
    assert_false(json_object_get_boolean_member(object, "best"));
}

static void a_text_that_is_not_there_becomes_null(void **state)
{
    (void) state;
    g_autoptr(JsonObject) object = record_to_json(&table, &designs[1]);

    assert_true(json_object_get_null_member(object, "name"));
    assert_true(json_object_get_boolean_member(object, "best"));
}

static void people_see_the_columns_with_headings(void **state)
{
    (void) state;
    char *bytes = NULL;
    size_t count = 0;
    FILE *stream = open_memstream(&bytes, &count);
    g_autoptr(Grid) grid = record_grid_new(&table);

    record_add_to_grid(&table, &designs[0], grid);
    record_add_to_grid(&table, &designs[1], grid);
    grid_print(grid, stream, 0);
    assert_int_equal(fclose(stream), 0);

    assert_non_null(strstr(bytes, "ENERGY [J]"));
    assert_non_null(strstr(bytes, "3.00"));
    assert_non_null(strstr(bytes, "yes"));
    assert_non_null(strstr(bytes, "a, \"b\"!"));
    assert_null(strstr(bytes, "change"));
    free(bytes);
}

/* A RecordFunc. */
static JsonObject *name_and_more(gconstpointer item, gconstpointer context)
{
    return RECORD(VALUE("number", *(const guint *) item),
                  VALUE("of", (const char *) context));
}

static void values_become_members_by_their_type(void **state)
{
    static const uint64_t counts[] = {3, (uint64_t) 1 << 40};
    static const guint numbers[] = {5, 6};
    (void) state;
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(guint));

    g_array_append_vals(items, numbers, G_N_ELEMENTS(numbers));
    g_autoptr(JsonObject) object = RECORD(
        VALUE("real", 0.5), VALUE("int", -3), VALUE("count", counts[1]),
        VALUE("truth", (bool) (1 < 2)), VALUE("text", "t"),
        VALUE("nothing", (JsonObject *) NULL), VALUE("inner", RECORD(VALUE("a", 1U))),
        VALUE("counts", record_counts(counts, 2)),
        VALUE("items", record_list(items, name_and_more, "these")));
    g_autoptr(JsonNode) node = json_node_init_object(json_node_alloc(), object);
    g_autofree char *text = json_to_string(node, FALSE);

    assert_string_equal(text, "{\"real\":0.5,\"int\":-3,\"count\":1099511627776,"
                              "\"truth\":true,\"text\":\"t\",\"nothing\":null,"
                              "\"inner\":{\"a\":1},\"counts\":[3,1099511627776],"
                              "\"items\":[{\"number\":5,\"of\":\"these\"},"
                              "{\"number\":6,\"of\":\"these\"}]}");
}

static bool is_best(gconstpointer record)
{
    return ((const Design *) record)->is_best;
}

static JsonNode *bytes_node(gconstpointer record)
{
    JsonArray *array = json_array_new();

    json_array_add_int_element(array, (gint64) ((const Design *) record)->bytes);
    return record_array(array);
}

static char *cores_words(gconstpointer record)
{
    return g_strdup_printf("%u cores", ((const Design *) record)->cores);
}

static const RecordField own[] = {
    {"list", .node = bytes_node},
    {"cores", "CORES", RECORD_MEMBER(Design, cores), .words = cores_words},
    {"change", "CHANGE", RECORD_MEMBER(Design, change), .has = is_best},
    {"joules", RECORD_MEMBER(Design, energy.joules)},
};

static void fields_may_be_missing_nested_or_in_words(void **state)
{
    (void) state;
    const RecordTable all = RECORD_TABLE(own);
    g_autoptr(JsonObject) object = record_to_json(&all, &designs[0]);
    char *bytes = NULL;
    size_t count = 0;
    FILE *stream = open_memstream(&bytes, &count);
    g_autoptr(Grid) grid = record_grid_new(&all);

    record_add_to_grid(&all, &designs[0], grid);
    grid_print(grid, stream, 0);
    assert_int_equal(fclose(stream), 0);

    assert_int_equal(
        json_array_get_int_element(json_object_get_array_member(object, "list"), 0),
        1 << 20);
    assert_int_equal(json_object_get_int_member(object, "cores"), 2);
    assert_true(json_object_get_null_member(object, "change"));
    assert_string_equal(bytes, "CORES    CHANGE\n2 cores  -\n");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_becomes_members_in_the_order_of_the_table),
        cmocka_unit_test(a_text_that_is_not_there_becomes_null),
        cmocka_unit_test(people_see_the_columns_with_headings),
        cmocka_unit_test(values_become_members_by_their_type),
        cmocka_unit_test(fields_may_be_missing_nested_or_in_words),
    };

    return cmocka_run_group_tests_name("tools.record", tests, NULL, NULL);
}
