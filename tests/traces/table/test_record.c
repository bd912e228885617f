/* Tests of lists of values that become JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "traces/table/record.h"

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
        VALUE("silence", (const char *) NULL), VALUE("nothing", (JsonObject *) NULL),
        VALUE("inner", RECORD(VALUE("a", 1U))),
        VALUE("counts", record_counts(counts, 2)),
        VALUE("items", record_list(items, name_and_more, "these")));
    g_autoptr(JsonNode) node = json_node_init_object(json_node_alloc(), object);
    g_autofree char *text = json_to_string(node, FALSE);

    assert_string_equal(
        text, "{\"real\":0.5,\"int\":-3,\"count\":1099511627776,"
              "\"truth\":true,\"text\":\"t\",\"silence\":null,\"nothing\":null,"
              "\"inner\":{\"a\":1},\"counts\":[3,1099511627776],"
              "\"items\":[{\"number\":5,\"of\":\"these\"},"
              "{\"number\":6,\"of\":\"these\"}]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_become_members_by_their_type),
    };

    return cmocka_run_group_tests_name("traces.record", tests, NULL, NULL);
}
