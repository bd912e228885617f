/* From a script's plot to the picture. */
#include "tools/gridloom/run/plot.h"

#include "traces/picture/plot.h"

/* The points are the same two numbers in both rooms: they are not copied. */
_Static_assert(sizeof(WlPlotPoint) == sizeof(TracePlotPoint) &&
                   offsetof(WlPlotPoint, y) == offsetof(TracePlotPoint, y),
               "points of a script and of a picture");

char *cmd_run_plot_to_svg(const WlPlot *plot)
{
    static const TracePlotStyle styles[] = {[WL_PLOT_BOTH] = TRACE_PLOT_BOTH,
                                            [WL_PLOT_LINE] = TRACE_PLOT_LINE,
                                            [WL_PLOT_POINTS] = TRACE_PLOT_POINTS,
                                            [WL_PLOT_CELLS] = TRACE_PLOT_CELLS};
    g_autofree TracePlotSeries *series = g_new(TracePlotSeries, plot->series->len);
    TracePlot picture = {.title = plot->title,
                         .x = plot->x,
                         .y = plot->y,
                         .is_log_x = plot->is_log_x,
                         .is_log_y = plot->is_log_y,
                         .series = series,
                         .series_count = plot->series->len};

    for (guint i = 0; i < plot->series->len; i++) {
        const WlPlotSeries *own = g_ptr_array_index(plot->series, i);

        series[i] = (TracePlotSeries){
            .name = own->name,
            .style = styles[own->style],
            .points = (const TracePlotPoint *) (const void *) own->points->data,
            .point_count = own->points->len,
        };
    }
    return trace_plot_to_svg(&picture);
}
