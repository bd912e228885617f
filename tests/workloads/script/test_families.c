/* Tests of parameters that families of chips have of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/workloads/declared.h"
#include "workloads/script_rows.h"

#define BOTH "return { summary = 's', chips = { 'tensix', 'wse' }, parameters = { "
#define LABEL                                                                          \
    "{ name = 'label', type = 'text', default = '', chips = { 'wse' }, help = 'h' }, "

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
    g_autoptr(WlScript) script = declared_load(&folder, by_family, NULL);

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
    g_autoptr(WlScript) script = declared_load(&folder, by_family, NULL);
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

static void rows_are_of_families_that_have_the_same(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = declared_load(&folder, by_family, NULL);
    g_autoptr(GArray) rows = wl_script_rows(script);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < rows->len; i++) {
        const WlScriptRow *row = &g_array_index(rows, WlScriptRow, i);

        g_string_append_printf(text, "%s %s %s; ", row->param->name, row->allowed,
                               row->families);
    }
    assert_true(g_str_has_prefix(
        text->str, "nx 0..4096 tensix; nx 1..4096 wse; dtype bf16|fp32 tensix; "
                   "dtype fp32|fp16 wse; rows number tensix; pattern text wse; "
                   "tune on|off tensix; tune number wse; grain "));
    assert_true(g_str_has_suffix(text->str, "unattributed on|off both; "));
}

static void run_gets_the_values_of_the_chosen_family(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = declared_load(&folder, by_family, NULL);
    assert_true(wl_script_choose_family(script, "wse"));
    assert_true(wl_script_set(script, "dtype=fp16", NULL));

    assert_run_is_right(script);
}

static void a_family_that_the_script_does_not_run_on_may_be_there(void **state)
{
    (void) state;
    g_auto(Folder) folder = folder_new();
    g_autoptr(WlScript) script = declared_load(
        &folder,
        "return { summary = 's', chips = { 'tensix' }, parameters = { { name = 'a', "
        "type = 'integer', default = { tensix = 1, "
        "wse = 2 }, help = 'h' }, { name = 'b', type = 'text', default = '', chips "
        "= { 'wse' }, help = 'h' } }," DECLARED_RUN,
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
         "default: unknown field 'wsee'; known: nero, tensix, wse"},
        {"type = 'integer', default = { [7] = 1 }",
         "default: unknown field [7]; known: nero, tensix, wse"},
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
         "chips[1] = 'gpu', expected nero, tensix or wse"},
        {"type = 'text', default = '', chips = {}",
         "chips is empty, expected some of nero, tensix, wse"},
        {"type = 'text', default = '', chips = 'wse'",
         "chips is a string, expected a list of strings"},
        {"type = 'text', default = '', chips = { tensix = true }",
         "chips is not a plain list"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *text = g_strconcat(BOTH LABEL "{ name = 'a', help = 'h', ",
                                            rows[i].fields, " } }," DECLARED_RUN, NULL);
        g_autofree char *message =
            g_strconcat("parameters[2]: ", rows[i].message, NULL);
        assert_declaration_refused(text, message);
    }
}

static void a_word_of_all_scripts_keeps_its_meaning_on_each_family(void **state)
{
    (void) state;
    assert_declaration_refused(
        BOTH "{ name = 'grain', type = 'text', default = '', chips = { 'wse' }, help = "
             "'h' } }," DECLARED_RUN,
        "parameters: every script accepts grain = one of auto, wavelet, stream; "
        "declare "
        "it with the same type and no other choices");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_family_has_its_own_parameters),
        cmocka_unit_test(words_are_those_of_the_chosen_family),
        cmocka_unit_test(rows_are_of_families_that_have_the_same),
        cmocka_unit_test(run_gets_the_values_of_the_chosen_family),
        cmocka_unit_test(a_family_that_the_script_does_not_run_on_may_be_there),
        cmocka_unit_test(malformed_tables_by_family_are_named_with_their_place),
        cmocka_unit_test(a_word_of_all_scripts_keeps_its_meaning_on_each_family),
    };
    return cmocka_run_group_tests_name("workloads.families", tests, NULL, NULL);
}
