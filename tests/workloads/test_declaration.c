/* Tests of what a script declares, through wl_script_load. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <lauxlib.h>

#include "tests/workloads/folder.h"
#include "workloads/error.h"
#include "workloads/script.h"
#include "workloads/script/entry.h"

#define RUN               " run = function() end }"
#define HEAD              "return { summary = 's', chips = { 'tensix' }, "
#define PARAMETER(fields) HEAD "parameters = { { " fields " } }," RUN
#define BOTH              "return { summary = 's', chips = { 'tensix', 'wse' }, parameters = { "
#define LABEL                                                                          \
    "{ name = 'label', type = 'text', default = '', chips = { 'wse' }, help = 'h' }, "

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
    "'x y' and p.extrapolate == true and p.grain == 'auto' and p.unattributed == true) "
    "return host + 1 end }";

static WlScript *load(Folder *folder, const char *text, GError **error)
{
    WlSandboxConfig config = wl_sandbox_config_default();
    config.steps = 10000000;
    return wl_script_load(folder_write(folder, "vecadd.lua", text, -1), &config, error);
}

static void assert_refused(const char *text, const char *message)
{
    g_auto(Folder) folder = folder_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(WlScript) script = load(&folder, text, &error);
    g_autofree char *expected =
        g_strdup_printf("%s/vecadd.lua: %s", folder.path, message);

    assert_null(script);
    assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_SYNTAX));
    assert_string_equal(error->message, expected);
}

static void a_script_tells_what_it_is(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(&folder, complete, NULL);

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
    g_autoptr(WlScript) script = load(&folder, complete, NULL);
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
        {"unattributed", WL_PARAM_SWITCH, "on"},
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

/* Lua function: calls run(41, p) of the script given as light userdata. */
static int call_run(lua_State *L)
{
    WlScript *script = lua_touserdata(L, 1);
    script_push_run(script, L);
    lua_pushinteger(L, 41);
    script_push_values(script, L);
    lua_call(L, 2, 1);
    return 1;
}

/* The script's run() finds its values right, and returns 42. */
static void assert_run(WlScript *script)
{
    g_autoptr(GError) error = NULL;
    lua_State *L = sandbox_state(script_sandbox(script));
    lua_pushcfunction(L, call_run);
    lua_pushlightuserdata(L, script);
    bool is_done = sandbox_call(L, 1, 1, &error);

    if (!is_done) {
        fail_msg("%s", error->message);
    }
    assert_int_equal(lua_tointeger(L, -1), 42);
}

static void run_gets_the_values_that_were_set(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(&folder, complete, NULL);
    assert_true(wl_script_set(script, "tiles=3", NULL));
    assert_true(wl_script_set(script, "dtype=fp32", NULL));
    assert_true(wl_script_set(script, "halo=off", NULL));
    assert_true(wl_script_set(script, "tolerance=0.25", NULL));
    assert_true(wl_script_set(script, "label=x y", NULL));

    assert_run(script);
}

static void a_wrong_word_names_the_script(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(&folder, complete, NULL);
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
    assert_refused("local x = 1",
                   "the script returns no declaration, but a nil; " EXPECTED);
    assert_refused("return 'x'",
                   "the script returns no declaration, but a string; " EXPECTED);
#undef EXPECTED
}

static void missing_and_unknown_fields_are_named(void **state)
{
    (void) state;
    assert_refused("return { chips = { 'wse' }, parameters = {}," RUN,
                   "summary is missing, expected a string");
    assert_refused("return { summary = 's', parameters = {}," RUN,
                   "chips is missing, expected a list of strings");
    assert_refused(HEAD RUN, "parameters is not a list of tables");
    assert_refused(HEAD "parameters = {} }", "run is not a function");
    assert_refused(
        HEAD "parameters = {}, zz = 1, sumary = 1, [3] = 1," RUN,
        "unknown field 'sumary'; known: summary, chips, parameters, run, kernels");
    assert_refused(
        HEAD "parameters = {}, 5," RUN,
        "unknown field [1]; known: summary, chips, parameters, run, kernels");
}

static void wrong_types_at_the_top_are_named(void **state)
{
    (void) state;
    assert_refused("return { summary = 5, chips = { 'wse' }, parameters = {}," RUN,
                   "summary is a number, expected a string");
    assert_refused(
        "return { summary = 'a\\nb', chips = { 'wse' }, parameters = {}," RUN,
        "summary must be one line of text");
    assert_refused("return { summary = 's\\0', chips = { 'wse' }, parameters = {}," RUN,
                   "summary contains a NUL");
    assert_refused("return { summary = 's', chips = {}, parameters = {}," RUN,
                   "chips is empty, expected tensix, wse or both");
    assert_refused("return { summary = 's', chips = { 'gpu' }, parameters = {}," RUN,
                   "chips[1] = 'gpu', expected tensix or wse");
    assert_refused(
        "return { summary = 's', chips = { 'wse', 'wse' }, parameters = {}," RUN,
        "chips[2] = 'wse' is there twice");
    assert_refused("return { summary = 's', chips = { 'wse', 1 }, parameters = {}," RUN,
                   "chips[2] is not a string");
    assert_refused(HEAD "parameters = { { }, x = 1 }," RUN,
                   "parameters is not a plain list");
    assert_refused(HEAD "parameters = { 5 }," RUN, "parameters[1]: is not a table");
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
         "choices: unknown field 'k'; known: tensix, wse"},
        {PARAMETER("name = 'a', type = 'text', default = '', choices = {}, help = 'h'"),
         "choices is for the type choice"},
        {PARAMETER("name = 'a', type = 'text', default = '', help = 'h', hepl = 'h'"),
         "unknown field 'hepl'; known: name, type, default, min, max, choices, chips, "
         "help"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *message =
            g_strconcat("parameters[1]: ", rows[i].message, NULL);
        assert_refused(rows[i].text, message);
    }
}

