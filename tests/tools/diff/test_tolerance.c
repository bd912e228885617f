/* Tolerances as users give them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/diff/tolerance.h"

static void without_tolerances_nothing_may_differ(void **state)
{
    g_autoptr(DiffTolerances) none = diff_tolerances_read(NULL, NULL);

    (void) state;
    assert_true(diff_tolerances_find(none, "cycles") == 0);
    assert_null(diff_tolerances_unused(none));
}

static void the_last_that_fits_counts(void **state)
{
    static const struct {
        const char *name;
        double value;
    } rows[] = {
        {"cycles", 0.02},
        {"cycles_per_iteration", 0.5},
        {"busy.math", 0.25},
        {"busy", 0.25},
        {"busyness", 0.5},
        {"zones.dot", INFINITY},
        {"metrics.history[3]", 0.125},
        {"metrics.history[3].deep", 0.125},
        {"metrics.historical", 0.5},
        {"trace.core.math.add.cycles", 0.75},
        {"trace.core.math.add.count", 0.5},
    };
    const char *const texts[] = {"cycles=7",
                                 "50%",
                                 "cycles=0.02",
                                 "busy=25 %",
                                 "zones.*=inf",
                                 "metrics.history=0.125",
                                 "trace.*.cycles=0.75",
                                 NULL};
    g_autoptr(DiffTolerances) read = diff_tolerances_read(texts, NULL);

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_true(diff_tolerances_find(read, rows[i].name) == rows[i].value);
    }
    assert_null(diff_tolerances_unused(read));
}

static void names_that_no_number_has_are_told(void **state)
{
    const char *const texts[] = {"0.5", "cycles=0.02", "cyles=0.02", NULL};
    g_autoptr(DiffTolerances) read = diff_tolerances_read(texts, NULL);

    (void) state;
    (void) diff_tolerances_find(read, "cycles");
    assert_string_equal(diff_tolerances_unused(read), "cyles");
}

static void other_texts_are_refused(void **state)
{
    const char *const texts[] = {
        "",          "x", "-1",    "cycles=", "=1",       "cycles=x", "1%%",     "nan",
        "cycles=-1", "%", "1e999", "-inf",    "cycles=%", "1 2",      "infinity"};

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        const char *const one[] = {texts[i], NULL};
        g_autoptr(GError) error = NULL;

        assert_null(diff_tolerances_read(one, &error));
        assert_true(g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_tolerances_nothing_may_differ),
        cmocka_unit_test(the_last_that_fits_counts),
        cmocka_unit_test(names_that_no_number_has_are_told),
        cmocka_unit_test(other_texts_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
