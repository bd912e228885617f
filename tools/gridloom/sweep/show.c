/* Looking at a sweep. */
#include "tools/gridloom/sweep/show.h"

#include <stdio.h>

#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/sweep/goal.h"
#include "tools/gridloom/sweep/out.h"
#include "tools/gridloom/sweep/plot.h"
#include "traces/file/output.h"
#include "traces/picture/table_plot.h"
#include "traces/table/table_csv.h"

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

static bool check_words(const CmdSweepOptions *options, GError **error)
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
        const TraceTablePlot plot = cmd_sweep_plot_of_file(sweep, columns, i);
        g_autofree char *where = g_strdup_printf("plots[%u]", i + 1);

        if (!check_column(columns, where, plot.x, error) ||
            !check_column(columns, where, plot.by, error) ||
            !check_column(columns, where, plot.y, error)) {
            return false;
        }
    }
    return true;
}

static bool check_goals(const CmdSweepOptions *options,
                        const WlSweep *sweep,
                        const TraceTable *columns,
                        GError **error)
{
    const char *names[2];
    TraceGoal goals[2];

    for (guint i = 0; wl_sweep_pareto(sweep, names) && i < 2; i++) {
        if (!cmd_sweep_goal_parse(names[i], columns, &goals[i], error)) {
            g_prefix_error(error, "pareto: ");
            return false;
        }
    }
    return options->pareto == NULL ||
           cmd_sweep_goals_parse(options->pareto, columns, goals, error);
}

bool cmd_sweep_show_check(const CmdSweepOptions *options,
                          const WlSweep *sweep,
                          const TraceTable *columns,
                          GError **error)
{
    return check_words(options, error) &&
           check_column(columns, "--plot", options->plot, error) &&
           check_column(columns, "--by", options->by, error) &&
           check_column(columns, "--y", options->y, error) &&
           check_plots(sweep, columns, error) &&
           check_goals(options, sweep, columns, error) &&
           (options->output == NULL || cmd_plot_file_check(options->output, error)) &&
           (options->csv == NULL || trace_output_check(options->csv, error)) &&
           (options->html == NULL || trace_output_check(options->html, error)) &&
           (options->out == NULL || cmd_sweep_out_check(options->out, error));
}

bool cmd_sweep_has_text(const CmdSweepOptions *options)
{
    const char *const files[] = {options->json, options->csv, options->html,
                                 options->output};
    bool has_text = !options->is_quiet;

    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        has_text = has_text && !trace_output_is_stdout(files[i]);
    }
    return has_text;
}

/* To its file, or in messages where there is none. */
static bool put(const CmdSweepOptions *options, const char *picture, GError **error)
{
    if (options->output != NULL) {
        return cmd_plot_file_write(options->output, picture, CMD_PLOT_FILE_SHARP,
                                   error);
    }
    printf("%s", picture);
    return true;
}

static bool draw_plot(const CmdSweepOptions *options,
                      const WlSweep *sweep,
                      const TraceTable *table,
                      GError **error)
{
    const TraceTablePlot plot = cmd_sweep_plot_of_line(options, sweep, table);
    g_autofree char *picture = trace_table_plot(
        table, &plot, options->output != NULL ? TRACE_PICTURE_SVG : TRACE_PICTURE_TEXT,
        error);

    return picture != NULL && put(options, picture, error);
}

static bool
draw_front(const CmdSweepOptions *options, const TraceTable *table, GError **error)
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
    if (cmd_sweep_has_text(options)) {
        cmd_sweep_goals_print(table, goals);
    }
    return put(options, picture, error);
}

bool cmd_sweep_show(const CmdSweepOptions *options,
                    const WlSweep *sweep,
                    const TraceTable *table,
                    GError **error)
{
    const bool is_drawn = options->output != NULL || cmd_sweep_has_text(options);

    return (options->plot == NULL || !is_drawn ||
            draw_plot(options, sweep, table, error)) &&
           (options->pareto == NULL || !is_drawn ||
            draw_front(options, table, error)) &&
           (options->csv == NULL ||
            trace_table_write_csv(table, options->csv, error)) &&
           (options->html == NULL ||
            cmd_sweep_out_page(options->html, sweep, table, error)) &&
           (options->out == NULL ||
            cmd_sweep_out_write(options->out, sweep, table, error));
}
