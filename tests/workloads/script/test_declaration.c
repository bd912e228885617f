/* Tests of what a script declares, through wl_script_load. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/workloads/declared.h"

#define HEAD              "return { summary = 's', chips = { 'tensix' }, "
#define PARAMETER(fields) HEAD "parameters = { { " fields " } }," DECLARED_RUN

static const char complete[] =
    "return { summary = 'adds vectors', chips = { 'tensix', 'wse' }, parameters = {\n"
    "{ name = 'tiles', type = 'integer', default = 64, min = 1, max = 164, help = 't' "
    "},\n"
    "{ name = 'dtype', type = 'choice', default = 'bf16', choices = { 'bf16', 'fp32' },"
    " help = 'd' },\n"
    "{ name = 'halo', type = 'switch', default = true, help = 'h' },\n"
    "{ name = 'tolerance', type = 'number', default = 1e-6, min = 0, max = 1, help = "
    "'t' "
    "},\n"
    "{ name = 'label', type = 'text', default = '', help = 'l' },\n"
    "{ name = 'extrapolate', type = 'switch', default = true, help = 'e' } },\n"
    "run = function(host, p) assert(p.tiles == 3 and math.type(p.tiles) == 'integer') "
    "assert(p.dtype == 'fp32' and p.halo == false and p.tolerance == 0.25 and p.label "
    "== "
    "'x y' and p.extrapolate == true and p.grain == 'auto' and p.unattributed == "
    "false) "
    "return host + 1 end }";

static void a_script_tells_what_it_is(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = declared_load(&folder, complete, NULL);

    assert_non_null(script);
    assert_string_equal(wl_script_name(script), "vecadd");
    assert_true(g_str_has_suffix(wl_script_path(script), "/vecadd.lua"));
    assert_string_equal(wl_script_summary(script), "adds vectors");
    assert_string_equal(wl_script_families(script)[1], "wse");
    assert_null(wl_script_families(script)[2]);
}

static void parameters_keep_their_order_and_common_words_follow(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = declared_load(&folder, complete, NULL);
    static const struct {
        const char *name;
        WlParamType type;
        const char *default_text;
    } rows[] = {
        {"tiles", WL_PARAM_INTEGER, "64"},
        {"dtype", WL_PARAM_CHOICE, "bf16"},
        {"halo", WL_PARAM_SWITCH, "on"},
        {"tolerance", WL_PARAM_NUMBER, "1e-06"},
        {"label", WL_PARAM_TEXT, ""},
        {"extrapolate", WL_PARAM_SWITCH, "on"},
        {"grain", WL_PARAM_CHOICE, "auto"},
        {"arithmetic", WL_PARAM_CHOICE, "chip"},
        {"unattributed", WL_PARAM_SWITCH, "off"},
    };

    assert_int_equal(wl_script_param_count(script), G_N_ELEMENTS(rows));
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const WlParam *param = wl_script_param(script, i);
        assert_string_equal(param->name, rows[i].name);
        assert_int_equal(param->type, rows[i].type);
        assert_string_equal(param->default_text, rows[i].default_text);
        assert_string_equal(param->value_text, rows[i].default_text);
    }
}

static void run_gets_the_values_that_were_set(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = declared_load(&folder, complete, NULL);
    assert_true(wl_script_set(script, "tiles=3", NULL));
    assert_true(wl_script_set(script, "dtype=fp32", NULL));
    assert_true(wl_script_set(script, "halo=off", NULL));
    assert_true(wl_script_set(script, "tolerance=0.25", NULL));
    assert_true(wl_script_set(script, "label=x y", NULL));

    assert_run_is_right(script);
}

static void a_wrong_word_names_the_script(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = declared_load(&folder, complete, NULL);
    g_autoptr(GError) error = NULL;

    assert_false(wl_script_set(script, "tiles=900", &error));

    assert_string_equal(error->message,
                        "vecadd on tensix: tiles = 900, expected an integer in 1..164");
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_KEY));
}

static void a_script_without_a_declaration_is_refused(void **state)
{
    (void) state;
#define EXPECTED                                                                       \
    "expected return { summary = ..., chips = ..., parameters = ..., run = ... }"
    assert_declaration_refused(
        "local x = 1", "the script returns no declaration, but a nil; " EXPECTED);
    assert_declaration_refused(
        "return 'x'", "the script returns no declaration, but a string; " EXPECTED);
#undef EXPECTED
}

static void missing_and_unknown_fields_are_named(void **state)
{
    (void) state;
    assert_declaration_refused(
        "return { chips = { 'wse' }, parameters = {}," DECLARED_RUN,
        "summary is missing, expected a string");
    assert_declaration_refused("return { summary = 's', parameters = {}," DECLARED_RUN,
                               "chips is missing, expected a list of strings");
    assert_declaration_refused(HEAD DECLARED_RUN, "parameters is not a list of tables");
    assert_declaration_refused(HEAD "parameters = {} }", "run is not a function");
    assert_declaration_refused(
        HEAD "parameters = {}, zz = 1, sumary = 1, [3] = 1," DECLARED_RUN,
        "unknown field 'sumary'; known: summary, chips, parameters, run, kernels, "
        "inputs, outputs");
    assert_declaration_refused(HEAD "parameters = {}, 5," DECLARED_RUN,
                               "unknown field [1]; known: summary, chips, parameters, "
                               "run, kernels, inputs, outputs");
}

static void wrong_types_at_the_top_are_named(void **state)
{
    (void) state;
    assert_declaration_refused(
        "return { summary = 5, chips = { 'wse' }, parameters = {}," DECLARED_RUN,
        "summary is a number, expected a string");
    assert_declaration_refused(
        "return { summary = 'a\\nb', chips = { 'wse' }, parameters = {}," DECLARED_RUN,
        "summary must be one line of text");
    assert_declaration_refused(
        "return { summary = 's\\0', chips = { 'wse' }, parameters = {}," DECLARED_RUN,
        "summary contains a NUL");
    assert_declaration_refused(
        "return { summary = 's', chips = {}, parameters = {}," DECLARED_RUN,
        "chips is empty, expected some of nero, tensix, wse");
    assert_declaration_refused(
        "return { summary = 's', chips = { 'gpu' }, parameters = {}," DECLARED_RUN,
        "chips[1] = 'gpu', expected nero, tensix or wse");
    assert_declaration_refused("return { summary = 's', chips = { 'wse', 'wse' }, "
                               "parameters = {}," DECLARED_RUN,
                               "chips[2] = 'wse' is there twice");
    assert_declaration_refused(
        "return { summary = 's', chips = { 'wse', 1 }, parameters = {}," DECLARED_RUN,
        "chips[2] is not a string");
    assert_declaration_refused(HEAD "parameters = { { }, x = 1 }," DECLARED_RUN,
                               "parameters is not a plain list");
    assert_declaration_refused(HEAD "parameters = { 5 }," DECLARED_RUN,
                               "parameters[1]: is not a table");
}

static void malformed_parameters_are_named_with_their_place(void **state)
{
    (void) state;
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {PARAMETER("type = 'text', default = '', help = 'h'"),
         "name is missing, expected a string"},
        {PARAMETER("name = 'a', default = '', help = 'h'"),
         "type is missing, expected a string"},
        {PARAMETER("name = 'a', type = 'text', help = 'h'"),
         "default is missing, expected a string"},
        {PARAMETER("name = 'a', type = 'text', default = ''"),
         "help is missing, expected a string"},
        {PARAMETER("name = 'a b', type = 'text', default = '', help = 'h'"),
         "name = 'a b', expected letters, digits and '_' (at most 64), not a digit "
         "first"},
        {PARAMETER("name = 'a', type = 'float', default = '', help = 'h'"),
         "type = 'float', expected one of integer, number, text, switch, choice"},
        {PARAMETER("name = 'a', type = 'integer', default = '5', help = 'h'"),
         "default is not an integer"},
        {PARAMETER("name = 'a', type = 'integer', default = 1.5, help = 'h'"),
         "default is not an integer"},
        {PARAMETER("name = 'a', type = 'integer', default = 9, max = 8, help = 'h'"),
         "default = 9, expected an integer of at most 8"},
        {PARAMETER("name = 'a', type = 'number', default = 0/0, help = 'h'"),
         "default = nan, expected a number"},
        {PARAMETER("name = 'a', type = 'number', default = 0, min = 1/0, help = 'h'"),
         "min and max must be finite"},
        {PARAMETER("name = 'a', type = 'number', default = 0, min = 'x', help = 'h'"),
         "min is not a number"},
        {PARAMETER("name = 'a', type = 'text', default = '', min = 1, help = 'h'"),
         "min is for integers and numbers"},
        {PARAMETER("name = 'a', type = 'switch', default = 'on', help = 'h'"),
         "default is not true or false"},
        {PARAMETER("name = 'a', type = 'choice', default = 'x', help = 'h'"),
         "choices is missing, expected a list of strings"},
        {PARAMETER("name = 'a', type = 'choice', default = 'x', choices = { 'y' }, "
                   "help = 'h'"),
         "default = x, expected one of y"},
        {PARAMETER("name = 'a', type = 'choice', default = 'x', choices = { k = 'y' }, "
                   "help = 'h'"),
         "choices: unknown field 'k'; known: nero, tensix, wse"},
        {PARAMETER("name = 'a', type = 'text', default = '', choices = {}, help = 'h'"),
         "choices is for the type choice"},
        {PARAMETER("name = 'a', type = 'text', default = '', help = 'h', hepl = 'h'"),
         "unknown field 'hepl'; known: name, type, default, min, max, choices, chips, "
         "help"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *message =
            g_strconcat("parameters[1]: ", rows[i].message, NULL);
        assert_declaration_refused(rows[i].text, message);
    }
}

static void a_name_is_declared_only_once(void **state)
{
    (void) state;
    assert_declaration_refused(
        HEAD "parameters = { { name = 'a', type = 'text', default = '', help = "
             "'h' }, { name = 'a', type = 'text', default = '', help = 'h' } "
             "}," DECLARED_RUN,
        "parameters[2]: name = 'a' is declared twice");
}

static void exact_floats_are_integers_too(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = declared_load(
        &folder, PARAMETER("name = 'a', type = 'integer', default = 1e3, help = 'h'"),
        NULL);

    assert_string_equal(wl_script_param(script, 0)->default_text, "1000");
}

static void reading_a_declaration_runs_nothing_of_the_script(void **state)
{
    (void) state;
    assert_declaration_refused(
        "return setmetatable({}, { __index = function() error('ran') end })",
        "summary is missing, expected a string");
}

static void scripts_that_cannot_be_loaded_say_why(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(GError) malformed = NULL;
    g_autoptr(GError) raising = NULL;
    g_autoptr(GError) endless = NULL;
    g_autoptr(GError) missing = NULL;
    WlSandboxConfig config = wl_sandbox_config_default();

    assert_null(declared_load(&folder, "\nreturn return", &malformed));
    assert_null(declared_load(&folder, "\n\nerror('no')", &raising));
    assert_null(declared_load(&folder, "while true do end", &endless));
    assert_null(wl_script_load("no/such.lua", &config, &missing));

    assert_true(g_error_matches(malformed, WL_ERROR, WL_ERROR_SYNTAX));
    assert_non_null(strstr(malformed->message, "vecadd.lua:2: "));
    assert_true(g_error_matches(raising, WL_ERROR, WL_ERROR_RUNTIME));
    assert_non_null(strstr(raising->message, "vecadd.lua:3: no\n"));
    assert_true(g_error_matches(endless, WL_ERROR, WL_ERROR_LIMIT));
    assert_string_equal(missing->message, "no/such.lua: No such file or directory");
    assert_true(g_error_matches(missing, WL_ERROR, WL_ERROR_SYNTAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_script_tells_what_it_is),
        cmocka_unit_test(parameters_keep_their_order_and_common_words_follow),
        cmocka_unit_test(run_gets_the_values_that_were_set),
        cmocka_unit_test(a_wrong_word_names_the_script),
        cmocka_unit_test(a_script_without_a_declaration_is_refused),
        cmocka_unit_test(missing_and_unknown_fields_are_named),
        cmocka_unit_test(wrong_types_at_the_top_are_named),
        cmocka_unit_test(malformed_parameters_are_named_with_their_place),
        cmocka_unit_test(a_name_is_declared_only_once),
        cmocka_unit_test(exact_floats_are_integers_too),
        cmocka_unit_test(reading_a_declaration_runs_nothing_of_the_script),
        cmocka_unit_test(scripts_that_cannot_be_loaded_say_why),
    };
    return cmocka_run_group_tests_name("workloads.declaration", tests, NULL, NULL);
}
