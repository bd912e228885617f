/* The result object: members and their order, numbers that JSON lacks, text. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/result/result.h"

static const TraceRoof roofs[] = {
    {.name = "host to device",
     .unit = "bytes per second",
     .value = 24e9,
     .achieved = NAN,
     .source = "a document"},
    {.name = "fpu", .unit = "flops", .value = INFINITY, .source = "none"},
};

static const TraceResult sample = {
    .gridloom = "0.1.0",
    .workload = "pcg",
    .chip = "wormhole_n300",
    .chip_digest = "abc",
    .seed = 1,
    .cycles = 1000,
    .seconds = 1e-6,
    .iterations = 4,
    .roofs = roofs,
    .roof_count = 2,
    .check_status = "pass",
    .max_abs_error = 0.5,
    .tolerance = 1,
    .reference = "ordinary C",
    .wall_seconds = 2,
    .events = 10,
    .peak_rss_bytes = 4096,
    .threads = 3,
};

/* The object as a reader of the text sees it. */
static JsonParser *parse(const TraceResult *result)
{
    g_autofree char *text = trace_result_to_json(result);
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) error = NULL;

    assert_true(g_utf8_validate(text, -1, NULL));
    assert_true(g_str_has_suffix(text, "}\n"));
    if (!json_parser_load_from_data(parser, text, -1, &error)) {
        fail_msg("%s\n%s", error->message, text);
    }
    return g_steal_pointer(&parser);
}

static JsonObject *root_of(JsonParser *parser)
{
    return json_node_get_object(json_parser_get_root(parser));
}

static void assert_members(JsonObject *object, const char *expected)
{
    g_autoptr(GList) names = json_object_get_members(object);
    GString *text = g_string_new(NULL);

    for (const GList *name = names; name != NULL; name = name->next) {
        g_string_append_printf(text, "%s ", (const char *) name->data);
    }
    assert_string_equal(text->str, expected);
    g_string_free(text, TRUE);
}

static void members_stand_in_the_order_of_the_schema(void **state G_GNUC_UNUSED)
{
    g_autoptr(JsonParser) parser = parse(&sample);
    JsonObject *root = root_of(parser);

    assert_members(root, "schema_version gridloom workload chip parameters overrides "
                         "seed chip_digest cycles seconds iterations "
                         "cycles_per_iteration seconds_per_iteration counters busy "
                         "stalls zones metrics energy_joules roofs check host ");
    assert_members(json_object_get_object_member(root, "check"),
                   "status max_abs_error tolerance reference ");
    assert_members(json_object_get_object_member(root, "host"),
                   "wall_seconds events events_per_second peak_rss_bytes threads ");
    assert_members(
        json_array_get_object_element(json_object_get_array_member(root, "roofs"), 0),
        "name unit value source achieved ");
}

static void numbers_of_the_chip_stand_behind_the_check(void **state G_GNUC_UNUSED)
{
    TraceResult result = sample;
    g_autoptr(JsonArray) ledger = json_array_new();

    json_array_add_string_element(ledger, "a line");
    result.chip_parameters = ledger;
    g_autoptr(JsonParser) parser = parse(&result);

    assert_members(root_of(parser),
                   "schema_version gridloom workload chip parameters overrides "
                   "seed chip_digest cycles seconds iterations "
                   "cycles_per_iteration seconds_per_iteration counters busy "
                   "stalls zones metrics energy_joules roofs check chip_parameters "
                   "host ");
    assert_string_equal(
        json_array_get_string_element(
            json_object_get_array_member(root_of(parser), "chip_parameters"), 0),
        "a line");
}

