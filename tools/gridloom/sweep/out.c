/* Writes all there is to see of a sweep. */
#include "tools/gridloom/sweep/out.h"

#include <errno.h>

#include <glib/gstdio.h>

#include "tools/gridloom/sweep/goal.h"
#include "tools/gridloom/sweep/page.h"
#include "tools/gridloom/sweep/plot.h"
#include "traces/file/output.h"
#include "traces/table/table_csv.h"

enum {
    FOLDER_MODE = 0777,
};

#define TABLE "sweep.csv"
#define PAGE  "sweep.html"
#define FRONT "front.svg"

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
    g_autofree char *page = cmd_sweep_page_new(sweep, table);

    for (guint i = 0; i < wl_sweep_plot_count(sweep); i++) {
        if (!write_picture(folder, sweep, table, i, error)) {
            return false;
        }
    }
    return write_front(folder, sweep, table, error) &&
           trace_table_write_csv(table, path, error) &&
           write_text(folder, PAGE, page, error);
}
