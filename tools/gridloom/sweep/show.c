/* Looking at a sweep. */
#include "tools/gridloom/sweep/show.h"

#include <errno.h>
#include <stdio.h>

#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/report/page.h"
#include "traces/file/json_text.h"
#include "traces/file/output.h"
#include "traces/file/quantity.h"
#include "traces/picture/table_plot.h"
#include "traces/table/record.h"
#include "traces/table/table_json.h"

typedef CmdSweepOptions Options;
typedef CmdSweepResult Result;

#define TABLE "sweep.csv"
#define PAGE  "sweep.html"
#define FRONT "front.svg"

enum {
    FOLDER_MODE = 0777,
    RUNS_SHOWN = 5,
};

/* The first recorded value, which is drawn by default. */
static const char *first_metric(const TraceTable *table)
{
    for (guint i = 0; i < trace_table_column_count(table); i++) {
        if (trace_table_column(table, i)->kind == TRACE_COLUMN_METRIC) {
            return trace_table_column(table, i)->name;
        }
    }
    return "seconds";
}

/* The plot with this index in the file's list. */
static TraceTablePlot
plot_of_file(const WlSweep *sweep, const TraceTable *table, guint index)
{
    const WlSweepPlot *plot = wl_sweep_plot(sweep, index);

    TraceTablePlot picture = {
        .x = plot->x,
        .by = plot->by,
        .y = plot->y != NULL ? plot->y : first_metric(table),
        .x_scale = plot->is_log_x ? TRACE_AXIS_LOG : TRACE_AXIS_AUTO,
        .y_scale = plot->is_log_y ? TRACE_AXIS_LOG : TRACE_AXIS_AUTO,
        .title = plot->title,
        .has_intervals = wl_sweep_uncertainty(sweep) > 0,
        .level_count = MIN(plot->level_count, TRACE_TABLE_LEVELS_MOST),
    };

    for (guint i = 0; i < picture.level_count; i++) {
        picture.levels[i].name = plot->levels[i].name;
        picture.levels[i].y = plot->levels[i].y;
    }
    return picture;
}

/* The plot of --plot, --by and --y; takes axes and title from a plot of the same
 * columns in the file's list. */
static TraceTablePlot
plot_of_line(const Options *options, const WlSweep *sweep, const TraceTable *table)
{
    const TraceTablePlot plot = {.x = options->plot,
                                 .by = options->by,
                                 .y = options->y != NULL ? options->y
                                                         : first_metric(table),
                                 .has_intervals = wl_sweep_uncertainty(sweep) > 0};

    for (guint i = 0; i < wl_sweep_plot_count(sweep); i++) {
        const TraceTablePlot own = plot_of_file(sweep, table, i);

        if (g_strcmp0(own.x, plot.x) == 0 && g_strcmp0(own.by, plot.by) == 0 &&
            g_strcmp0(own.y, plot.y) == 0) {
            return own;
        }
    }
    return plot;
}

bool cmd_sweep_goals_parse(const char *text,
                           const TraceTable *table,
                           TraceGoal goals[2],
                           GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);

    if (g_strv_length(parts) != 2 || *parts[0] == '\0' || *parts[1] == '\0') {
        return option_refuse("--pareto", text,
                             "two columns A,B, of which less is better; -A or max:A "
                             "where more of it is",
                             error);
    }
    if (!trace_goal_read(parts[0], table, &goals[0], error) ||
        !trace_goal_read(parts[1], table, &goals[1], error)) {
        g_prefix_error(error, "--pareto: ");
        return false;
    }
    return goals[0].column != goals[1].column ||
           option_refuse("--pareto", text, "two different columns", error);
}

/* Reads the goals of the file, if it has any. */
static bool read_goals(const WlSweep *sweep,
                       const TraceTable *table,
                       TraceGoal goals[2],
                       GError **error)
{
    const char *columns[2];

    for (guint i = 0; wl_sweep_pareto(sweep, columns) && i < 2; i++) {
        if (!trace_goal_read(columns[i], table, &goals[i], error)) {
            g_prefix_error(error, "pareto: ");
            return false;
        }
    }
    return true;
}