static void values_come_back_as_they_were(void **state G_GNUC_UNUSED)
{
    g_autoptr(JsonParser) parser = parse(&sample);
    JsonObject *root = root_of(parser);
    JsonObject *check = json_object_get_object_member(root, "check");
    JsonObject *host = json_object_get_object_member(root, "host");

    assert_int_equal(json_object_get_int_member(root, "schema_version"), 1);
    assert_string_equal(json_object_get_string_member(root, "workload"), "pcg");
    assert_string_equal(json_object_get_string_member(root, "chip"), "wormhole_n300");
    assert_string_equal(json_object_get_string_member(root, "chip_digest"), "abc");
    assert_int_equal(json_object_get_int_member(root, "cycles"), 1000);
    assert_true(json_object_get_double_member(root, "seconds") == 1e-6);
    assert_true(json_object_get_double_member(root, "cycles_per_iteration") == 250);
    assert_true(json_object_get_double_member(root, "seconds_per_iteration") ==
                1e-6 / 4);
    assert_true(json_object_get_null_member(root, "energy_joules"));
    assert_string_equal(json_object_get_string_member(check, "status"), "pass");
    assert_true(json_object_get_double_member(check, "max_abs_error") == 0.5);
    assert_string_equal(json_object_get_string_member(check, "reference"),
                        "ordinary C");
    assert_true(json_object_get_double_member(host, "events_per_second") == 5);
    assert_int_equal(json_object_get_int_member(host, "threads"), 3);
}

static void objects_that_are_not_given_are_empty(void **state G_GNUC_UNUSED)
{
    static const char *const names[] = {"parameters", "overrides", "busy",
                                        "stalls",     "zones",     "metrics"};
    g_autoptr(JsonParser) parser = parse(&sample);

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        assert_members(json_object_get_object_member(root_of(parser), names[i]), "");
    }
}

static void the_four_counters_are_always_there(void **state G_GNUC_UNUSED)
{
    g_autoptr(JsonObject) counters = json_object_new();
    TraceResult result = sample;

    json_object_set_int_member(counters, "pcie_bytes", 7);
    json_object_set_int_member(counters, "dram_bytes", 9);
    result.counters = counters;
    g_autoptr(JsonParser) bare = parse(&sample);
    g_autoptr(JsonParser) full = parse(&result);
    JsonObject *seen = json_object_get_object_member(root_of(full), "counters");

    assert_members(json_object_get_object_member(root_of(bare), "counters"),
                   "flops sram_bytes noc_bytes dram_bytes ");
    assert_members(seen, "flops sram_bytes noc_bytes dram_bytes pcie_bytes ");
    assert_int_equal(json_object_get_int_member(seen, "flops"), 0);
    assert_int_equal(json_object_get_int_member(seen, "dram_bytes"), 9);
}

static void numbers_that_json_lacks_become_null(void **state G_GNUC_UNUSED)
{
    TraceResult result = sample;

    result.seconds = NAN;
    result.max_abs_error = INFINITY;
    result.tolerance = -INFINITY;
    result.wall_seconds = NAN;
    g_autoptr(JsonParser) parser = parse(&result);
    JsonObject *root = root_of(parser);
    JsonObject *check = json_object_get_object_member(root, "check");

    assert_true(json_object_get_null_member(root, "seconds"));
    assert_true(json_object_get_null_member(root, "seconds_per_iteration"));
    assert_true(json_object_get_null_member(check, "max_abs_error"));
    assert_true(json_object_get_null_member(check, "tolerance"));
    assert_true(json_object_get_null_member(json_object_get_object_member(root, "host"),
                                            "wall_seconds"));
    assert_true(json_object_get_null_member(
        json_array_get_object_element(json_object_get_array_member(root, "roofs"), 1),
        "value"));
    assert_true(json_object_get_null_member(
        json_array_get_object_element(json_object_get_array_member(root, "roofs"), 0),
        "achieved"));
}

static void they_become_null_at_any_depth(void **state G_GNUC_UNUSED)
{
    g_autoptr(JsonObject) metrics = json_object_new();
    JsonArray *history = json_array_new();
    JsonObject *inner = json_object_new();
    TraceResult result = sample;

    json_array_add_double_element(history, 0.25);
    json_array_add_double_element(history, NAN);
    json_object_set_double_member(inner, "rate", INFINITY);
    json_array_add_object_element(history, inner);
    json_object_set_array_member(metrics, "history", history);
    result.metrics = metrics;
    g_autoptr(JsonParser) parser = parse(&result);
    JsonArray *seen = json_object_get_array_member(
        json_object_get_object_member(root_of(parser), "metrics"), "history");

    assert_true(json_array_get_double_element(seen, 0) == 0.25);
    assert_true(json_array_get_null_element(seen, 1));
    assert_true(
        json_object_get_null_member(json_array_get_object_element(seen, 2), "rate"));
}

