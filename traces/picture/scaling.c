/* Draws scaling. */
#include "traces/picture/scaling.h"

#include <math.h>

#include "sim/compare.h"
#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/picture/plot.h"
#include "traces/reading/used.h"
#include "traces/suite/member.h"

#define MICROSECONDS 1e6 /* of a second */

static JsonObject *parameters_of(const GPtrArray *runs, guint run)
{
    const TraceRun *read = g_ptr_array_index(runs, run);

    return trace_json_object(read->result, "parameters");
}

/* Do runs differ in a parameter that is a number? */
static bool differs(const GPtrArray *runs, const char *name)
{
    double first = trace_json_number(parameters_of(runs, 0), name, NAN);

    for (guint i = 1; i < runs->len; i++) {
        if (trace_json_number(parameters_of(runs, i), name, NAN) != first) {
            return isfinite(first);
        }
    }
    return false;
}

/* Did the user give it for a run? Others follow from those. */
static bool is_given(const GPtrArray *runs, const char *name)
{
    for (guint i = 0; i < runs->len; i++) {
        const TraceRun *run = g_ptr_array_index(runs, i);
        JsonObject *given = trace_json_object(run->result, "given");

        if (given == NULL || json_object_has_member(given, name)) {
            return true;
        }
    }
    return false;
}

GPtrArray *trace_scaling_parameters(const GPtrArray *runs)
{
    GPtrArray *names = g_ptr_array_new();
    JsonObject *parameters = parameters_of(runs, 0);
    GList *members = parameters != NULL ? json_object_get_members(parameters) : NULL;

    for (GList *at = members; at != NULL; at = at->next) {
        if (differs(runs, at->data) && is_given(runs, at->data)) {
            g_ptr_array_add(names, at->data);
        }
    }
    g_list_free(members);
    g_ptr_array_sort(names, sim_compare_texts);
    return names;
}

/* Reads a formula's value; a plain name may be that of a parameter. */
static bool
read_number(const TraceRun *run, const char *formula, double *value, GError **error)
{
    g_autofree char *parameter = g_strconcat("parameters.", formula, NULL);
    JsonObject *parameters = trace_json_object(run->result, "parameters");

    if (parameters != NULL && json_object_has_member(parameters, formula)) {
        formula = parameter;
    }
    if (!result_number(run->result, formula, value, error)) {
        g_prefix_error(error, "%s: ", run->name);
        return false;
    }
    return (*value > 0 && *value < 1e300) ||
           trace_refuse(error, "%s: %s = %g, a logarithmic axis takes numbers above 0",
                        run->name, formula, *value);
}

/* Runs of one script on one chip. */
typedef struct {
    char *name;
    GArray *points; /* of TracePlotPoint */
} Curve;

static void curve_free(gpointer data)
{
    Curve *self = data;

    g_free(self->name);
    g_array_unref(self->points);
    g_free(self);
}

static Curve *curve_of(GPtrArray *curves, const TraceRun *run)
{
    const char *mark = trace_used_mark(run->result);
    g_autofree char *name =
        g_strconcat(trace_json_string(run->result, "workload", run->name), " on ",
                    trace_json_string(run->result, "chip", "an unknown chip"),
                    mark != NULL ? ", " : NULL, mark, NULL);
    Curve *curve;

    for (guint i = 0; i < curves->len; i++) {
        curve = g_ptr_array_index(curves, i);
        if (g_str_equal(curve->name, name)) {
            return curve;
        }
    }
    curve = g_new(Curve, 1);
    *curve = (Curve){.name = g_steal_pointer(&name),
                     .points = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint))};
    g_ptr_array_add(curves, curve);
    return curve;
}

static gint compare_points(gconstpointer a, gconstpointer b)
{
    const TracePlotPoint *first = a;
    const TracePlotPoint *second = b;

    return (first->x > second->x) - (first->x < second->x);
}

static GPtrArray *read_curves(const TraceScaling *self, GError **error)
{
    g_autoptr(GPtrArray) curves = g_ptr_array_new_with_free_func(curve_free);

    for (guint i = 0; i < self->runs->len; i++) {
        const TraceRun *run = g_ptr_array_index(self->runs, i);
        TracePlotPoint point;

        if (!read_number(run, self->over, &point.x, error) ||
            !read_number(
                run, self->quantity != NULL ? self->quantity : TRACE_SCALING_QUANTITY,
                &point.y, error)) {
            return NULL;
        }
        point.y *= self->quantity != NULL ? 1 : MICROSECONDS;
        g_array_append_val(curve_of(curves, run)->points, point);
    }
    for (guint i = 0; i < curves->len; i++) {
        g_array_sort(((Curve *) g_ptr_array_index(curves, i))->points, compare_points);
    }
    return g_steal_pointer(&curves);
}

/* From a curve's first point to where its last one should be. */
static void
set_ideal(const Curve *curve, TraceScalingIdeal ideal, TracePlotPoint points[2])
{
    const TracePlotPoint *last =
        &g_array_index(curve->points, TracePlotPoint, curve->points->len - 1);

    points[0] = g_array_index(curve->points, TracePlotPoint, 0);
    points[1] = (TracePlotPoint){last->x, ideal == TRACE_SCALING_FLAT
                                              ? points[0].y
                                              : points[0].y * points[0].x / last->x};
}

char *trace_scaling_to_svg(const TraceScaling *self, GError **error)
{
    g_autoptr(GPtrArray) curves = read_curves(self, error);
    const gsize count = curves != NULL ? curves->len : 0;
    g_autofree TracePlotSeries *series = g_new0(TracePlotSeries, 2 * count);
    g_autofree TracePlotPoint *lines = g_new0(TracePlotPoint, 2 * count);
    const char *title = self->title;
    gsize lines_drawn = 0;

    if (curves == NULL) {
        return NULL;
    }
    if (title == NULL) {
        title = count == 1 ? ((Curve *) g_ptr_array_index(curves, 0))->name : "Scaling";
    }
    for (guint i = 0; i < count; i++) {
        const Curve *curve = g_ptr_array_index(curves, i);

        series[i] = (TracePlotSeries){
            .name = curve->name,
            .points = (const TracePlotPoint *) (const void *) curve->points->data,
            .point_count = curve->points->len};
        if (self->ideal != TRACE_SCALING_NONE && curve->points->len > 1) {
            TracePlotPoint *line = &lines[2 * lines_drawn];

            set_ideal(curve, self->ideal, line);
            series[count + lines_drawn] =
                (TracePlotSeries){.name = lines_drawn == 0 ? "ideal" : NULL,
                                  .style = TRACE_PLOT_LINE,
                                  .points = line,
                                  .point_count = 2};
            lines_drawn++;
        }
    }
    return trace_plot_to_svg(&(TracePlot){
        .title = title,
        .x = g_str_equal(self->over, TRACE_SCALING_CORES) ? "cores, rows x cols"
                                                          : self->over,
        .y = self->quantity != NULL ? self->quantity : "time of an iteration [us]",
        .is_log_x = true,
        .is_log_y = true,
        .series = series,
        .series_count = count + lines_drawn,
    });
}
