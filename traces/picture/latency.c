/* Draws latency over the rate. */
#include "traces/picture/latency.h"

#include <math.h>

#include "sim/narrow.h"
#include "traces/error.h"
#include "traces/file/json_member.h"
#include "traces/picture/panels.h"
#include "traces/picture/plot.h"

#define X_WORDS "rate, flits per node and cycle"
#define Y_WORDS "mean latency, cycles"
#define SATURATION_NOTE                                                                \
    "behind the name of a routing: the rate from which the network is saturated"

enum {
    COLOURS = 40, /* more would look alike */
};

/* A line of latencies, or marks beside one. */
typedef struct {
    char *name;
    bool is_beside;
    guint colour;
    GArray *points; /* of TracePlotPoint */
} Curve;

static void curve_free(gpointer data)
{
    Curve *self = data;

    g_free(self->name);
    g_array_unref(self->points);
    g_free(self);
}

/* The curves of a run. */
typedef struct {
    char *title;
    GPtrArray *curves; /* of Curve */
    TracePanelSeries *series;
} Panel;

static void panel_free(gpointer data)
{
    Panel *self = data;

    g_free(self->title);
    g_ptr_array_unref(self->curves);
    g_free(self->series);
    g_free(self);
}

static Curve *add_curve(Panel *panel, guint colour)
{
    Curve *curve = g_new(Curve, 1);

    *curve = (Curve){.colour = colour,
                     .points = g_array_new(FALSE, FALSE, sizeof(TracePlotPoint))};
    g_ptr_array_add(panel->curves, curve);
    return curve;
}

static void add_point(Curve *curve, double rate, double latency)
{
    const TracePlotPoint point = {rate, latency};

    if (isfinite(rate) && isfinite(latency)) {
        g_array_append_val(curve->points, point);
    }
}

/* "xy: 0.37", as SATURATION_NOTE explains. A file keeps its ending: west_first.lua need
 * not be west_first. */
static char *curve_name(const char *routing, JsonObject *metrics)
{
    g_autofree char *name = g_path_get_basename(routing);
    const double rate = trace_json_number(metrics, "saturation_rate", NAN);

    return isnan(rate) ? g_steal_pointer(&name) : g_strdup_printf("%s: %g", name, rate);
}

static const char *parameter(const TraceRun *run, const char *name)
{
    return trace_json_string(trace_json_object(run->result, "parameters"), name, "");
}

typedef struct {
    const TraceLatency *picture;
    const TraceRun *run;
    Panel *panel;
} Reader;

static bool is_row_of(const Reader *self, guint row, const char *routing)
{
    static const char *const names[] = {"topology", "size", "pattern"};
    const TraceCsv *csv = self->picture->beside;
    const int column = trace_csv_column(csv, "routing");

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        const int at = trace_csv_column(csv, names[i]);

        if (!g_str_equal(trace_csv_field(csv, row, sim_u32(at)),
                         parameter(self->run, names[i]))) {
            return false;
        }
    }
    return g_str_equal(trace_csv_field(csv, row, sim_u32(column)), routing);
}

static bool read_number(const TraceLatency *self,
                        guint row,
                        const char *name,
                        double *number,
                        GError **error)
{
    const guint column = sim_u32(trace_csv_column(self->beside, name));
    const char *text = trace_csv_field(self->beside, row, column);
    char *end;

    *number = g_ascii_strtod(text, &end);
    return (end != text && *end == '\0' && isfinite(*number)) ||
           trace_refuse(error, "%s:%u: %s = %s, expected a number", self->beside_name,
                        trace_csv_line(self->beside, row), name, text);
}

static bool
add_beside(const Reader *self, const char *routing, guint colour, GError **error)
{
    const TraceCsv *csv = self->picture->beside;
    Curve *curve = NULL;

    for (guint row = 0; csv != NULL && row < trace_csv_row_count(csv); row++) {
        double rate;
        double latency;

        if (!is_row_of(self, row, routing)) {
            continue;
        }
        if (!read_number(self->picture, row, "rate", &rate, error) ||
            !read_number(self->picture, row, "latency_mean", &latency, error)) {
            return false;
        }
        if (curve == NULL) {
            curve = add_curve(self->panel, colour);
            curve->is_beside = true;
        }
        add_point(curve, rate, latency);
    }
    return true;
}

static bool add_routing(const Reader *self,
                        const char *routing,
                        JsonObject *metrics,
                        GError **error)
{
    JsonArray *points = trace_json_array(metrics, "points");
    Curve *curve = add_curve(self->panel, self->panel->curves->len % COLOURS);

    curve->name = curve_name(routing, metrics);
    for (guint i = 0; i < trace_json_count(points); i++) {
        JsonObject *point = trace_json_item(points, i);

        if (!trace_json_bool(point, "saturated")) {
            if (curve->points->len == 0) {
                add_point(curve, 0, trace_json_number(point, "latency_zero_load", NAN));
            }
            add_point(curve, trace_json_number(point, "rate", NAN),
                      trace_json_number(point, "latency_mean", NAN));
        }
    }
    return points != NULL ||
           trace_refuse(error,
                        "%s: no latencies over rates, expected a result of noc traffic "
                        "--rate or --saturation",
                        self->run->name);
}

