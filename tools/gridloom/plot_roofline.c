/* gridloom plot roofline: how near runs came to the roofs of their chips. */
#include <math.h>
#include <string.h>

#include "tools/gridloom/command.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot_file.h"
#include "tools/gridloom/quantity.h"
#include "traces/error.h"
#include "traces/json_member.h"
#include "traces/plot.h"
#include "traces/roofline.h"

#define GIGA 1e9
#define ROOM 4.0 /* axes go so many times beyond points and ridges */

/* Where bytes are counted, and what roof they have on the chips there are. */
typedef struct {
    const char *counter;
    const char *roofs[2];
} Memory;

static const Memory memories[] = {
    {"sram_bytes", {"L1", "SRAM"}},
    {"noc_bytes", {"NoC links", "fabric links"}},
    {"received_bytes", {"NoC into cores", "ramps into PEs"}},
    {"dram_bytes", {"DRAM", NULL}},
};

/* In their order, then all of them. */
static const char *const memory_names[] = {"sram", "noc", "received",
                                           "dram", "all", NULL};
enum {
    MEMORY_ALL = G_N_ELEMENTS(memories),
    LINE_POINTS = 2,
};

typedef struct {
    char *key; /* equal ones are drawn once */
    double peak;
    double bandwidth; /* 0: a peak */
} Roof;

typedef struct {
    GArray *roofs;  /* of Roof */
    GArray *series; /* of TracePlotSeries; names and points are theirs */
    double low;     /* intensities of points */
    double high;
} Picture;

static void roof_clear(gpointer data)
{
    g_free(((Roof *) data)->key);
}

static void series_clear(gpointer data)
{
    TracePlotSeries *self = data;

    g_free((gpointer) self->name);
    g_free((gpointer) self->points);
}

static void picture_init(Picture *self)
{
    self->roofs = g_array_new(FALSE, TRUE, sizeof(Roof));
    self->series = g_array_new(FALSE, TRUE, sizeof(TracePlotSeries));
    g_array_set_clear_func(self->roofs, roof_clear);
    g_array_set_clear_func(self->series, series_clear);
    self->low = INFINITY;
}

static void picture_clear(Picture *self)
{
    g_array_unref(self->roofs);
    g_array_unref(self->series);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Picture, picture_clear)

/* Takes `name`. */
static void add_series(Picture *self,
                       const char *name,
                       TracePlotStyle style,
                       const TracePlotPoint *points,
                       gsize count)
{
    TracePlotPoint *own = g_new(TracePlotPoint, count);
    TracePlotSeries series = {
        .name = name, .style = style, .points = own, .point_count = count};

    memcpy(own, points, count * sizeof *points);
    g_array_append_val(self->series, series);
}

static bool is_roof(JsonObject *roof, const char *unit)
{
    return g_str_equal(trace_json_string(roof, "unit", ""), unit) &&
           trace_json_number(roof, "value", 0) > 0;
}

static double highest_peak(JsonArray *roofs)
{
    double peak = 0;

    for (guint i = 0; i < trace_json_count(roofs); i++) {
        JsonObject *roof = trace_json_item(roofs, i);

        if (is_roof(roof, "FLOP per second")) {
            peak = fmax(peak, trace_json_number(roof, "value", 0));
        }
    }
    return peak;
}

/* The bandwidth of a memory, and its name in this chip. */
static JsonObject *roof_of(JsonArray *roofs, const Memory *memory)
{
    for (guint i = 0; i < trace_json_count(roofs); i++) {
        JsonObject *roof = trace_json_item(roofs, i);
        const char *name = trace_json_string(roof, "name", "");

        if (is_roof(roof, "bytes per second") &&
            (g_str_equal(name, memory->roofs[0]) ||
             g_strcmp0(name, memory->roofs[1]) == 0)) {
            return roof;
        }
    }
    return NULL;
}

static void add_roof(Picture *self, char *key, double peak, double bandwidth)
{
    Roof added = {.key = key, .peak = peak, .bandwidth = bandwidth};

    for (guint i = 0; i < self->roofs->len; i++) {
        if (g_str_equal(g_array_index(self->roofs, Roof, i).key, key)) {
            g_free(key);
            return;
        }
    }
    g_array_append_val(self->roofs, added);
}

static void add_peaks(Picture *self, const TraceRun *run, JsonArray *roofs)
{
    for (guint i = 0; i < trace_json_count(roofs); i++) {
        JsonObject *roof = trace_json_item(roofs, i);

        if (is_roof(roof, "FLOP per second")) {
            double value = trace_json_number(roof, "value", 0);
            g_autofree char *rate = quantity_scaled(value);

            add_roof(self,
                     g_strdup_printf("%s %sFLOP/s, %s",
                                     trace_json_string(roof, "name", "peak"), rate,
                                     trace_json_string(run->result, "chip", "")),
                     value, 0);
        }
    }
}

