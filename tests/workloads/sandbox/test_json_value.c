/* What scripts report, as JSON: every type, nesting, and what cannot be reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <json-glib/json-glib.h>

#include "tests/workloads/chunk.h"
#include "workloads/error.h"
#include "workloads/sandbox/json_value.h"

/* Lua function json(value): the text of what would be reported. */
static int to_json(lua_State *L)
{
    g_autoptr(JsonNode) node = json_value_of(L, 1);
    g_autofree char *text = json_to_string(node, FALSE);

    lua_pushstring(L, text);
    return 1;
}

static bool run(const char *text, GString *output, GError **error)
{
    WlSandboxConfig config = chunk_config(output);
    g_autoptr(WlSandbox) sandbox = sandbox_new("t.lua", &config, error);
    lua_State *L = sandbox_state(sandbox);

    lua_pushcfunction(L, to_json);
    lua_setglobal(L, "json");
    return chunk_run_in(sandbox, text, error);
}

static void assert_json(const char *expression, const char *expected)
{
    g_autofree char *text = g_strdup_printf("print(json(%s))", expression);
    g_autofree char *line = g_strconcat(expected, "\n", NULL);
    g_autoptr(GError) error = NULL;
    GString *output = g_string_new(NULL);

    if (!run(text, output, &error)) {
        fail_msg("%s: %s", expression, error->message);
    }
    assert_string_equal(output->str, line);
    g_string_free(output, TRUE);
}

static void assert_refused(const char *text, const char *message)
{
    g_autofree char *start = g_strconcat("t.lua:1: ", message, "\n", NULL);
    g_autoptr(GError) error = NULL;
    GString *output = g_string_new(NULL);

    if (run(text, output, &error)) {
        fail_msg("%s is taken", text);
    }
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_RUNTIME));
    if (!g_str_has_prefix(error->message, start)) {
        fail_msg("%s gives %s", text, error->message);
    }
    g_string_free(output, TRUE);
}

static void plain_values_keep_their_type(void **state G_GNUC_UNUSED)
{
    assert_json("true", "true");
    assert_json("false", "false");
    assert_json("7", "7");
    assert_json("-9007199254740993", "-9007199254740993");
    assert_json("math.mininteger", "-9223372036854775808");
    assert_json("0.5", "0.5");
    assert_json("7.0", "7.0");
    assert_json("'text'", "\"text\"");
    assert_json("''", "\"\"");
    assert_json("'\xc3\xa9 \"q\" \\\\ \\n'", "\"\xc3\xa9 \\\"q\\\" \\\\ \\n\"");
}

static void numbers_that_json_lacks_are_null(void **state G_GNUC_UNUSED)
{
    assert_json("0/0", "null");
    assert_json("1/0", "null");
    assert_json("{ -1/0, 1 }", "[null,1]");
}

static void lists_are_arrays_and_names_make_objects(void **state G_GNUC_UNUSED)
{
    assert_json("{ 1, 'two', false }", "[1,\"two\",false]");
    assert_json("{ one = 1 }", "{\"one\":1}");
    assert_json("{}", "{}");
    assert_json("{ {}, { {} } }", "[{},[{}]]");
}

static void names_are_in_order_whatever_the_table_does(void **state G_GNUC_UNUSED)
{
    assert_json("{ b = 1, a = 2, B = 3, ['1'] = 4, [''] = 5 }",
                "{\"\":5,\"1\":4,\"B\":3,\"a\":2,\"b\":1}");
}

static void tables_nest(void **state G_GNUC_UNUSED)
{
    assert_json("{ points = { { bytes = 32, rate = 0.25 }, { bytes = 64 } }, n = 2 }",
                "{\"n\":2,\"points\":[{\"bytes\":32,\"rate\":0.25},{\"bytes\":64}]}");
}

static void a_table_in_two_places_is_written_twice(void **state G_GNUC_UNUSED)
{
    assert_json("(function() local t = { 1 } return { t, t } end)()", "[[1],[1]]");
}

