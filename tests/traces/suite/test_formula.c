/* Formulas over named numbers: what they are worth, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/error.h"
#include "traces/suite/formula.h"

typedef struct {
    const char *name;
    double value;
} Known;

/* A TraceFormulaFunc; `data` is a list of Known. */
static bool number_of(gpointer data, const char *name, double *value)
{
    for (const Known *known = data; known->name != NULL; known++) {
        if (g_str_equal(known->name, name)) {
            *value = known->value;
            return true;
        }
    }
    return false;
}

static bool compute(const char *text, double *value, GError **error)
{
    static const Known known[] = {{"a", 2}, {"a.b", 3}, {"_c1", 5}, {NULL, 0}};

    return trace_formula_value(text, number_of, (gpointer) known, value, error);
}

static void a_formula_has_a_value(void **state)
{
    (void) state;
    static const struct {
        const char *text;
        double value;
    } formulas[] = {
        {"a", 2},          {"a.b", 3},         {"a+a.b", 5},
        {" a - _c1 ", -3}, {"a-a.b-_c1", -6},  {"a+a.b*_c1", 17},
        {"(a+a.b)*5", 25}, {"8/a/a", 2},       {"8/(a/4)", 16},
        {"1e3*a", 2000},   {"2.5*(((a)))", 5}, {"755*994*a/1e3", 1500.94},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(formulas); i++) {
        g_autoptr(GError) error = NULL;
        double value = 0;

        assert_true(trace_formula_check(formulas[i].text, &error));
        assert_true(compute(formulas[i].text, &value, &error));
        assert_null(error);
        assert_true(value == formulas[i].value);
    }
}

static void what_is_no_formula_is_refused(void **state)
{
    (void) state;
    static const struct {
        const char *text;
        const char *message;
    } formulas[] = {
        {"", "expected a number, a name or ( at ''"},
        {"a+", "expected a number, a name or ( at ''"},
        {"-a", "expected a number, a name or ( at '-a'"},
        {"a b", "expected an operator or the end at 'b'"},
        {"a)", "expected an operator or the end at ')'"},
        {"(a", "expected ) or an operator at ''"},
        {"(a b)", "expected ) or an operator at 'b)'"},
        {"a*/b", "expected a number, a name or ( at '/b'"},
        {"1e999", "expected a finite number at '1e999'"},
        {"a+\n", "expected a number, a name or ( at '\\n'"},
        {"a+?89012345678901234567890",
         "expected a number, a name or ( at '?8901234567890123456'"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(formulas); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GError) again = NULL;
        double value = 7;

        assert_false(trace_formula_check(formulas[i].text, &error));
        assert_true(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_READ));
        assert_string_equal(error->message, formulas[i].message);
        assert_false(compute(formulas[i].text, &value, &again));
        assert_true(value == 7);
    }
}

static void a_value_that_is_none_is_refused(void **state)
{
    (void) state;
    static const struct {
        const char *text;
        const char *message;
    } formulas[] = {
        {"a/(a-2)", "a/(a-2) is no number"},
        {"a+nothing.x", "no number nothing.x"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(formulas); i++) {
        g_autoptr(GError) error = NULL;
        double value = 7;

        assert_true(trace_formula_check(formulas[i].text, NULL));
        assert_false(compute(formulas[i].text, &value, &error));
        assert_string_equal(error->message, formulas[i].message);
        assert_true(value == 7);
    }
}

static void brackets_nest_so_deep_and_no_deeper(void **state)
{
    (void) state;
    g_autofree char *open = g_strnfill(33, '(');
    g_autofree char *close = g_strnfill(33, ')');
    g_autofree char *deepest = g_strconcat(open + 1, "a", close + 1, NULL);
    g_autofree char *deeper = g_strconcat(open, "a", close, NULL);
    g_autofree char *wide = g_strconcat(deepest, "+", deepest, NULL);
    g_autoptr(GError) error = NULL;

    assert_true(trace_formula_check(deepest, NULL));
    assert_true(trace_formula_check(wide, NULL));
    assert_false(trace_formula_check(deeper, &error));
    assert_string_equal(
        error->message,
        "expected fewer brackets in brackets at 'a)))))))))))))))))))'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_formula_has_a_value),
        cmocka_unit_test(what_is_no_formula_is_refused),
        cmocka_unit_test(a_value_that_is_none_is_refused),
        cmocka_unit_test(brackets_nest_so_deep_and_no_deeper),
    };

    return cmocka_run_group_tests_name("traces.formula", tests, NULL, NULL);
}