static void a_name_is_declared_only_once(void **state)
{
    (void) state;
    assert_refused(
        HEAD "parameters = { { name = 'a', type = 'text', default = '', help = "
             "'h' }, { name = 'a', type = 'text', default = '', help = 'h' } }," RUN,
        "parameters[2]: name = 'a' is declared twice");
}

static const char by_family[] = BOTH
    "{ name = 'nx', type = 'integer', default = { tensix = 0, wse = 20 },\n"
    " min = { tensix = 0, wse = 1 }, max = 4096, help = 'x' },\n"
    "{ name = 'dtype', type = 'choice', default = { tensix = 'bf16', wse = 'fp32' },\n"
    " choices = { tensix = { 'bf16', 'fp32' }, wse = { 'fp32', 'fp16' } }, help = 'd' "
    "},\n"
    "{ name = 'rows', type = 'integer', default = 7, chips = { 'tensix' }, help = 'r' "
    "},\n"
    "{ name = 'pattern', type = 'text', default = '', chips = { 'wse' }, help = 'p' "
    "},\n"
    "{ name = 'tune', type = 'switch', default = true, chips = { 'tensix' }, help = "
    "'t' "
    "},\n"
    "{ name = 'tune', type = 'number', default = 0.5, chips = { 'wse' }, help = 't' } "
    "},\n"
    "run = function(n, p) assert(n == 41 and p.nx == 20 and p.dtype == 'fp16')\n"
    " assert(p.rows == nil and p.pattern == '' and p.tune == 0.5) return 42 end }";

/* The names of the chosen family's own parameters with their defaults. */
static char *own_parameters(const WlScript *script)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < wl_script_param_count(script) - 4; i++) {
        const WlParam *param = wl_script_param(script, i);
        g_string_append_printf(text, "%s=%s ", param->name, param->default_text);
    }
    return g_string_free(text, FALSE);
}

static void each_family_has_its_own_parameters(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(&folder, by_family, NULL);

    assert_string_equal(wl_script_family(script), "tensix");
    g_autofree char *tensix = own_parameters(script);
    assert_true(wl_script_choose_family(script, "wse"));
    assert_string_equal(wl_script_family(script), "wse");
    g_autofree char *wse = own_parameters(script);
    assert_false(wl_script_choose_family(script, "gpu"));
    assert_string_equal(wl_script_family(script), "wse");

    assert_string_equal(tensix, "nx=0 dtype=bf16 rows=7 tune=on ");
    assert_string_equal(wse, "nx=20 dtype=fp32 pattern= tune=0.5 ");
    assert_true(wl_script_param(script, 0)->minimum == 1);
    assert_string_equal(wl_script_param(script, 1)->choices[1], "fp16");
    assert_string_equal(wl_script_param(script, 4)->name, "grain");
}

