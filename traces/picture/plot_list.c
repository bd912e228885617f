/* Keeps series of a plot until they are drawn. */
#include "traces/picture/plot_list.h"

#include <stdarg.h>

typedef struct {
    TracePlotStyle style;
    char *name;
    GArray *points; /* of TracePlotPoint */
    GArray *spans;  /* of TracePlotSpan */
} Series;

struct TracePlotList {
    GArray *series; /* of Series */
};

static void series_clear(gpointer data)
{
    Series *self = data;

    g_free(self->name);
    g_array_unref(self->points);
    g_array_unref(self->spans);
}

static const Series *at(const TracePlotList *self, guint index)
{
    return &g_array_index(self->series, Series, index);
}

TracePlotList *trace_plot_list_new(void)
{
    TracePlotList *self = g_new0(TracePlotList, 1);

    self->series = g_array_new(FALSE, FALSE, sizeof(Series));
    g_array_set_clear_func(self->series, series_clear);
    return self;
}

void trace_plot_list_free(TracePlotList *self)
{
    if (self != NULL) {
        g_array_unref(self->series);
        g_free(self);
    }
}

void trace_plot_list_series(TracePlotList *self,
                            TracePlotStyle style,
                            const char *name,
                            ...)
{
    Series series = {.style = style,
                     .points = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint)),
                     .spans = g_array_new(FALSE, FALSE, sizeof(TracePlotSpan))};
    va_list arguments;

    va_start(arguments, name);
    series.name = name == NULL ? NULL : g_strdup_vprintf(name, arguments);
    va_end(arguments);
    g_array_append_val(self->series, series);
}

void trace_plot_list_add(TracePlotList *self, double x, double y)
{
    const TracePlotPoint point = {x, y};

    g_array_append_val(at(self, self->series->len - 1)->points, point);
}

void trace_plot_list_add_span(
    TracePlotList *self, double x, double y, double low, double high)
{
    const TracePlotSpan span = {low, high};

    trace_plot_list_add(self, x, y);
    g_array_append_val(at(self, self->series->len - 1)->spans, span);
}

char *trace_plot_list_draw(const TracePlotList *self,
                           const TracePlot *plot,
                           char *(*draw)(const TracePlot *) )
{
    g_autofree TracePlotSeries *all = g_new0(TracePlotSeries, self->series->len);
    TracePlot drawn = *plot;

    for (guint i = 0; i < self->series->len; i++) {
        const Series *series = at(self, i);

        all[i] = (TracePlotSeries){
            .name = series->name,
            .style = series->style,
            .points = (const TracePlotPoint *) (gconstpointer) series->points->data,
            .point_count = series->points->len,
            .band = series->spans->len == 0
                        ? NULL
                        : (const TracePlotSpan *) (gconstpointer) series->spans->data};
    }
    drawn.series = all;
    drawn.series_count = self->series->len;
    /* cppcheck-suppress returnDanglingLifetime ; what is returned is new */
    return draw(&drawn);
}
