/* The schemas of this project: whole, without unknown keywords, and found for results.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <json-glib/json-glib.h>

#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/schema/catalog.h"

static void every_schema_is_whole_and_known(void **state)
{
    g_auto(GStrv) names = trace_catalog_names();

    (void) state;
    assert_true(g_strv_length(names) > 10);
    for (char **name = names; *name != NULL; name++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(JsonNode) root = trace_catalog_read(*name, &error);

        print_message("%s\n", *name);
        assert_null(error);
        g_autoptr(TraceSchema) schema = trace_schema_new(root, &error);

        assert_null(error);
        assert_non_null(schema);
        assert_non_null(trace_json_string(json_node_get_object(root), "title", NULL));
        assert_non_null(
            trace_json_string(json_node_get_object(root), "description", NULL));
    }
}

static void an_unknown_name_is_refused_with_the_known_ones(void **state)
{
    g_autoptr(GError) error = NULL;

    (void) state;
    assert_null(trace_catalog_read("runs", &error));
    assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
    assert_true(g_str_has_prefix(error->message, "runs: no such schema; known are "));
    assert_non_null(g_strstr_len(error->message, -1, " noc-traffic, "));
}

static void results_name_their_schema(void **state)
{
    static const struct {
        const char *text;
        const char *name;
    } cases[] = {
        {"{\"schema_version\": 1, \"workload\": \"pcg\"}", "run"},
        {"{\"schema_version\": 1, \"workload\": \"noc traffic\"}", "noc-traffic"},
        {"{\"schema_version\": 1, \"workload\": \"tune\"}", "tune"},
        {"{\"schema_version\": 1, \"workload\": \"tune\", \"metrics\": "
         "{\"device_seconds\": 1}}",
         "run"},
        {"{\"schema_version\": 1, \"workload\": \"result\"}", "run"},
        {"{\"schema_version\": 1, \"workload\": \"sweep\"}", "run"},
        {"{\"schema_version\": 1, \"metrics\": {\"measured\": true}}", "gpu-measured"},
        {"{\"family\": \"wse\"}", "describe"},
        {"{\"sweep\": \"s\"}", "sweep"},
        {"{}", NULL},
        {"[1]", NULL},
        {"7", NULL},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(JsonNode) value = json_from_string(cases[i].text, NULL);
        g_autofree char *name = trace_catalog_name_of(value);

        print_message("%s\n", cases[i].text);
        assert_int_equal(name == NULL, cases[i].name == NULL);
        if (name != NULL) {
            assert_string_equal(name, cases[i].name);
        }
    }
}

static void a_mismatch_names_the_schema(void **state)
{
    g_autoptr(JsonNode) value = json_from_string(
        "{\"schema_version\": 1, \"workload\": \"diff\", \"metrics\": {\"above\": -1}}",
        NULL);
    g_autoptr(GError) whole = NULL;
    g_autoptr(GError) partial = NULL;

    (void) state;
    assert_false(trace_catalog_check(value, TRACE_SCHEMA_WHOLE, &whole));
    assert_string_equal(whole->message,
                        "there is no \"gridloom\" (gridloom schema diff)");
    assert_false(trace_catalog_check(value, TRACE_SCHEMA_PARTIAL, &partial));
    assert_string_equal(
        partial->message,
        "/metrics/above: -1, allowed is at least 0 (gridloom schema diff)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_schema_is_whole_and_known),
        cmocka_unit_test(an_unknown_name_is_refused_with_the_known_ones),
        cmocka_unit_test(results_name_their_schema),
        cmocka_unit_test(a_mismatch_names_the_schema),
    };

    return cmocka_run_group_tests_name("traces.schema_catalog", tests, NULL, NULL);
}
