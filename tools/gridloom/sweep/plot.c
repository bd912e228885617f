/* Chooses pictures of sweeps. */
#include "tools/gridloom/sweep/plot.h"

/* The first of what is recorded; what is drawn where nobody says. */
static const char *first_metric(const TraceTable *table)
{
    for (guint i = 0; i < trace_table_column_count(table); i++) {
        if (trace_table_column(table, i)->kind == TRACE_COLUMN_METRIC) {
            return trace_table_column(table, i)->name;
        }
    }
    return "seconds";
}

TraceTablePlot
cmd_sweep_plot_of_file(const WlSweep *sweep, const TraceTable *table, guint index)
{
    const WlSweepPlot *plot = wl_sweep_plot(sweep, index);

    TraceTablePlot picture = {
        .x = plot->x,
        .by = plot->by,
        .y = plot->y != NULL ? plot->y : first_metric(table),
        .x_scale = plot->is_log_x ? TRACE_AXIS_LOG : TRACE_AXIS_AUTO,
        .y_scale = plot->is_log_y ? TRACE_AXIS_LOG : TRACE_AXIS_AUTO,
        .title = plot->title,
        .has_intervals = wl_sweep_uncertainty(sweep) > 0,
        .level_count = MIN(plot->level_count, TRACE_TABLE_LEVELS_MOST),
    };

    for (guint i = 0; i < picture.level_count; i++) {
        picture.levels[i].name = plot->levels[i].name;
        picture.levels[i].y = plot->levels[i].y;
    }
    return picture;
}

TraceTablePlot cmd_sweep_plot_of_line(const CmdSweepOptions *options,
                                      const WlSweep *sweep,
                                      const TraceTable *table)
{
    const TraceTablePlot plot = {.x = options->plot,
                                 .by = options->by,
                                 .y = options->y != NULL ? options->y
                                                         : first_metric(table),
                                 .has_intervals = wl_sweep_uncertainty(sweep) > 0};

    for (guint i = 0; i < wl_sweep_plot_count(sweep); i++) {
        const TraceTablePlot own = cmd_sweep_plot_of_file(sweep, table, i);

        if (g_strcmp0(own.x, plot.x) == 0 && g_strcmp0(own.by, plot.by) == 0 &&
            g_strcmp0(own.y, plot.y) == 0) {
            return own;
        }
    }
    return plot;
}
