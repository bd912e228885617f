/* A plot that a script reports: series of points, and what its axes show. */
#pragma once

#include <stdbool.h>

#include <glib.h>

typedef enum {
    WL_PLOT_BOTH, /* a line with marks */
    WL_PLOT_LINE,
    WL_PLOT_POINTS,
    WL_PLOT_CELLS, /* marks on coloured cells of a grid */
} WlPlotStyle;

typedef struct {
    double x;
    double y;
} WlPlotPoint;

typedef struct {
    char *name; /* NULL for none */
    WlPlotStyle style;
    GArray *points; /* of WlPlotPoint */
} WlPlotSeries;

typedef struct {
    char *name;
    char *title;
    char *x;
    char *y;
    bool is_log_x;
    bool is_log_y;
    GPtrArray *series; /* of WlPlotSeries */
} WlPlot;

/* Empty: texts are NULL. */
WlPlot *wl_plot_new(void);
void wl_plot_free(WlPlot *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WlPlot, wl_plot_free)

/* Borrowed; its points are the caller's to fill. `name` is copied, or NULL. */
WlPlotSeries *wl_plot_add_series(WlPlot *self, const char *name, WlPlotStyle style);
