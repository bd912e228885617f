/* Goals of a front: two columns, and which way is better. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "tools/gridloom/sweep/show.h"

static TraceTable *new_table(void)
{
    static const char *const row[] = {"1", "n300", "2", "3"};
    TraceTable *table = trace_table_new("a sweep");

    trace_table_add_column(table, "run", TRACE_COLUMN_STATUS);
    trace_table_add_column(table, "system", TRACE_COLUMN_PARAMETER);
    trace_table_add_column(table, "seconds", TRACE_COLUMN_METRIC);
    trace_table_add_column(table, "rate", TRACE_COLUMN_METRIC);
    trace_table_add_row(table, row);
    return table;
}

static void a_sign_or_a_word_says_which_way(void **state)
{
    (void) state;
    static const struct {
        const char *text;
        TraceGoal goals[2];
    } rows[] = {
        {"seconds,rate", {{2, false}, {3, false}}},
        {"seconds,-rate", {{2, false}, {3, true}}},
        {"max:rate,min:seconds", {{3, true}, {2, false}}},
        {"-seconds,-rate", {{2, true}, {3, true}}},
    };
    g_autoptr(TraceTable) table = new_table();

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        TraceGoal goals[2];

        assert_true(cmd_sweep_goals_parse(rows[i].text, table, goals, NULL));
        for (guint k = 0; k < 2; k++) {
            assert_int_equal(goals[k].column, rows[i].goals[k].column);
            assert_int_equal(goals[k].is_maximum, rows[i].goals[k].is_maximum);
        }
    }
}

static void what_is_no_goal_is_refused(void **state)
{
    (void) state;
#define ALLOWED                                                                        \
    ", allowed is two columns A,B, of which less is better; -A or max:A where more "   \
    "of it is"
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"seconds", "--pareto = seconds" ALLOWED},
        {"seconds,", "--pareto = seconds," ALLOWED},
        {"seconds,rate,run", "--pareto = seconds,rate,run" ALLOWED},
        {"", "--pareto = (nothing)" ALLOWED},
        {"seconds,seconds", "--pareto = seconds,seconds, allowed is two different "
                            "columns"},
        {"seconds,-seconds", "--pareto = seconds,-seconds, allowed is two different "
                             "columns"},
        {"seconds,flops", "--pareto: flops is no column of the sweep, which has "
                          "seconds, rate"},
        {"seconds,system",
         "--pareto: system holds words, numbers are in seconds, rate"},
        {"seconds,run", "--pareto: run is no column of the sweep, which has seconds, "
                        "rate"},
    };
    g_autoptr(TraceTable) table = new_table();

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        TraceGoal goals[2];
        g_autoptr(GError) error = NULL;

        assert_false(cmd_sweep_goals_parse(rows[i].text, table, goals, &error));
        assert_string_equal(error->message, rows[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sign_or_a_word_says_which_way),
        cmocka_unit_test(what_is_no_goal_is_refused),
    };

    return cmocka_run_group_tests_name("tools.sweep_show", tests, NULL, NULL);
}
