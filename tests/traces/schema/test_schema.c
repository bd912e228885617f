/* Values and schemas: what fits, where it does not, and schemas that are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <json-glib/json-glib.h>

#include "traces/error.h"
#include "traces/schema/schema.h"

static JsonNode *node_of(const char *text)
{
    GError *error = NULL;
    JsonNode *node = json_from_string(text, &error);

    assert_null(error);
    assert_non_null(node);
    return node;
}

static TraceSchema *schema_of(const char *text)
{
    g_autoptr(JsonNode) root = node_of(text);
    g_autoptr(GError) error = NULL;
    TraceSchema *schema = trace_schema_new(root, &error);

    assert_null(error);
    return schema;
}

/* A schema, a value, and the mismatch; NULL: it fits. */
typedef struct {
    const char *schema;
    const char *value;
    const char *says;
} Case;

static void assert_cases(const Case *cases, gsize count)
{
    for (gsize i = 0; i < count; i++) {
        g_autoptr(TraceSchema) schema = schema_of(cases[i].schema);
        g_autoptr(JsonNode) value = node_of(cases[i].value);
        g_autoptr(GError) error = NULL;
        const bool fits = trace_schema_check(schema, value, TRACE_SCHEMA_WHOLE, &error);

        print_message("%s: %s\n", cases[i].schema, cases[i].value);
        assert_int_equal(fits, cases[i].says == NULL);
        assert_int_equal(error == NULL, fits);
        if (error != NULL) {
            assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
            assert_string_equal(error->message, cases[i].says);
        }
    }
}

static void types_are_told_apart(void **state)
{
    static const Case cases[] = {
        {"{\"type\": \"object\"}", "{}", NULL},
        {"{\"type\": \"object\"}", "[1, 2]", "an array of 2, allowed is an object"},
        {"{\"type\": \"array\"}", "[]", NULL},
        {"{\"type\": \"array\"}", "{}", "an object, allowed is an array"},
        {"{\"type\": \"string\"}", "\"a\"", NULL},
        {"{\"type\": \"string\"}", "1", "1, allowed is a text"},
        {"{\"type\": \"number\"}", "1", NULL},
        {"{\"type\": \"number\"}", "1.5", NULL},
        {"{\"type\": \"number\"}", "\"1\"", "\"1\", allowed is a number"},
        {"{\"type\": \"integer\"}", "2.0", NULL},
        {"{\"type\": \"integer\"}", "9007199254740993", NULL},
        {"{\"type\": \"integer\"}", "2.5", "2.5, allowed is a whole number"},
        {"{\"type\": \"boolean\"}", "false", NULL},
        {"{\"type\": \"boolean\"}", "0", "0, allowed is true or false"},
        {"{\"type\": \"number\"}", "true", "true, allowed is a number"},
        {"{\"type\": \"null\"}", "null", NULL},
        {"{\"type\": [\"number\", \"null\"]}", "null", NULL},
        {"{\"type\": [\"number\", \"null\"]}", "\"x\"",
         "\"x\", allowed is a number or null"},
        {"{\"type\": \"number\"}", "null", "null, allowed is a number"},
    };

    (void) state;
    assert_cases(cases, G_N_ELEMENTS(cases));
}

static void values_and_sizes_have_limits(void **state)
{
    static const Case cases[] = {
        {"{\"enum\": [\"pass\", \"fail\", 1]}", "\"fail\"", NULL},
        {"{\"enum\": [\"pass\", \"fail\", 1]}", "1", NULL},
        {"{\"enum\": [\"pass\", \"fail\", 1]}", "\"Pass\"",
         "\"Pass\", allowed is \"pass\", \"fail\" or 1"},
        {"{\"const\": \"tune\"}", "\"tune\"", NULL},
        {"{\"const\": \"tune\"}", "\"run\"", "\"run\", allowed is \"tune\""},
        {"{\"minimum\": 0}", "0", NULL},
        {"{\"minimum\": 0}", "-0.5", "-0.5, allowed is at least 0"},
        {"{\"minimum\": 0}", "\"text\"", NULL},
        {"{\"maximum\": 1}", "1.0", NULL},
        {"{\"maximum\": 1}", "1.25", "1.25, allowed is at most 1"},
        {"{\"minItems\": 2}", "[1, 2]", NULL},
        {"{\"minItems\": 2}", "[1]", "an array of 1, allowed is at least 2 items"},
        {"{\"maxItems\": 2}", "[1, 2, 3]", "an array of 3, allowed is at most 2 items"},
        {"{\"minLength\": 1}", "\"\"", "\"\", allowed is at least 1 characters"},
        {"{\"minLength\": 2}", "\"\u00e4\u00f6\"", NULL},
        {"{\"type\": \"number\"}",
         "\"a text that is much longer than a message should be\"",
         "\"a text that is much longer than a mess..., allowed is a number"},
    };

    (void) state;
    assert_cases(cases, G_N_ELEMENTS(cases));
}

