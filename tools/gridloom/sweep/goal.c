/* Reads goals of sweeps and prints their fronts. */
#include "tools/gridloom/sweep/goal.h"

#include <stdio.h>
#include <string.h>

#include "tools/gridloom/option_value.h"
#include "traces/picture/table_plot.h"

#define ALLOWED                                                                        \
    "two columns A,B, of which less is better; -A or max:A where more of it is"

static const struct {
    const char *prefix;
    bool is_maximum;
} directions[] = {{"max:", true}, {"min:", false}, {"-", true}};

bool cmd_sweep_goal_parse(const char *text,
                          const TraceTable *table,
                          TraceGoal *goal,
                          GError **error)
{
    const char *name = text;
    bool is_maximum = false;
    int column;

    for (gsize i = 0; i < G_N_ELEMENTS(directions); i++) {
        if (name == text && g_str_has_prefix(text, directions[i].prefix)) {
            name += strlen(directions[i].prefix);
            is_maximum = directions[i].is_maximum;
        }
    }
    column = trace_table_plot_column(table, name, true, error);
    if (column < 0) {
        return false;
    }
    *goal = (TraceGoal){.column = (guint) column, .is_maximum = is_maximum};
    return true;
}

bool cmd_sweep_goals_parse(const char *text,
                           const TraceTable *table,
                           TraceGoal goals[2],
                           GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);

    if (g_strv_length(parts) != 2 || *parts[0] == '\0' || *parts[1] == '\0') {
        return option_refuse("--pareto", text, ALLOWED, error);
    }
    if (!cmd_sweep_goal_parse(parts[0], table, &goals[0], error) ||
        !cmd_sweep_goal_parse(parts[1], table, &goals[1], error)) {
        g_prefix_error(error, "--pareto: ");
        return false;
    }
    if (goals[0].column == goals[1].column) {
        return option_refuse("--pareto", text, "two different columns", error);
    }
    return true;
}

static bool is_varied(const TraceTable *table, guint column)
{
    for (guint i = 1; i < trace_table_row_count(table); i++) {
        if (g_strcmp0(trace_table_text(table, 0, column),
                      trace_table_text(table, i, column)) != 0) {
            return true;
        }
    }
    return false;
}

/* Columns of the printed table: the run, what was varied, both goals. */
static GArray *choose_columns(const TraceTable *table, const TraceGoal goals[2])
{
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(guint));
    const int run = trace_table_find(table, "run");

    if (run >= 0) {
        g_array_append_val(columns, run);
    }
    for (guint i = 0; i < trace_table_column_count(table); i++) {
        if (trace_table_column(table, i)->kind == TRACE_COLUMN_PARAMETER &&
            i != goals[0].column && i != goals[1].column && is_varied(table, i)) {
            g_array_append_val(columns, i);
        }
    }
    g_array_append_val(columns, goals[0].column);
    g_array_append_val(columns, goals[1].column);
    return columns;
}

/* A line of the table; names of columns where `row` is -1. */
static void
print_line(const TraceTable *table, const GArray *columns, const int *widths, int row)
{
    for (guint i = 0; i < columns->len; i++) {
        const guint column = g_array_index(columns, guint, i);
        const char *text = row < 0 ? trace_table_column(table, column)->name
                                   : trace_table_text(table, (guint) row, column);

        printf("%s%*s", i > 0 ? "  " : "", widths[i], text != NULL ? text : "-");
    }
    printf("\n");
}

void cmd_sweep_goals_print(const TraceTable *table, const TraceGoal goals[2])
{
    g_autoptr(GArray) front = trace_table_pareto(table, goals);
    g_autoptr(GArray) columns = choose_columns(table, goals);
    g_autofree int *widths = g_new0(int, columns->len);

    for (guint i = 0; i < columns->len; i++) {
        const guint column = g_array_index(columns, guint, i);

        widths[i] = (int) strlen(trace_table_column(table, column)->name);
        for (guint k = 0; k < front->len; k++) {
            const char *text =
                trace_table_text(table, g_array_index(front, guint, k), column);

            widths[i] = MAX(widths[i], text != NULL ? (int) strlen(text) : 1);
        }
    }
    printf("%u of %u runs %s on the front of %s (%s) and %s (%s)\n", front->len,
           trace_table_row_count(table), front->len == 1 ? "is" : "are",
           trace_table_column(table, goals[0].column)->name,
           goals[0].is_maximum ? "most" : "least",
           trace_table_column(table, goals[1].column)->name,
           goals[1].is_maximum ? "most" : "least");
    print_line(table, columns, widths, -1);
    for (guint i = 0; i < front->len; i++) {
        print_line(table, columns, widths, (int) g_array_index(front, guint, i));
    }
}
