/* Goals of a front, and the front in letters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/picture/table_plot.h"

static void the_front_has_a_line_for_each_run(void **state)
{
    (void) state;
    static const char *const rows[][4] = {{"4", "n300", "9", "0.5"},
                                          {"16", "n300", "8", "0.25"},
                                          {"8", "n300", "9", "0.5"}};
    g_autoptr(TraceTable) table = trace_table_new("a sweep");
    TraceGoal goals[2];
    g_autofree char *text = NULL;

    trace_table_add_column(table, "tiles", TRACE_COLUMN_PARAMETER);
    trace_table_add_column(table, "system", TRACE_COLUMN_PARAMETER);
    trace_table_add_column(table, "hops", TRACE_COLUMN_PARAMETER);
    trace_table_add_column(table, "seconds", TRACE_COLUMN_METRIC);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        trace_table_add_row(table, rows[i]);
    }
    assert_true(trace_goal_read("min:tiles", table, &goals[0], NULL));
    assert_true(trace_goal_read("-seconds", table, &goals[1], NULL));
    assert_true(!goals[0].is_maximum && goals[1].is_maximum);
    text = trace_table_front_text(table, goals);
    assert_string_equal(text, "1 of 3 runs is on the front of tiles (least) and "
                              "seconds (most)\n"
                              "hops  tiles  seconds\n"
                              "   9      4      0.5\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_front_has_a_line_for_each_run),
    };

    return cmocka_run_group_tests_name("traces.table_front", tests, NULL, NULL);
}