static bool check_column(const TraceTable *columns,
                         const char *option,
                         const char *name,
                         GError **error)
{
    if (name != NULL && trace_table_plot_column(columns, name, false, error) < 0) {
        g_prefix_error(error, "%s: ", option);
        return false;
    }
    return true;
}

static bool check_words(const Options *options, GError **error)
{
    if (options->plot == NULL && (options->by != NULL || options->y != NULL)) {
        return option_fail(error, "--by and --y belong to --plot X, which is missing");
    }
    if (options->output != NULL && options->plot == NULL && options->pareto == NULL) {
        return option_fail(error,
                           "-o is of --plot X or --pareto A,B, which are missing");
    }
    if (options->output != NULL && options->plot != NULL && options->pareto != NULL) {
        return option_fail(error, "-o is one picture, of --plot or of --pareto; give "
                                  "one of them, or --out for all");
    }
    return true;
}

static bool check_plots(const WlSweep *sweep, const TraceTable *columns, GError **error)
{
    for (guint i = 0; i < wl_sweep_plot_count(sweep); i++) {
        const TraceTablePlot plot = plot_of_file(sweep, columns, i);
        g_autofree char *where = g_strdup_printf("plots[%u]", i + 1);

        if (!check_column(columns, where, plot.x, error) ||
            !check_column(columns, where, plot.by, error) ||
            !check_column(columns, where, plot.y, error)) {
            return false;
        }
    }
    return true;
}

/* Can the folder be written? Makes it where it is not there. */
static bool check_folder(const char *folder, GError **error)
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

bool cmd_sweep_show_check(const Options *options,
                          const WlSweep *sweep,
                          const TraceTable *columns,
                          GError **error)
{
    TraceGoal goals[2];

    return check_words(options, error) &&
           check_column(columns, "--plot", options->plot, error) &&
           check_column(columns, "--by", options->by, error) &&
           check_column(columns, "--y", options->y, error) &&
           check_plots(sweep, columns, error) &&
           read_goals(sweep, columns, goals, error) &&
           (options->pareto == NULL ||
            cmd_sweep_goals_parse(options->pareto, columns, goals, error)) &&
           (options->output == NULL || cmd_plot_file_check(options->output, error)) &&
           (options->csv == NULL || trace_output_check(options->csv, error)) &&
           (options->html == NULL || trace_output_check(options->html, error)) &&
           (options->out == NULL || check_folder(options->out, error));
}

/* May something be printed? Not where a file goes to standard output. */
static bool may_print(const Options *options)
{
    const char *const files[] = {options->json, options->csv, options->html,
                                 options->output};
    bool has_text = !options->is_quiet;

    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        has_text = has_text && !trace_output_is_stdout(files[i]);
    }
    return has_text;
}

static JsonArray *fixed_array(const WlSweep *sweep)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < wl_sweep_fixed_count(sweep); i++) {
        const WlSweepFixed *fixed = wl_sweep_fixed(sweep, i);

        json_array_add_object_element(
            array, RECORD(VALUE("name", fixed->name), VALUE("value", fixed->value)));
    }
    return array;
}

static JsonArray *plots_array(const WlSweep *sweep)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < wl_sweep_plot_count(sweep); i++) {
        const WlSweepPlot *plot = wl_sweep_plot(sweep, i);

        json_array_add_object_element(
            array, RECORD(VALUE("title", plot->title), VALUE("x", plot->x),
                          VALUE("y", plot->y), VALUE("by", plot->by),
                          VALUE("is_log_x", plot->is_log_x),
                          VALUE("is_log_y", plot->is_log_y)));
    }
    return array;
}