static void members_are_checked_where_they_are(void **state)
{
    static const char schema[] = "{\"type\": \"object\", \"required\": [\"links\"],"
                                 " \"properties\": {\"links\": {\"type\": \"array\","
                                 "  \"items\": {\"required\": [\"flits\"],"
                                 "   \"properties\": {\"flits\": {\"minimum\": 0}}}}},"
                                 " \"additionalProperties\": {\"type\": \"number\"}}";
    const Case cases[] = {
        {schema, "{\"links\": []}", NULL},
        {schema, "{\"links\": [{\"flits\": 1, \"more\": \"x\"}], \"a\": 2}", NULL},
        {schema, "{}", "there is no \"links\""},
        {schema, "{\"links\": [{\"flits\": 1}, {}]}",
         "/links/1: there is no \"flits\""},
        {schema, "{\"links\": [{\"flits\": -1}]}",
         "/links/0/flits: -1, allowed is at least 0"},
        {schema, "{\"links\": [], \"a/b~c\\n\": \"x\"}",
         "/a~1b~0c\\u000a: \"x\", allowed is a number"},
        {"{\"additionalProperties\": false}", "{\"a\": 1}",
         "/a: nothing is allowed here"},
    };

    (void) state;
    assert_cases(cases, G_N_ELEMENTS(cases));
}

static void schemas_are_put_together(void **state)
{
    static const char schema[] =
        "{\"allOf\": [{\"$ref\": \"#/$defs/named\"}],"
        " \"properties\": {\"a\": {\"anyOf\": [{\"type\": \"null\"},"
        "   {\"properties\": {\"b\": {\"type\": \"number\"}}, \"type\": \"object\"}]}},"
        " \"$defs\": {\"named\": {\"required\": [\"name\"]}}}";
    const Case cases[] = {
        {schema, "{\"name\": 1, \"a\": null}", NULL},
        {schema, "{\"name\": 1, \"a\": {\"b\": 1}}", NULL},
        {schema, "{\"a\": null}", "there is no \"name\""},
        /* The form that was meant is the one that fits furthest. */
        {schema, "{\"name\": 1, \"a\": {\"b\": \"x\"}}",
         "/a/b: \"x\", allowed is a number"},
        {schema, "{\"name\": 1, \"a\": 5}", "/a: 5, allowed is null"},
    };

    (void) state;
    assert_cases(cases, G_N_ELEMENTS(cases));
}

static void a_part_may_lack_members(void **state)
{
    g_autoptr(TraceSchema) schema =
        schema_of("{\"required\": [\"a\"], \"properties\": {\"a\": {\"type\": "
                  "\"number\"}}}");
    g_autoptr(JsonNode) empty = node_of("{}");
    g_autoptr(JsonNode) wrong = node_of("{\"a\": \"x\"}");

    (void) state;
    assert_false(trace_schema_check(schema, empty, TRACE_SCHEMA_WHOLE, NULL));
    assert_true(trace_schema_check(schema, empty, TRACE_SCHEMA_PARTIAL, NULL));
    assert_false(trace_schema_check(schema, wrong, TRACE_SCHEMA_PARTIAL, NULL));
}

static void schemas_with_more_than_is_known_are_refused(void **state)
{
    static const struct {
        const char *schema;
        const char *says;
    } cases[] = {
        {"{\"pattern\": \"a\"}", "/pattern: a keyword that is not known here"},
        {"{\"properties\": {\"x\": {\"oneOf\": []}}}",
         "/properties/x/oneOf: a keyword that is not known here"},
        {"{\"anyOf\": [true, {\"format\": \"date\"}]}",
         "/anyOf/1/format: a keyword that is not known here"},
        {"{\"$defs\": {\"unused\": {\"not\": {}}}}",
         "/$defs/unused/not: a keyword that is not known here"},
        {"{\"items\": {\"$ref\": \"other.json\"}}",
         "/items/$ref: not what this keyword takes"},
        {"{\"$ref\": \"#/$defs/gone\"}", "/$ref: there is no such definition"},
        {"{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"items\": {\"$ref\": "
         "\"#/$defs/b\"}}, \"b\": {\"allOf\": [{\"$ref\": \"#/$defs/a\"}]}}}",
         "/$defs/b/allOf/0/$ref: a definition that leads back to itself"},
        {"{\"type\": \"float\"}", "/type: not what this keyword takes"},
        {"{\"type\": []}", "/type: not what this keyword takes"},
        {"{\"minimum\": \"0\"}", "/minimum: not what this keyword takes"},
        {"{\"minItems\": -1}", "/minItems: not what this keyword takes"},
        {"{\"required\": \"a\"}", "/required: not what this keyword takes"},
        {"{\"enum\": {}}", "/enum: not what this keyword takes"},
        {"{\"items\": 1}", "/items: not what this keyword takes"},
        {"{\"allOf\": [1]}", "/allOf/0: a schema is an object, true or false"},
        {"{\"properties\": {\"a\": 1}}",
         "/properties/a: a schema is an object, true or false"},
        {"[]", ": a schema is an object, true or false"},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(JsonNode) root = node_of(cases[i].schema);
        g_autoptr(GError) error = NULL;

        print_message("%s\n", cases[i].schema);
        assert_null(trace_schema_new(root, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, cases[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_told_apart),
        cmocka_unit_test(values_and_sizes_have_limits),
        cmocka_unit_test(members_are_checked_where_they_are),
        cmocka_unit_test(schemas_are_put_together),
        cmocka_unit_test(a_part_may_lack_members),
        cmocka_unit_test(schemas_with_more_than_is_known_are_refused),
    };

    return cmocka_run_group_tests_name("traces.schema_schema", tests, NULL, NULL);
}
