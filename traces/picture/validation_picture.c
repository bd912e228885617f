/* Draws validations. */
#include "traces/picture/validation_picture.h"

#include <math.h>

#include "traces/picture/plot.h"

/* The series and their data. */
typedef struct {
    GArray *series;    /* of TracePlotSeries */
    GPtrArray *names;  /* of char */
    GPtrArray *points; /* of GArray of TracePlotPoint */
    double low;        /* of all numbers */
    double high;
    double tolerance; /* the widest, in percent */
} Draft;

static void draft_clear(Draft *self)
{
    g_array_unref(self->series);
    g_ptr_array_unref(self->names);
    g_ptr_array_unref(self->points);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Draft, draft_clear)

static void add_series(Draft *self, char *name, TracePlotStyle style, GArray *points)
{
    const TracePlotSeries series = {
        .name = name,
        .style = style,
        .points = (const TracePlotPoint *) (gpointer) points->data,
        .point_count = points->len};

    g_ptr_array_add(self->names, name);
    g_ptr_array_add(self->points, points);
    g_array_append_val(self->series, series);
}

static bool is_placed(const TraceValidationRow *row)
{
    return trace_validation_has_error(row) && row->row->published > 0 &&
           row->simulated > 0 && isfinite(row->simulated);
}

static void add_rows(Draft *self,
                     const TraceValidation *result,
                     const TraceSuite *suite,
                     TraceReferenceKind kind)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint));

    for (guint i = 0; i < result->rows->len; i++) {
        const TraceValidationRow *row = trace_validation_row(result, i);
        const TracePlotPoint point = {.x = row->row->published, .y = row->simulated};

        if (row->suite != suite || row->row->kind != kind || !is_placed(row)) {
            continue;
        }
        g_array_append_val(points, point);
        self->low = fmin(self->low, fmin(point.x, point.y));
        self->high = fmax(self->high, fmax(point.x, point.y));
        if (row->row->is_judged && row->row->is_relative) {
            self->tolerance = fmax(self->tolerance, row->row->tolerance);
        }
    }
    if (points->len == 0) {
        g_array_unref(points);
        return;
    }
    add_series(self,
               g_strdup_printf("%s, %s", suite->name, trace_reference_kind_name(kind)),
               TRACE_PLOT_POINTS, points);
}

/* A line on which simulated is `factor` times published. */
static void add_line(Draft *self, char *name, double factor)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint));
    const double low = self->low * fmax(1, 1 / factor);
    const double high = self->high * fmin(1, 1 / factor);
    const TracePlotPoint ends[] = {{.x = low, .y = low * factor},
                                   {.x = high, .y = high * factor}};

    g_array_append_vals(points, ends, G_N_ELEMENTS(ends));
    add_series(self, name, TRACE_PLOT_LINE, points);
}

static void add_lines(Draft *self)
{
    const double part = self->tolerance / 100;

    if (!(self->low < self->high)) {
        return;
    }
    add_line(self, g_strdup("the same"), 1);
    if (part > 0 && part < 1) {
        add_line(self, g_strdup_printf("%g %% more", self->tolerance), 1 + part);
        add_line(self, g_strdup_printf("%g %% less", self->tolerance), 1 - part);
    }
}

char *trace_validation_picture_new(const TraceValidation *result)
{
    g_auto(Draft) draft = {
        .series = g_array_new(FALSE, FALSE, sizeof(TracePlotSeries)),
        .names = g_ptr_array_new_with_free_func(g_free),
        .points = g_ptr_array_new_with_free_func((GDestroyNotify) g_array_unref),
        .low = HUGE_VAL,
        .high = 0};

    for (guint i = 0; i < result->suites->len; i++) {
        const TraceSuite *suite = g_ptr_array_index(result->suites, i);

        add_rows(&draft, result, suite, TRACE_REFERENCE_CALIBRATED);
        add_rows(&draft, result, suite, TRACE_REFERENCE_PREDICTED);
    }
    add_lines(&draft);
    const TracePlot plot = {.title = "Published against simulated",
                            .x = "published, in the unit of its row",
                            .y = "simulated",
                            .is_log_x = true,
                            .is_log_y = true,
                            .series =
                                (const TracePlotSeries *) (gpointer) draft.series->data,
                            .series_count = draft.series->len};

    return trace_plot_to_svg(&plot);
}