/* The goals that the file asks for, if possible. */
static JsonArray *goals_array(const WlSweep *sweep, const TraceTable *table)
{
    JsonArray *array = json_array_new();
    const char *columns[2];

    for (guint i = 0; wl_sweep_pareto(sweep, columns) && i < 2; i++) {
        TraceGoal goal;

        if (trace_goal_read(columns[i], table, &goal, NULL)) {
            const char *name = trace_table_column(table, goal.column)->name;

            json_array_add_object_element(
                array,
                RECORD(VALUE("name", name), VALUE("is_maximum", goal.is_maximum)));
        }
    }
    return array;
}

/* The table, a scatter plot, its front and parallel coordinates. */
static bool write_page(const char *path,
                       const WlSweep *sweep,
                       const TraceTable *table,
                       GError **error)
{
    g_autoptr(JsonObject) object = trace_table_to_json(table);
    g_autofree char *page = NULL;

    RECORD_ADD(object, VALUE("gridloom", GRIDLOOM_VERSION),
               VALUE("script", wl_sweep_script(sweep)),
               VALUE("fixed", fixed_array(sweep)), VALUE("plots", plots_array(sweep)),
               VALUE("goals", goals_array(sweep, table)));
    page = cmd_report_page_of_sweep(object);
    return trace_output_write(path, page, error);
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

static bool write_picture(const char *folder,
                          const WlSweep *sweep,
                          const TraceTable *table,
                          guint index,
                          GError **error)
{
    const TraceTablePlot plot = plot_of_file(sweep, table, index);
    g_autofree char *name = picture_name(index, &plot);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *svg = trace_table_plot(table, &plot, TRACE_PICTURE_SVG, error);

    if (svg == NULL) {
        g_prefix_error(error, "plots[%u]: ", index + 1);
        return false;
    }
    return trace_output_write(path, svg, error);
}

static bool write_front(const char *path,
                        const WlSweep *sweep,
                        const TraceTable *table,
                        GError **error)
{
    const char *columns[2];
    TraceGoal goals[2] = {{0}};

    if (!wl_sweep_pareto(sweep, columns)) {
        return true;
    }
    if (!read_goals(sweep, table, goals, error)) {
        return false;
    }
    g_autofree char *svg =
        trace_table_plot_front(table, goals, TRACE_PICTURE_SVG, error);

    return svg != NULL && trace_output_write(path, svg, error);
}

static bool write_folder(const char *folder,
                         const WlSweep *sweep,
                         const TraceTable *table,
                         GError **error)
{
    g_autofree char *front = g_build_filename(folder, FRONT, NULL);
    g_autofree char *csv = g_build_filename(folder, TABLE, NULL);
    g_autofree char *page = g_build_filename(folder, PAGE, NULL);

    for (guint i = 0; i < wl_sweep_plot_count(sweep); i++) {
        if (!write_picture(folder, sweep, table, i, error)) {
            return false;
        }
    }
    return write_front(front, sweep, table, error) &&
           trace_table_write_csv(table, csv, error) &&
           write_page(page, sweep, table, error);
}

/* To its file, or in messages where there is none. */
static bool put(const Options *options, const char *picture, GError **error)
{
    if (options->output != NULL) {
        return cmd_plot_file_write(options->output, picture, CMD_PLOT_FILE_SHARP,
                                   error);
    }
    printf("%s", picture);
    return true;
}

static bool draw_plot(const Options *options,
                      const WlSweep *sweep,
                      const TraceTable *table,
                      GError **error)
{
    const TraceTablePlot plot = plot_of_line(options, sweep, table);
    g_autofree char *picture = trace_table_plot(
        table, &plot, options->output != NULL ? TRACE_PICTURE_SVG : TRACE_PICTURE_TEXT,
        error);

    return picture != NULL && put(options, picture, error);
}

static bool draw_front(const Options *options, const TraceTable *table, GError **error)
{
    TraceGoal goals[2];

    if (!cmd_sweep_goals_parse(options->pareto, table, goals, error)) {
        return false;
    }
    g_autofree char *picture = trace_table_plot_front(
        table, goals, options->output != NULL ? TRACE_PICTURE_SVG : TRACE_PICTURE_TEXT,
        error);

    if (picture == NULL) {
        return false;
    }
    if (may_print(options)) {
        g_autofree char *list = trace_table_front_text(table, goals);

        printf("%s", list);
    }
    return put(options, picture, error);
}

bool cmd_sweep_show(const Options *options,
                    const WlSweep *sweep,
                    const TraceTable *table,
                    GError **error)
{
    const bool is_drawn = options->output != NULL || may_print(options);

    return (options->plot == NULL || !is_drawn ||
            draw_plot(options, sweep, table, error)) &&
           (options->pareto == NULL || !is_drawn ||
            draw_front(options, table, error)) &&
           (options->csv == NULL ||
            trace_table_write_csv(table, options->csv, error)) &&
           (options->html == NULL || write_page(options->html, sweep, table, error)) &&
           (options->out == NULL || write_folder(options->out, sweep, table, error));
}

/* The share of the workers' time that was spent inside runs; 0..1. */
static double share_inside(const Result *self)
{
    const double all = self->work.wall_seconds * self->options->jobs * self->rank_count;

    return all > 0 ? self->work.run_seconds / all : 0;
}

static void print(const Result *self)
{
    const WlSweepTally *tally = &self->tally;
    g_autofree char *wall = quantity_seconds(self->work.wall_seconds);

    printf("%s: %u runs, %u done, %u failed, %u lost\n", self->options->database,
           wl_sweep_run_count(self->sweep), tally->done, tally->failed, tally->lost);
    if (self->work.run_count > 0) {
        printf("%u of them now, in %s: %.3g/s, %.0f %% of the time inside runs\n",
               self->work.run_count, wall,
               self->work.run_count / self->work.wall_seconds,
               100 * share_inside(self));
    }
}

static char *to_json(const Result *self)
{
    JsonObject *now = RECORD(
        VALUE("runs", self->work.run_count), VALUE("jobs", self->options->jobs),
        VALUE("ranks", self->rank_count), VALUE("run_seconds", self->work.run_seconds),
        VALUE("work_seconds", self->work.wall_seconds),
        VALUE("wall_seconds", self->wall_seconds));
    g_autoptr(JsonObject) object =
        RECORD(VALUE("sweep", wl_sweep_summary(self->sweep)),
               VALUE("script", wl_sweep_script(self->sweep)),
               VALUE("database", self->options->database),
               VALUE("runs", wl_sweep_run_count(self->sweep)),
               VALUE("done", self->tally.done), VALUE("failed", self->tally.failed),
               VALUE("lost", self->tally.lost), VALUE("host", now));

    return trace_json_object_text(object, true);
}

bool cmd_sweep_show_result(const Result *self, GError **error)
{
    const Options *options = self->options;

    if (may_print(options)) {
        print(self);
    }
    if (options->json == NULL) {
        return true;
    }
    g_autofree char *json = to_json(self);

    return trace_output_write(options->json, json, error);
}

void cmd_sweep_show_plan(const WlSweep *sweep)
{
    const guint count = wl_sweep_run_count(sweep);
    g_autofree char *shown = quantity_count(count);

    printf("%s: %s runs; everything is in order, nothing was run\n",
           wl_sweep_summary(sweep), shown);
    for (guint i = 0; i < wl_sweep_axis_count(sweep); i++) {
        printf("  %s: %u values\n", wl_sweep_axis(sweep, i)->name,
               wl_sweep_axis(sweep, i)->value_count);
    }
    for (guint i = 0; i < MIN(count, RUNS_SHOWN); i++) {
        g_autofree char *line = wl_sweep_run_line(sweep, i);

        printf("%s\n", line);
    }
    if (count > RUNS_SHOWN) {
        printf("...\n");
    }
}
