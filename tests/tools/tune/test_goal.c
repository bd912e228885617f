/* Goals as users give them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/tune/options.h"

static void goals_are_names_or_formulas(void **state)
{
    static const struct {
        const char *text;
        const char *formulas[2];
        bool is_maximum[2];
    } rows[] = {
        {"performance,resources",
         {"metrics.gflops", "metrics.resource_percent"},
         {true, false}},
        {"energy,uram",
         {"metrics.gflops_per_watt", "metrics.resources.URAM"},
         {true, false}},
        {"seconds,max:metrics.a/metrics.b",
         {"seconds", "metrics.a/metrics.b"},
         {false, true}},
        {"min:seconds*2,dsp", {"seconds*2", "metrics.resources.DSP"}, {false, false}},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        WlTuneGoal read[2] = {{0}};

        assert_true(tune_goals_parse(read, rows[i].text, NULL));
        for (guint k = 0; k < 2; k++) {
            assert_string_equal(read[k].formula, rows[i].formulas[k]);
            assert_int_equal(read[k].is_maximum, rows[i].is_maximum[k]);
        }
        tune_goals_clear(read);
    }
}

static void what_is_no_goal_is_refused(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } rows[] = {
        {"performance", "--objective = performance, allowed is two of performance, "},
        {"performance,speed", "--objective = speed, allowed is two of performance, "},
        {"performance,resources,dsp", "--objective = performance,resources,dsp, "},
        {"performance,min:", "--objective min:: "},
        {"performance,max:a+", "--objective max:a+: "},
        {"seconds,min:seconds",
         "--objective = seconds,min:seconds, allowed is two different numbers"},
        {"", "--objective = (nothing), allowed is two of performance, "},
    };

    (void) state;
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        WlTuneGoal read[2] = {{0}};
        g_autoptr(GError) error = NULL;

        assert_false(tune_goals_parse(read, rows[i].text, &error));
        assert_true(g_str_has_prefix(error->message, rows[i].says));
        tune_goals_clear(read);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goals_are_names_or_formulas),
        cmocka_unit_test(what_is_no_goal_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