static bool read_curves(const Reader *self, GError **error)
{
    JsonObject *metrics = trace_json_object(self->run->result, "metrics");
    JsonArray *routings = trace_json_array(metrics, "routings");
    const guint count = trace_json_count(routings);

    if (count == 0) {
        const char *routing = parameter(self->run, "routing");

        return add_routing(self, routing, metrics, error) &&
               add_beside(self, routing, 0, error);
    }
    for (guint i = 0; i < count; i++) {
        JsonObject *one = trace_json_item(routings, i);

        if (!add_routing(self, trace_json_string(one, "routing", ""), one, error)) {
            return false;
        }
    }
    for (guint i = 0; i < count; i++) {
        JsonObject *one = trace_json_item(routings, i);

        if (!add_beside(self, trace_json_string(one, "routing", ""), i % COLOURS,
                        error)) {
            return false;
        }
    }
    return true;
}

static Panel *panel_read(const TraceLatency *self, const TraceRun *run, GError **error)
{
    Panel *panel = g_new0(Panel, 1);
    const Reader reader = {.picture = self, .run = run, .panel = panel};

    panel->curves = g_ptr_array_new_with_free_func(curve_free);
    panel->title = g_strdup_printf("%s traffic, %s %s", parameter(run, "pattern"),
                                   parameter(run, "size"), parameter(run, "topology"));
    if (!read_curves(&reader, error)) {
        panel_free(panel);
        return NULL;
    }
    return panel;
}

static const TracePlotPoint *points_of(const Curve *curve)
{
    return (const TracePlotPoint *) (const void *) curve->points->data;
}

static char *draw_one(const TraceLatency *self, const Panel *panel)
{
    const guint count = panel->curves->len;
    g_autofree TracePlotSeries *series = g_new0(TracePlotSeries, count);

    for (guint i = 0; i < count; i++) {
        const Curve *curve = g_ptr_array_index(panel->curves, i);

        series[i] = (TracePlotSeries){.name = curve->name,
                                      .points = points_of(curve),
                                      .point_count = curve->points->len};
    }
    return trace_plot_to_svg(
        &(TracePlot){.title = self->title != NULL ? self->title : panel->title,
                     .x = X_WORDS,
                     .y = Y_WORDS,
                     .note = SATURATION_NOTE,
                     .series = series,
                     .series_count = count});
}

static TracePanel panel_of(Panel *panel)
{
    const guint count = panel->curves->len;

    panel->series = g_new0(TracePanelSeries, count);
    for (guint i = 0; i < count; i++) {
        const Curve *curve = g_ptr_array_index(panel->curves, i);

        panel->series[i] = (TracePanelSeries){.name = curve->name,
                                              .is_line = !curve->is_beside,
                                              .is_plain = true,
                                              .colour = curve->colour,
                                              .points = points_of(curve),
                                              .point_count = curve->points->len};
    }
    return (TracePanel){.title = panel->title,
                        .x = X_WORDS,
                        .y = Y_WORDS,
                        .series = panel->series,
                        .series_count = count};
}

static char *draw_panels(const TraceLatency *self, const GPtrArray *read)
{
    g_autofree TracePanel *panels = g_new0(TracePanel, read->len);
    g_autofree char *file =
        self->beside != NULL ? g_path_get_basename(self->beside_name) : NULL;
    g_autofree char *note =
        file != NULL ? g_strdup_printf("marks: %s; lines: gridloom", file) : NULL;
    const char *const notes[] = {SATURATION_NOTE, note, NULL};

    for (guint i = 0; i < read->len; i++) {
        panels[i] = panel_of(g_ptr_array_index(read, i));
    }
    return trace_panels_to_svg(&(TracePanels){
        .title = self->title != NULL ? self->title : "Latency over the rate of traffic",
        .panels = panels,
        .panel_count = read->len,
        .column_count = self->columns,
        .notes = notes});
}

static bool check_beside(const TraceLatency *self, GError **error)
{
    static const char *const names[] = {"topology", "size", "pattern",
                                        "routing",  "rate", "latency_mean"};

    for (guint i = 0; self->beside != NULL && i < G_N_ELEMENTS(names); i++) {
        if (trace_csv_column(self->beside, names[i]) < 0) {
            return trace_refuse(error, "%s: no column %s", self->beside_name, names[i]);
        }
    }
    return true;
}

char *trace_latency_to_svg(const TraceLatency *self, GError **error)
{
    g_autoptr(GPtrArray) panels = g_ptr_array_new_with_free_func(panel_free);

    if (!check_beside(self, error)) {
        return NULL;
    }
    for (guint i = 0; i < self->runs->len; i++) {
        Panel *panel = panel_read(self, g_ptr_array_index(self->runs, i), error);

        if (panel == NULL) {
            return NULL;
        }
        g_ptr_array_add(panels, panel);
    }
    return panels->len == 1 && self->beside == NULL
               ? draw_one(self, g_ptr_array_index(panels, 0))
               : draw_panels(self, panels);
}