static void a_run_without_time_has_no_rate(void **state G_GNUC_UNUSED)
{
    TraceResult result = sample;

    result.wall_seconds = 0;
    result.iterations = 0;
    g_autoptr(JsonParser) parser = parse(&result);
    JsonObject *root = root_of(parser);

    assert_true(
        json_object_get_double_member(json_object_get_object_member(root, "host"),
                                      "events_per_second") == 0);
    assert_true(json_object_get_double_member(root, "cycles_per_iteration") == 1000);
}

static void counts_are_exact_up_to_two_to_the_63(void **state G_GNUC_UNUSED)
{
    TraceResult result = sample;

    result.cycles = (G_GUINT64_CONSTANT(1) << 53) + 1;
    result.seed = G_MAXINT64;
    result.events = G_MAXUINT64;
    g_autoptr(JsonParser) parser = parse(&result);
    JsonObject *root = root_of(parser);

    assert_int_equal(json_object_get_int_member(root, "cycles"),
                     (G_GUINT64_CONSTANT(1) << 53) + 1);
    assert_int_equal(json_object_get_int_member(root, "seed"), G_MAXINT64);
    assert_int_equal(json_object_get_int_member(
                         json_object_get_object_member(root, "host"), "events"),
                     G_MAXINT64);
}

static void text_is_utf_8_whatever_it_was(void **state G_GNUC_UNUSED)
{
    TraceResult result = sample;

    result.workload = "bad\xff name";
    result.reference = "\xc3\xa9 \"quoted\" \\ \n\t\x01";
    g_autoptr(JsonParser) parser = parse(&result);
    JsonObject *root = root_of(parser);

    assert_string_equal(json_object_get_string_member(root, "workload"),
                        "bad\xef\xbf\xbd name");
    assert_string_equal(json_object_get_string_member(
                            json_object_get_object_member(root, "check"), "reference"),
                        "\xc3\xa9 \"quoted\" \\ \n\t\x01");
}

static void tiny_and_huge_numbers_are_numbers(void **state G_GNUC_UNUSED)
{
    TraceResult result = sample;

    result.seconds = 1e-8;
    result.tolerance = 1e+22;
    result.workload = "7e-08.0 \"5e-08.0\"";
    g_autofree char *text = trace_result_to_json(&result);
    g_autoptr(JsonParser) parser = parse(&result);

    assert_non_null(strstr(text, "\"seconds\" : 1e-08,"));
    assert_non_null(strstr(text, "\"tolerance\" : 1e+22,"));
    assert_string_equal(json_object_get_string_member(root_of(parser), "workload"),
                        result.workload);
}

static void the_same_result_gives_the_same_text(void **state G_GNUC_UNUSED)
{
    g_autofree char *first = trace_result_to_json(&sample);
    g_autofree char *second = trace_result_to_json(&sample);

    assert_string_equal(first, second);
    assert_true(g_str_has_prefix(first, "{\n  \"schema_version\" : 1,\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_stand_in_the_order_of_the_schema),
        cmocka_unit_test(numbers_of_the_chip_stand_behind_the_check),
        cmocka_unit_test(values_come_back_as_they_were),
        cmocka_unit_test(objects_that_are_not_given_are_empty),
        cmocka_unit_test(the_four_counters_are_always_there),
        cmocka_unit_test(numbers_that_json_lacks_become_null),
        cmocka_unit_test(they_become_null_at_any_depth),
        cmocka_unit_test(a_run_without_time_has_no_rate),
        cmocka_unit_test(counts_are_exact_up_to_two_to_the_63),
        cmocka_unit_test(text_is_utf_8_whatever_it_was),
        cmocka_unit_test(tiny_and_huge_numbers_are_numbers),
        cmocka_unit_test(the_same_result_gives_the_same_text),
    };

    return cmocka_run_group_tests_name("traces.result", tests, NULL, NULL);
}