static void metatables_are_not_asked(void **state G_GNUC_UNUSED)
{
    assert_json("setmetatable({ a = 1 }, { __index = { b = 2 }, __len = function() "
                "return 9 end, __pairs = error })",
                "{\"a\":1}");
}

static void what_is_no_data_cannot_be_reported(void **state G_GNUC_UNUSED)
{
#define ONLY " cannot be reported, only numbers, strings, booleans and tables of them"
    assert_refused("json(nil)", "a nil" ONLY);
    assert_refused("json(print)", "a function" ONLY);
    assert_refused("json({ 1, { x = print } })", "a function" ONLY);
    assert_refused("json(coroutine.create(print))", "a thread" ONLY);
#undef ONLY
}

static void a_table_is_a_list_or_has_names(void **state G_GNUC_UNUSED)
{
#define BOTH "a reported table has keys 1..n or names, not both"
    assert_refused("json({ 1, x = 2 })", BOTH);
    assert_refused("json({ [0] = 1 })", BOTH);
    assert_refused("json({ 1, [0] = 1 })", BOTH);
    assert_refused("json({ 1, [1.5] = 1 })", BOTH);
    assert_refused("json({ [true] = 1 })", BOTH);
    assert_refused("json({ [1 << 40] = 1 })", BOTH);
    assert_refused("json({ x = 1, [{}] = 1 })", BOTH);
#undef BOTH
}

static void a_list_has_no_holes(void **state G_GNUC_UNUSED)
{
    assert_refused("json({ 1, nil, 3 })", "a reported list has no element 2");
}

static void texts_and_names_are_utf_8_without_nul(void **state G_GNUC_UNUSED)
{
    assert_refused("json('\\xff')", "a reported text is not UTF-8");
    assert_refused("json({ 'a\\0b' })", "a reported text is not UTF-8");
    assert_refused("json({ ['\\xe2'] = 1 })",
                   "a name in a reported table is not UTF-8");
    assert_refused("json({ ['a\\0b'] = 1 })",
                   "a name in a reported table is not UTF-8");
}

static void nesting_ends_at_32(void **state G_GNUC_UNUSED)
{
    assert_json(
        "(function() local t = 1 for i = 1, 32 do t = { t } end return #json(t) "
        "end)()",
        "65");
    assert_refused("local t = 1 for i = 1, 33 do t = { t } end json(t)",
                   "a reported table is nested more than 32 deep");
    assert_refused("local t = {} t[1] = t json(t)",
                   "a reported table is nested more than 32 deep");
}

/* Two to the power of 31 values in 31 tables. */
static void a_script_pays_for_what_it_reports(void **state G_GNUC_UNUSED)
{
    g_autoptr(GError) error = NULL;
    GString *output = g_string_new(NULL);

    assert_false(
        run("local t = 1 for i = 1, 31 do t = { t, t } end json(t)", output, &error));

    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_LIMIT));
    assert_true(
        g_str_has_prefix(error->message, "t.lua: memory limit of 64 MiB passed: "));
    g_string_free(output, TRUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_values_keep_their_type),
        cmocka_unit_test(numbers_that_json_lacks_are_null),
        cmocka_unit_test(lists_are_arrays_and_names_make_objects),
        cmocka_unit_test(names_are_in_order_whatever_the_table_does),
        cmocka_unit_test(tables_nest),
        cmocka_unit_test(a_table_in_two_places_is_written_twice),
        cmocka_unit_test(metatables_are_not_asked),
        cmocka_unit_test(what_is_no_data_cannot_be_reported),
        cmocka_unit_test(a_table_is_a_list_or_has_names),
        cmocka_unit_test(a_list_has_no_holes),
        cmocka_unit_test(texts_and_names_are_utf_8_without_nul),
        cmocka_unit_test(nesting_ends_at_32),
        cmocka_unit_test(a_script_pays_for_what_it_reports),
    };

    return cmocka_run_group_tests_name("workloads.json_value", tests, NULL, NULL);
}
