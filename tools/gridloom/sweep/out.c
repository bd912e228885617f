/* Writes all there is to see of a sweep. */
#include "tools/gridloom/sweep/out.h"

#include <errno.h>

#include <glib/gstdio.h>

#include "tools/gridloom/record.h"
#include "tools/gridloom/report/page.h"
#include "tools/gridloom/sweep/goal.h"
#include "tools/gridloom/sweep/plot.h"
#include "traces/file/output.h"
#include "traces/table/table_csv.h"
#include "traces/table/table_json.h"

enum {
    FOLDER_MODE = 0777,
};

#define TABLE "sweep.csv"
#define PAGE  "sweep.html"
#define FRONT "front.svg"

static JsonArray *fixed_array(const WlSweep *sweep)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < wl_sweep_fixed_count(sweep); i++) {
        const WlSweepFixed *fixed = wl_sweep_fixed(sweep, i);

        json_array_add_object_element(
            array, record_json(VALUES(VALUE("name", fixed->name),
                                      VALUE("value", fixed->value))));
    }
    return array;
}

static JsonArray *plots_array(const WlSweep *sweep)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < wl_sweep_plot_count(sweep); i++) {
        const WlSweepPlot *plot = wl_sweep_plot(sweep, i);

        json_array_add_object_element(
            array, record_json(VALUES(VALUE("title", plot->title), VALUE("x", plot->x),
                                      VALUE("y", plot->y), VALUE("by", plot->by),
                                      VALUE("is_log_x", plot->is_log_x),
                                      VALUE("is_log_y", plot->is_log_y))));
    }
    return array;
}

/* What the file asks for, if that can be. */
static JsonArray *goals_array(const WlSweep *sweep, const TraceTable *table)
{
    JsonArray *array = json_array_new();
    const char *columns[2];

    for (guint i = 0; wl_sweep_pareto(sweep, columns) && i < 2; i++) {
        TraceGoal goal;

        if (cmd_sweep_goal_parse(columns[i], table, &goal, NULL)) {
            const char *name = trace_table_column(table, goal.column)->name;

            json_array_add_object_element(
                array, record_json(VALUES(VALUE("name", name),
                                          VALUE("is_maximum", goal.is_maximum))));
        }
    }
    return array;
}

/* HTML as that of report/page.h: the table, a scatter plot, its front and parallel
 * coordinates. The caller frees it. */
static char *page_new(const WlSweep *sweep, const TraceTable *table)
{
    g_autoptr(JsonObject) object = trace_table_to_json(table);

    record_add_values(object, VALUES(VALUE("gridloom", GRIDLOOM_VERSION),
                                     VALUE("script", wl_sweep_script(sweep)),
                                     VALUE("fixed", fixed_array(sweep)),
                                     VALUE("plots", plots_array(sweep)),
                                     VALUE("goals", goals_array(sweep, table))));
    return cmd_report_page_of_sweep(object);
}

bool cmd_sweep_out_page(const char *path,
                        const WlSweep *sweep,
                        const TraceTable *table,
                        GError **error)
{
    g_autofree char *page = page_new(sweep, table);

    return trace_output_write(path, page, error);
}

bool cmd_sweep_out_check(const char *folder, GError **error)
{
    static const char *const files[] = {TABLE, PAGE, FRONT};

    if (g_mkdir_with_parents(folder, FOLDER_MODE) != 0) {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "--out %s: %s",
                    folder, g_strerror(errno));
        return false;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i], NULL);

        if (!trace_output_check(path, error)) {
            return false;
        }
    }
    return true;
}

/* Letters, digits and _ for all else, so that it is one name of a file. */
static char *picture_name(guint index, const TraceTablePlot *plot)
{
    char *name =
        plot->by != NULL
            ? g_strdup_printf("%u_%s_over_%s_by_%s.svg", index + 1, plot->y, plot->x,
                              plot->by)
            : g_strdup_printf("%u_%s_over_%s.svg", index + 1, plot->y, plot->x);

    return g_strcanon(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.", '_');
}

static bool
write_text(const char *folder, const char *name, const char *text, GError **error)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);

    return trace_output_write(path, text, error);
}

static bool write_picture(const char *folder,
                          const WlSweep *sweep,
                          const TraceTable *table,
                          guint index,
                          GError **error)
{
    const TraceTablePlot plot = cmd_sweep_plot_of_file(sweep, table, index);
    g_autofree char *name = picture_name(index, &plot);
    g_autofree char *svg = trace_table_plot(table, &plot, TRACE_PICTURE_SVG, error);

    if (svg == NULL) {
        g_prefix_error(error, "plots[%u]: ", index + 1);
        return false;
    }
    return write_text(folder, name, svg, error);
}

static bool write_front(const char *folder,
                        const WlSweep *sweep,
                        const TraceTable *table,
                        GError **error)
{
    const char *columns[2];
    TraceGoal goals[2];

    if (!wl_sweep_pareto(sweep, columns)) {
        return true;
    }
    for (guint i = 0; i < 2; i++) {
        if (!cmd_sweep_goal_parse(columns[i], table, &goals[i], error)) {
            g_prefix_error(error, "pareto: ");
            return false;
        }
    }
    g_autofree char *svg =
        trace_table_plot_front(table, goals, TRACE_PICTURE_SVG, error);

    return svg != NULL && write_text(folder, FRONT, svg, error);
}

bool cmd_sweep_out_write(const char *folder,
                         const WlSweep *sweep,
                         const TraceTable *table,
                         GError **error)
{
    g_autofree char *path = g_build_filename(folder, TABLE, NULL);
    g_autofree char *page = g_build_filename(folder, PAGE, NULL);

    for (guint i = 0; i < wl_sweep_plot_count(sweep); i++) {
        if (!write_picture(folder, sweep, table, i, error)) {
            return false;
        }
    }
    return write_front(folder, sweep, table, error) &&
           trace_table_write_csv(table, path, error) &&
           cmd_sweep_out_page(page, sweep, table, error);
}
