/* Tables of runs: cells, numbers and fronts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glib.h>

#include "traces/table/table.h"

static TraceTable *new_table(void)
{
    TraceTable *table = trace_table_new("a sweep");

    trace_table_add_column(table, "a", TRACE_COLUMN_PARAMETER);
    trace_table_add_column(table, "b", TRACE_COLUMN_METRIC);
    trace_table_add_column(table, "status", TRACE_COLUMN_STATUS);
    return table;
}

static void add(TraceTable *table, const char *a, const char *b, const char *status)
{
    const char *const cells[] = {a, b, status};

    trace_table_add_row(table, cells);
}

static void cells_are_kept(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    add(table, "1", "2.5", "done");
    add(table, "3", NULL, "failed");

    assert_string_equal(trace_table_title(table), "a sweep");
    assert_int_equal(trace_table_column_count(table), 3);
    assert_int_equal(trace_table_row_count(table), 2);
    assert_string_equal(trace_table_text(table, 0, 1), "2.5");
    assert_string_equal(trace_table_text(table, 1, 2), "failed");
    assert_null(trace_table_text(table, 1, 1));
    assert_true(trace_table_number(table, 0, 1) == 2.5);
    assert_true(isnan(trace_table_number(table, 1, 1)));
    assert_true(isnan(trace_table_number(table, 0, 2)));
}

static void columns_are_found_by_name(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    assert_int_equal(trace_table_find(table, "b"), 1);
    assert_int_equal(trace_table_find(table, "c"), -1);
    assert_int_equal(trace_table_column(table, 1)->kind, TRACE_COLUMN_METRIC);
}

static void a_column_of_numbers_has_no_word(void **state)
{
    (void) state;
    static const char *const words[] = {"", "1x", "x1", "nan", "inf", " "};

    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        g_autoptr(TraceTable) table = new_table();

        add(table, "1", NULL, "1e3");
        add(table, words[i], "16", "-2.5");
        if (trace_table_column(table, 0)->is_number) {
            fail_msg("'%s' is taken for a number", words[i]);
        }
        assert_true(trace_table_column(table, 1)->is_number);
        assert_true(trace_table_column(table, 2)->is_number);
    }
}

static void assert_front(const TraceTable *table, const guint *rows, guint count)
{
    static const TraceGoal goals[] = {{0, false}, {1, false}};
    g_autoptr(GArray) front = trace_table_pareto(table, goals);

    assert_int_equal(front->len, count);
    for (guint i = 0; i < count; i++) {
        assert_int_equal(g_array_index(front, guint, i), rows[i]);
    }
}

static void the_front_has_what_nothing_beats(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();
    const guint rows[] = {4, 1, 0};

    add(table, "5", "1", NULL);
    add(table, "3", "2", NULL);
    add(table, "4", "2", NULL); /* as good in b, worse in a */
    add(table, "3", "3", NULL); /* as good in a, worse in b */
    add(table, "1", "9", NULL);
    add(table, "0", NULL, NULL);
    add(table, NULL, "0", NULL);

    assert_front(table, rows, G_N_ELEMENTS(rows));
}

static void rows_that_are_alike_are_all_on_the_front(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();
    const guint rows[] = {1, 2};

    add(table, "2", "2", NULL);
    add(table, "1", "1", NULL);
    add(table, "1", "1.0", NULL);

    assert_front(table, rows, G_N_ELEMENTS(rows));
}

static void more_of_a_goal_may_be_better(void **state)
{
    (void) state;
    static const TraceGoal goals[] = {{0, false}, {1, true}};
    g_autoptr(TraceTable) table = new_table();

    add(table, "1", "1", NULL);
    add(table, "2", "3", NULL);
    add(table, "3", "2", NULL);
    add(table, "4", "9", NULL);
    g_autoptr(GArray) front = trace_table_pareto(table, goals);

    assert_int_equal(front->len, 3);
    assert_int_equal(g_array_index(front, guint, 0), 0);
    assert_int_equal(g_array_index(front, guint, 1), 1);
    assert_int_equal(g_array_index(front, guint, 2), 3);
}

static void an_empty_table_has_no_front(void **state)
{
    (void) state;
    g_autoptr(TraceTable) table = new_table();

    assert_front(table, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_kept),
        cmocka_unit_test(columns_are_found_by_name),
        cmocka_unit_test(a_column_of_numbers_has_no_word),
        cmocka_unit_test(the_front_has_what_nothing_beats),
        cmocka_unit_test(rows_that_are_alike_are_all_on_the_front),
        cmocka_unit_test(more_of_a_goal_may_be_better),
        cmocka_unit_test(an_empty_table_has_no_front),
    };

    return cmocka_run_group_tests_name("traces.table", tests, NULL, NULL);
}
