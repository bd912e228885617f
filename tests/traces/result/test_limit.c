/* What limits a run: roofs, busy parts, starting programs, waits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#include "traces/result/limit.h"

static JsonParser *parse(const char *text)
{
    JsonParser *parser = json_parser_new();
    g_autoptr(GError) error = NULL;

    if (!json_parser_load_from_data(parser, text, -1, &error)) {
        fail_msg("%s: %s", text, error->message);
    }
    return parser;
}

static JsonObject *root_of(JsonParser *parser)
{
    return json_node_get_object(json_parser_get_root(parser));
}

static void roofs_without_a_rate_are_left_out(void **state G_GNUC_UNUSED)
{
    g_autoptr(JsonParser) parser = parse(
        "{\"roofs\":[{\"name\":\"link\",\"value\":1.0,\"achieved\":null},"
        "{\"name\":\"L1\",\"value\":8,\"achieved\":2.0},{\"name\":\"old\","
        "\"value\":1},"
        "{\"value\":1,\"achieved\":1},7,{\"name\":\"no\",\"value\":0,\"achieved\":0},"
        "{\"name\":\"DRAM\",\"value\":4.0,\"achieved\":0}]}");
    g_autoptr(GArray) roofs = trace_limit_roofs(root_of(parser));

    assert_int_equal(roofs->len, 2);
    assert_string_equal(g_array_index(roofs, TraceRoofUse, 0).name, "L1");
    assert_true(g_array_index(roofs, TraceRoofUse, 0).percent == 25);
    assert_string_equal(g_array_index(roofs, TraceRoofUse, 1).name, "DRAM");
    assert_true(g_array_index(roofs, TraceRoofUse, 1).percent == 0);
}

static void units_without_work_are_left_out(void **state G_GNUC_UNUSED)
{
    g_autoptr(JsonParser) parser =
        parse("{\"roofs\":[{\"name\":\"FPU\",\"unit\":\"FLOP per second\","
              "\"value\":8,\"achieved\":0},{\"name\":\"SFPU\",\"unit\":\"FLOP per "
              "second\",\"value\":8,\"achieved\":2}]}");
    g_autoptr(GArray) roofs = trace_limit_roofs(root_of(parser));

    assert_int_equal(roofs->len, 1);
    assert_string_equal(g_array_index(roofs, TraceRoofUse, 0).name, "SFPU");
}

static void a_result_may_have_none(void **state G_GNUC_UNUSED)
{
    g_autoptr(JsonParser) parser =
        parse("{\"roofs\":3,\"busy\":[],\"stalls\":null,\"metrics\":1}");
    g_autoptr(GArray) roofs = trace_limit_roofs(root_of(parser));
    g_autofree char *limit = trace_limit_text(root_of(parser), NULL);

    assert_int_equal(roofs->len, 0);
    assert_string_equal(limit, "latency: no roof and no part is known above 50 %");
    assert_null(trace_limit_waits(root_of(parser)));
}

#define ROOFS(l1, dram)                                                                \
    "\"roofs\":[{\"name\":\"L1\",\"unit\":\"bytes per "                                \
    "second\",\"value\":100,\"achieved\":" #l1                                         \
    "},{\"name\":\"DRAM\",\"unit\":\"bytes per "                                       \
    "second\",\"value\":1000,\"achieved\":" #dram "}]"

static void a_limit_is_a_roof_a_part_or_latency(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *text;
        const char *limit;
    } rows[] = {
        {"{" ROOFS(73, 500) ",\"busy\":{\"math\":0.9}}", "L1: 73 % of its roof"},
        {"{" ROOFS(40, 500) ",\"busy\":{\"math\":0.9}}", "DRAM: 50 % of its roof"},
        {"{" ROOFS(40, 499) ",\"busy\":{\"math\":0.4,\"pack\":0.7,\"fpu\":0.7}}",
         "pack: busy 70 %"},
        {"{" ROOFS(40, 1) ",\"busy\":{\"busy\":0.5,\"memory_idle\":0.1,"
                          "\"other_idle\":0.4}}",
         "PEs: busy 50 %"},
        {"{" ROOFS(40, 1) ",\"busy\":{\"busy\":0.1,\"memory_idle\":0.1,"
                          "\"other_idle\":0.8}}",
         "latency: no roof and no part above 50 %, the fullest is L1 with 40 %"},
        {"{" ROOFS(0.5, 1) ",\"busy\":{\"math\":0.499}}",
         "latency: no roof and no part above 50 %, the fullest is L1 with 0.5 %"},
        {"{" ROOFS(73, 0) ",\"seconds\":10,\"metrics\":{\"launch_seconds\":6,"
                          "\"device_seconds\":2}}",
         "starting programs, 75 % of the time; then L1: 73 % of its roof"},
        {"{" ROOFS(73, 0) ",\"seconds\":2.0,\"metrics\":{\"launch_seconds\":6,"
                          "\"device_seconds\":2}}",
         "L1: 73 % of its roof"},
        {"{" ROOFS(73, 0) ",\"seconds\":12,\"metrics\":{\"launch_seconds\":6,"
                          "\"device_seconds\":6}}",
         "L1: 73 % of its roof"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(JsonParser) parser = parse(rows[i].text);
        g_autofree char *limit = trace_limit_text(root_of(parser), NULL);

        assert_string_equal(limit, rows[i].limit);
    }
}

static void a_limit_names_the_roof_of_the_roofline(void **state G_GNUC_UNUSED)
{
    /* A roof of the script's own, in another unit, is not in the roofline. */
    g_autoptr(JsonParser) parser =
        parse("{\"counters\":{\"flops\":8},\"seconds\":1,\"roofs\":[{\"name\":"
              "\"memory\",\"unit\":\"TFLOP/s\",\"value\":10,\"achieved\":9},{\"name\":"
              "\"SRAM\",\"unit\":\"bytes per second\",\"value\":10,\"achieved\":6}]}");
    const TraceRoofUse measured = {"DRAM, measured", 70};
    g_autofree char *limit = trace_limit_text(root_of(parser), NULL);
    g_autofree char *other = trace_limit_text(root_of(parser), &measured);

    assert_string_equal(limit, "SRAM: 60 % of its roof");
    assert_string_equal(other, "DRAM, measured: 70 % of its roof");
}

static void the_largest_wait_is_in_words(void **state G_GNUC_UNUSED)
{
    static const struct {
        const char *text;
        const char *waits;
    } rows[] = {
        {"{\"stalls\":{\"unit\":10,\"circular_buffer\":30,\"dst\":60}}",
         "Dst registers, 60 % of all waits"},
        {"{\"stalls\":{\"memory_idle\":1,\"other_idle\":3}}",
         "data and tasks, 75 % of all waits"},
        {"{\"stalls\":{\"pcie_queue\":5}}", "pcie queue, 100 % of all waits"},
    };
    g_autoptr(JsonParser) none = parse("{\"stalls\":{\"unit\":0}}");

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(JsonParser) parser = parse(rows[i].text);
        g_autofree char *waits = trace_limit_waits(root_of(parser));

        assert_string_equal(waits, rows[i].waits);
    }
    assert_null(trace_limit_waits(root_of(none)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roofs_without_a_rate_are_left_out),
        cmocka_unit_test(units_without_work_are_left_out),
        cmocka_unit_test(a_result_may_have_none),
        cmocka_unit_test(a_limit_is_a_roof_a_part_or_latency),
        cmocka_unit_test(a_limit_names_the_roof_of_the_roofline),
        cmocka_unit_test(the_largest_wait_is_in_words),
    };

    return cmocka_run_group_tests_name("traces.limit", tests, NULL, NULL);
}