/* What a run did with a memory; false where it did nothing there. */
static bool read_run(const TraceRun *run, const Memory *memory, TraceRooflineRun *read)
{
    JsonObject *counters = trace_json_object(run->result, "counters");
    JsonObject *metrics = trace_json_object(run->result, "metrics");
    double device = trace_json_number(metrics, "device_seconds", 0);

    *read = (TraceRooflineRun){
        .flops = trace_json_number(counters, "flops", 0),
        .bytes = trace_json_number(counters, memory->counter, 0),
        .cycles = trace_json_number(run->result, "cycles", 0),
        .seconds = device > 0 ? device : trace_json_number(run->result, "seconds", 0),
    };
    return read->flops > 0 && read->bytes > 0 && read->seconds > 0;
}

static bool add_run(Picture *self, const TraceRun *run, const Memory *memory)
{
    JsonArray *roofs = trace_json_array(run->result, "roofs");
    JsonObject *roof = roof_of(roofs, memory);
    double peak = highest_peak(roofs);
    TraceRooflineRun read;

    if (roof == NULL || !(peak > 0) || !read_run(run, memory, &read)) {
        return false;
    }
    double bandwidth = trace_json_number(roof, "value", 0);
    double intensity = trace_roofline_run_intensity(&read);
    const TracePlotPoint point = {intensity, read.flops / read.seconds / GIGA};
    const TraceRoofline line = {.peak = peak, .bandwidth = bandwidth};
    g_autofree char *rate = quantity_scaled(bandwidth);
    g_autofree char *name = plot_file_run_name(run);
    const char *place = trace_json_string(roof, "name", "");

    add_roof(self,
             g_strdup_printf("%s %sB/s, %s", place, rate,
                             trace_json_string(run->result, "chip", "")),
             peak, bandwidth);
    add_peaks(self, run, roofs);
    add_series(self,
               g_strdup_printf("%s, %s: %.2g %% of what it allows", name, place,
                               100 * read.flops / read.seconds /
                                   trace_roofline_attainable(&line, intensity)),
               TRACE_PLOT_POINTS, &point, 1);
    self->low = fmin(self->low, fmin(intensity, trace_roofline_ridge(&line)));
    self->high = fmax(self->high, fmax(intensity, trace_roofline_ridge(&line)));
    return true;
}

/* Slopes to their ridge, peaks from the widest axis to the other. */
static void add_lines(Picture *self)
{
    for (guint i = 0; i < self->roofs->len; i++) {
        Roof *roof = &g_array_index(self->roofs, Roof, i);
        const TraceRoofline line = {.peak = roof->peak, .bandwidth = roof->bandwidth};
        const double low = self->low / ROOM;
        TracePlotPoint points[LINE_POINTS] = {{low, roof->peak / GIGA},
                                              {self->high * ROOM, roof->peak / GIGA}};

        if (roof->bandwidth > 0) {
            points[0].y = trace_roofline_attainable(&line, low) / GIGA;
            points[1].x = trace_roofline_ridge(&line);
        }
        add_series(self, g_strdup(roof->key), TRACE_PLOT_LINE, points, LINE_POINTS);
    }
}

static char *draw(const PlotFile *file, guint memory, GError **error)
{
    g_auto(Picture) picture = {0};
    g_autofree char *name = plot_file_run_name(g_ptr_array_index(file->runs, 0));
    bool is_any = false;

    picture_init(&picture);
    for (guint i = 0; i < file->runs->len; i++) {
        for (guint k = 0; k < G_N_ELEMENTS(memories); k++) {
            if (memory == MEMORY_ALL || memory == k) {
                is_any =
                    add_run(&picture, g_ptr_array_index(file->runs, i), &memories[k]) ||
                    is_any;
            }
        }
    }
    if (!is_any) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_LACKS,
                    "%s: no run has operations, bytes through --memory %s, and their "
                    "roofs",
                    file->words[0], memory_names[memory]);
        return NULL;
    }
    add_lines(&picture);
    return trace_plot_to_svg(&(TracePlot){
        .title = file->title != NULL ? file->title : name,
        .x = "operations per byte [FLOP/B]",
        .y = "rate while programs ran [GFLOP/s]",
        .is_log_x = true,
        .is_log_y = true,
        .series = (const TracePlotSeries *) (const void *) picture.series->data,
        .series_count = picture.series->len,
    });
}

int cmd_plot_roofline(int argc, char **argv)
{
    g_auto(PlotFile) file = {.name = "plot roofline",
                             .summary = "roofline RUN... -o FILE - draw how near runs "
                                        "came to the roofs of their chips"};
    g_autofree char *memory_text = NULL;
    g_autofree char *svg = NULL;
    g_autoptr(GError) error = NULL;
    guint memory = MEMORY_ALL;
    const GOptionEntry entries[] = {
        {"memory", 0, 0, G_OPTION_ARG_FILENAME, &memory_text,
         "whose bytes are counted (default: all)", "sram|noc|received|dram|all"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    if (plot_file_parse(&file, entries, argc, argv, &error) &&
        option_word(memory_text, "--memory", memory_names, &memory, &error) &&
        plot_file_read(&file, G_MAXINT, &error)) {
        svg = draw(&file, memory, &error);
    }
    return plot_file_end(&file, svg, error);
}