static void words_are_those_of_the_chosen_family(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(&folder, by_family, NULL);
    static const struct {
        const char *family;
        const char *word;
        const char *message;
    } rows[] = {
        {"tensix", "dtype=fp16",
         "vecadd on tensix: dtype = fp16, expected one of bf16, fp32"},
        {"tensix", "pattern=x", "vecadd on tensix: pattern exists on wse only"},
        {"tensix", "pattern", "vecadd on tensix: pattern exists on wse only"},
        {"wse", "dtype=bf16",
         "vecadd on wse: dtype = bf16, expected one of fp32, fp16"},
        {"wse", "nx=0", "vecadd on wse: nx = 0, expected an integer in 1..4096"},
        {"wse", "rows=3", "vecadd on wse: rows exists on tensix only"},
        {"wse", "row=3",
         "vecadd on wse: no parameter 'row'; known: nx, dtype, pattern, tune, grain, "
         "arithmetic, extrapolate, unattributed"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        assert_true(wl_script_choose_family(script, rows[i].family));
        assert_false(wl_script_set(script, rows[i].word, &error));
        assert_string_equal(error->message, rows[i].message);
        assert_true(g_error_matches(error, WL_ERROR, WL_ERROR_KEY));
    }
}

static void run_gets_the_values_of_the_chosen_family(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(&folder, by_family, NULL);
    assert_true(wl_script_choose_family(script, "wse"));
    assert_true(wl_script_set(script, "dtype=fp16", NULL));

    assert_run(script);
}

static void a_family_that_the_script_does_not_run_on_may_be_there(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(
        &folder,
        HEAD
        "parameters = { { name = 'a', type = 'integer', default = { tensix = 1, "
        "wse = 2 }, help = 'h' }, { name = 'b', type = 'text', default = '', chips "
        "= { 'wse' }, help = 'h' } }," RUN,
        NULL);
    g_autofree char *own = own_parameters(script);

    assert_string_equal(own, "a=1 ");
}

static void malformed_tables_by_family_are_named_with_their_place(void **state)
{
    (void) state;
    static const struct {
        const char *fields;
        const char *message;
    } rows[] = {
        {"type = 'integer', default = { tensix = 1, wsee = 2 }",
         "default: unknown field 'wsee'; known: tensix, wse"},
        {"type = 'integer', default = { [7] = 1 }",
         "default: unknown field [7]; known: tensix, wse"},
        {"type = 'integer', default = { tensix = 1 }", "default is missing for wse"},
        {"type = 'integer', default = 1, min = { wse = 1 }",
         "min is missing for tensix"},
        {"type = 'integer', default = 1, max = { tensix = 1 }",
         "max is missing for wse"},
        {"type = 'integer', default = { 1, wse = 2 }",
         "default mixes a list with keys, expected a list or default = { tensix = ..., "
         "wse = ... }"},
        {"type = 'choice', default = 'a', choices = { 'a', wse = { 'a' } }",
         "choices mixes a list with keys, expected a list or choices = { tensix = ..., "
         "wse = ... }"},
        {"type = 'integer', default = { 1, 2 }", "default is not an integer"},
        {"type = 'integer', default = {}", "default is not an integer"},
        {"type = 'integer', default = { tensix = 1, wse = 'x' }",
         "on wse: default is not an integer"},
        {"type = 'integer', default = { tensix = 1, wse = { wse = 2 } }",
         "on wse: default is not an integer"},
        {"type = 'integer', default = { tensix = 1, wse = 0 }, min = 1",
         "on wse: default = 0, expected an integer of at least 1"},
        {"type = 'integer', default = 1, min = { tensix = 0, wse = 9 }, max = 8",
         "on wse: min is greater than max"},
        {"type = 'choice', default = 'a', choices = { tensix = { 'a' }, wse = 'a' }",
         "on wse: choices is a string, expected a list of strings"},
        {"type = 'choice', default = 'a', choices = { tensix = { 'a' }, wse = { 1 } }",
         "on wse: choices[1] is not a string"},
        {"type = 'choice', default = 'a', choices = { tensix = { 'a' }, wse = { 'b' } "
         "}",
         "on wse: default = a, expected one of b"},
        {"type = 'text', default = '', chips = { 'gpu' }",
         "chips[1] = 'gpu', expected tensix or wse"},
        {"type = 'text', default = '', chips = {}",
         "chips is empty, expected tensix, wse or both"},
        {"type = 'text', default = '', chips = 'wse'",
         "chips is a string, expected a list of strings"},
        {"type = 'text', default = '', chips = { tensix = true }",
         "chips is not a plain list"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strconcat(BOTH LABEL "{ name = 'a', help = 'h', ",
                                            rows[i].fields, " } }," RUN, NULL);
        g_autofree char *message =
            g_strconcat("parameters[2]: ", rows[i].message, NULL);
        assert_refused(text, message);
    }
}

static void a_word_of_all_scripts_keeps_its_meaning_on_each_family(void **state)
{
    (void) state;
    assert_refused(
        BOTH "{ name = 'grain', type = 'text', default = '', chips = { 'wse' }, help = "
             "'h' } }," RUN,
        "parameters: every script accepts grain = one of auto, wavelet, stream; "
        "declare "
        "it with the same type and no other choices");
}

static void exact_floats_are_integers_too(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = load(
        &folder, PARAMETER("name = 'a', type = 'integer', default = 1e3, help = 'h'"),
        NULL);

    assert_string_equal(wl_script_param(script, 0)->default_text, "1000");
}

static void reading_a_declaration_runs_nothing_of_the_script(void **state)
{
    (void) state;
    assert_refused("return setmetatable({}, { __index = function() error('ran') end })",
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

    assert_null(load(&folder, "\nreturn return", &malformed));
    assert_null(load(&folder, "\n\nerror('no')", &raising));
    assert_null(load(&folder, "while true do end", &endless));
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
        cmocka_unit_test(each_family_has_its_own_parameters),
        cmocka_unit_test(words_are_those_of_the_chosen_family),
        cmocka_unit_test(run_gets_the_values_of_the_chosen_family),
        cmocka_unit_test(a_family_that_the_script_does_not_run_on_may_be_there),
        cmocka_unit_test(malformed_tables_by_family_are_named_with_their_place),
        cmocka_unit_test(a_word_of_all_scripts_keeps_its_meaning_on_each_family),
        cmocka_unit_test(exact_floats_are_integers_too),
        cmocka_unit_test(reading_a_declaration_runs_nothing_of_the_script),
        cmocka_unit_test(scripts_that_cannot_be_loaded_say_why),
    };
    return cmocka_run_group_tests_name("workloads.declaration", tests, NULL, NULL);
}
