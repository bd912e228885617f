/* Creates and frees the plots of scripts. */
#include "workloads/plot.h"

static void series_free(gpointer data)
{
    WlPlotSeries *self = data;

    g_free(self->name);
    g_array_unref(self->points);
    g_free(self);
}

WlPlot *wl_plot_new(void)
{
    WlPlot *self = g_new0(WlPlot, 1);

    self->series = g_ptr_array_new_with_free_func(series_free);
    return self;
}

void wl_plot_free(WlPlot *self)
{
    if (self != NULL) {
        g_free(self->name);
        g_free(self->title);
        g_free(self->x);
        g_free(self->y);
        g_ptr_array_unref(self->series);
        g_free(self);
    }
}

WlPlotSeries *wl_plot_add_series(WlPlot *self, const char *name, WlPlotStyle style)
{
    WlPlotSeries *series = g_new(WlPlotSeries, 1);

    *series = (WlPlotSeries){.name = g_strdup(name),
                             .style = style,
                             .points = g_array_new(FALSE, FALSE, sizeof(WlPlotPoint))};
    g_ptr_array_add(self->series, series);
    return series;
}
