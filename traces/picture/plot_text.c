/* Draws plots with characters, for terminals. */
#include <math.h>
#include <string.h>

#include "traces/picture/plot.h"
#include "traces/picture/plot/axis.h"

enum {
    COLUMNS = 64,
    ROWS = 17,
    MOST_LETTERS = 26,
};

typedef struct {
    const TracePlot *plot;
    TracePlotAxis x;
    TracePlotAxis y;
    char letters[ROWS][COLUMNS + 1];
} Text;

static void text_clear(Text *self)
{
    trace_plot_axis_clear(&self->x);
    trace_plot_axis_clear(&self->y);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Text, text_clear)

static void text_init(Text *self, const TracePlot *plot)
{
    *self = (Text){.plot = plot};
    trace_plot_axis_init(&self->x, plot->is_log_x);
    trace_plot_axis_init(&self->y, plot->is_log_y);
    for (gsize i = 0; i < plot->series_count; i++) {
        for (gsize k = 0; k < plot->series[i].point_count; k++) {
            trace_plot_axis_cover(&self->x, plot->series[i].points[k].x);
            trace_plot_axis_cover(&self->y, plot->series[i].points[k].y);
        }
    }
    if (plot->x_names != NULL && plot->x_names[0] != NULL) {
        trace_plot_axis_ready_names(&self->x, plot->x_names);
    } else {
        trace_plot_axis_ready(&self->x);
    }
    trace_plot_axis_ready(&self->y);
    for (guint row = 0; row < ROWS; row++) {
        memset(self->letters[row], ' ', COLUMNS);
    }
}

/* From 0 to the last, of a place from 0 to 1. */
static guint cell_of(double place, guint count)
{
    return (guint) lround(CLAMP(place, 0, 1) * (count - 1));
}

static void put(Text *self, double x, double y, char letter)
{
    self->letters[ROWS - 1 - cell_of(y, ROWS)][cell_of(x, COLUMNS)] = letter;
}

/* A stroke for each column, or for each row where it stands upright. */
static void draw_line(Text *self, TracePlotPoint from, TracePlotPoint to)
{
    const double x = trace_plot_axis_place(&self->x, from.x);
    const double y = trace_plot_axis_place(&self->y, from.y);
    const double wide = trace_plot_axis_place(&self->x, to.x) - x;
    const double high = trace_plot_axis_place(&self->y, to.y) - y;
    const guint columns = (guint) lround(fabs(wide) * COLUMNS);
    const guint rows = (guint) lround(fabs(high) * ROWS);
    char stroke = wide * high > 0 ? '/' : '\\';

    if (columns == 0) {
        stroke = '|';
    } else if (rows == 0) {
        stroke = '-';
    }
    for (guint i = 0, steps = MAX(columns, rows); steps > 0 && i <= steps; i++) {
        put(self, x + wide * i / steps, y + high * i / steps, stroke);
    }
}

static bool has_marks(const TracePlotSeries *series)
{
    return series->style != TRACE_PLOT_LINE;
}

static char letter_of(const TracePlot *plot, gsize series)
{
    guint before = 0;

    for (gsize i = 0; i < series; i++) {
        before += has_marks(&plot->series[i]);
    }
    return (char) ('a' + before % MOST_LETTERS);
}

/* Lines first: marks stand on them. */
static void draw(Text *self)
{
    for (gsize i = 0; i < self->plot->series_count; i++) {
        const TracePlotSeries *series = &self->plot->series[i];

        for (gsize k = 1; !has_marks(series) && k < series->point_count; k++) {
            draw_line(self, series->points[k - 1], series->points[k]);
        }
    }
    for (gsize i = 0; i < self->plot->series_count; i++) {
        const TracePlotSeries *series = &self->plot->series[i];

        for (gsize k = 0; has_marks(series) && k < series->point_count; k++) {
            put(self, trace_plot_axis_place(&self->x, series->points[k].x),
                trace_plot_axis_place(&self->y, series->points[k].y),
                letter_of(self->plot, i));
        }
    }
}

/* The label of the axis at a row or column; "" where it has none. */
static const char *label_at(const TracePlotAxis *axis, guint cell, guint count)
{
    for (guint i = 0; i < axis->ticks->len; i++) {
        const TracePlotTick *tick = &g_array_index(axis->ticks, TracePlotTick, i);

        if (tick->label != NULL &&
            cell_of(trace_plot_axis_place(axis, tick->value), count) == cell) {
            return tick->label;
        }
    }
    return "";
}

static int label_width(const TracePlotAxis *axis)
{
    int width = 0;

    for (guint i = 0; i < axis->ticks->len; i++) {
        const char *label = g_array_index(axis->ticks, TracePlotTick, i).label;

        width = MAX(width, label != NULL ? (int) strlen(label) : 0);
    }
    return width;
}

static void add_rows(const Text *self, int width, GString *text)
{
    for (guint row = 0; row < ROWS; row++) {
        g_autofree char *line = g_strchomp(g_strdup(self->letters[row]));

        g_string_append_printf(text, "%*s |%s\n", width,
                               label_at(&self->y, ROWS - 1 - row, ROWS), line);
    }
}

/* Labels that would run into the one before are left out. */
static void add_foot(const Text *self, int width, GString *text)
{
    g_autoptr(GString) line = g_string_new(NULL);

    for (guint column = 0; column < COLUMNS; column++) {
        const char *label = label_at(&self->x, column, COLUMNS);

        if (*label != '\0' && (line->len == 0 || line->len < column)) {
            g_string_append_printf(line, "%*s%s", (int) (column - line->len), "",
                                   label);
        }
    }
    g_autofree char *axis = g_strnfill(COLUMNS, '-');

    g_string_append_printf(text, "%*s +%s\n%*s  %s\n%*s  %s\n", width, "", axis, width,
                           "", line->str, width, "", self->plot->x);
}

static void add_legend(const Text *self, int width, GString *text)
{
    for (gsize i = 0; i < self->plot->series_count; i++) {
        const TracePlotSeries *series = &self->plot->series[i];
        const char letter[] = {letter_of(self->plot, i), '\0'};

        if (series->name != NULL) {
            g_string_append_printf(text, "%*s  %s %s\n", width, "",
                                   has_marks(series) ? letter : "-", series->name);
        }
    }
}

char *trace_plot_to_text(const TracePlot *self)
{
    g_auto(Text) picture = {0};
    GString *text = g_string_new(NULL);

    text_init(&picture, self);
    draw(&picture);
    const int width = label_width(&picture.y);

    g_string_append_printf(text, "%s, %s\n", self->title, self->y);
    add_rows(&picture, width, text);
    add_foot(&picture, width, text);
    add_legend(&picture, width, text);
    if (self->note != NULL) {
        g_string_append_printf(text, "%*s  %s\n", width, "", self->note);
    }
    return g_string_free(text, FALSE);
}
