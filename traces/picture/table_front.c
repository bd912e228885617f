/* Draws the runs of a table with their Pareto front. */
#include <math.h>
#include <string.h>

#include "traces/picture/plot.h"
#include "traces/picture/plot/span.h"
#include "traces/picture/table_plot.h"
#include "traces/table/table_unit.h"

/* The points of some rows, in units. */
static GArray *front_points(const TraceTable *table,
                            const TraceGoal goals[2],
                            const TraceUnit units[2],
                            const GArray *rows)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint));

    for (guint i = 0; i < rows->len; i++) {
        const guint row = g_array_index(rows, guint, i);
        const TracePlotPoint point = {
            .x = trace_table_number(table, row, goals[0].column) * units[0].factor,
            .y = trace_table_number(table, row, goals[1].column) * units[1].factor};

        g_array_append_val(points, point);
    }
    return points;
}

static bool has_row(const GArray *rows, guint row)
{
    for (guint i = 0; i < rows->len; i++) {
        if (g_array_index(rows, guint, i) == row) {
            return true;
        }
    }
    return false;
}

/* Rows with both numbers that are not on the front. */
static GArray *rows_behind(const TraceTable *table,
                           const TraceGoal goals[2],
                           const GArray *front,
                           TracePlotExtent spans[2])
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));

    for (guint i = 0; i < trace_table_row_count(table); i++) {
        const double first = trace_table_number(table, i, goals[0].column);
        const double second = trace_table_number(table, i, goals[1].column);

        if (isnan(first) || isnan(second)) {
            continue;
        }
        trace_plot_extent_cover(&spans[0], first);
        trace_plot_extent_cover(&spans[1], second);
        if (!has_row(front, i)) {
            g_array_append_val(rows, i);
        }
    }
    return rows;
}

static char *goal_words(const TraceTable *table, TraceGoal goal, TraceUnit unit)
{
    g_autofree char *words =
        trace_table_unit_words(trace_table_column(table, goal.column)->name, unit);

    return g_strdup_printf("%s, %s is better", words,
                           goal.is_maximum ? "more" : "less");
}

static TracePlotSeries
series_of(const char *name, TracePlotStyle style, const GArray *points)
{
    return (TracePlotSeries){.name = name,
                             .style = style,
                             .points = (const TracePlotPoint *) (gpointer) points->data,
                             .point_count = points->len};
}

char *trace_table_plot_front(const TraceTable *table,
                             const TraceGoal goals[2],
                             TracePictureForm form,
                             GError **error)
{
    g_autoptr(GArray) front = trace_table_pareto(table, goals);
    TracePlotExtent spans[2] = {trace_plot_extent_of_nothing(),
                                trace_plot_extent_of_nothing()};
    bool is_log[2];
    TraceUnit units[2];
    g_autoptr(GArray) behind = rows_behind(table, goals, front, spans);

    for (guint i = 0; i < 2; i++) {
        const char *name = trace_table_column(table, goals[i].column)->name;

        if (!trace_plot_extent_choose_scale(&spans[i], TRACE_AXIS_AUTO, name,
                                            &is_log[i], error)) {
            return NULL;
        }
        units[i] = trace_table_unit(name, trace_plot_extent_largest(&spans[i]));
    }
    g_autoptr(GArray) others = front_points(table, goals, units, behind);
    g_autoptr(GArray) best = front_points(table, goals, units, front);
    g_autofree char *x = goal_words(table, goals[0], units[0]);
    g_autofree char *y = goal_words(table, goals[1], units[1]);
    g_autofree char *title = trace_table_marked_title(table, NULL);
    g_autofree char *beaten = g_strdup_printf("%u others", behind->len);
    g_autofree char *kept = g_strdup_printf("%u on the front", front->len);
    const TracePlotSeries series[] = {series_of(kept, TRACE_PLOT_STAIRS, best),
                                      series_of(beaten, TRACE_PLOT_POINTS, others)};
    const TracePlot picture = {.title = title,
                               .x = x,
                               .y = y,
                               .is_log_x = is_log[0],
                               .is_log_y = is_log[1],
                               .series = series,
                               .series_count = behind->len > 0 ? 2 : 1};

    return form == TRACE_PICTURE_SVG ? trace_plot_to_svg(&picture)
                                     : trace_plot_to_text(&picture);
}

static const struct {
    const char *prefix;
    bool is_maximum;
} directions[] = {{"max:", true}, {"min:", false}, {"-", true}};

bool trace_goal_read(const char *text,
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

/* The columns of the printed table: the run, the varied parameters, both goals. */
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
static void add_line(GString *text,
                     const TraceTable *table,
                     const GArray *columns,
                     const int *widths,
                     int row)
{
    for (guint i = 0; i < columns->len; i++) {
        const guint column = g_array_index(columns, guint, i);
        const char *cell = row < 0 ? trace_table_column(table, column)->name
                                   : trace_table_text(table, (guint) row, column);

        g_string_append_printf(text, "%s%*s", i > 0 ? "  " : "", widths[i],
                               cell != NULL ? cell : "-");
    }
    g_string_append_c(text, '\n');
}

char *trace_table_front_text(const TraceTable *table, const TraceGoal goals[2])
{
    g_autoptr(GArray) front = trace_table_pareto(table, goals);
    g_autoptr(GArray) columns = choose_columns(table, goals);
    g_autofree int *widths = g_new0(int, columns->len);
    GString *lines = g_string_new(NULL);

    for (guint i = 0; i < columns->len; i++) {
        const guint column = g_array_index(columns, guint, i);

        widths[i] = (int) strlen(trace_table_column(table, column)->name);
        for (guint k = 0; k < front->len; k++) {
            const char *text =
                trace_table_text(table, g_array_index(front, guint, k), column);

            widths[i] = MAX(widths[i], text != NULL ? (int) strlen(text) : 1);
        }
    }
    g_string_append_printf(
        lines, "%u of %u runs %s on the front of %s (%s) and %s (%s)\n", front->len,
        trace_table_row_count(table), front->len == 1 ? "is" : "are",
        trace_table_column(table, goals[0].column)->name,
        goals[0].is_maximum ? "most" : "least",
        trace_table_column(table, goals[1].column)->name,
        goals[1].is_maximum ? "most" : "least");
    add_line(lines, table, columns, widths, -1);
    for (guint i = 0; i < front->len; i++) {
        add_line(lines, table, columns, widths, (int) g_array_index(front, guint, i));
    }
    return g_string_free(lines, FALSE);
}
