/* gridloom plot scaling: time of several runs over one of their parameters. */
#include "traces/picture/scaling.h"

#include "tools/gridloom/command.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "traces/suite/formula.h"

static const char *const ideals[] = {[TRACE_SCALING_INVERSE] = "inverse",
                                     [TRACE_SCALING_FLAT] = "flat",
                                     [TRACE_SCALING_NONE] = "none",
                                     NULL};

typedef struct {
    CmdPlotFile file;
    char *over;
    char *quantity;
    char *ideal_text;
    guint ideal;
} Options;

static void options_clear(Options *self)
{
    cmd_plot_file_clear(&self->file);
    g_free(self->over);
    g_free(self->quantity);
    g_free(self->ideal_text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

/* What the runs differ in, where nobody says. */
static bool choose_over(Options *self, GError **error)
{
    g_autoptr(GPtrArray) names = NULL;

    if (self->over != NULL) {
        return true;
    }
    names = trace_scaling_parameters(self->file.runs);
    if (names->len == 1) {
        self->over = g_strdup(g_ptr_array_index(names, 0));
        return true;
    }
    if (names->len == 0) {
        return option_fail(error,
                           "plot scaling: the runs do not differ in a number of their "
                           "parameters, say over what with --over");
    }
    if (names->len == 2 && g_str_equal(g_ptr_array_index(names, 0), "cols") &&
        g_str_equal(g_ptr_array_index(names, 1), "rows")) {
        self->over = g_strdup(TRACE_SCALING_CORES);
        return true;
    }
    g_ptr_array_add(names, NULL);
    g_autofree char *text = g_strjoinv(", ", (char **) names->pdata);

    return option_fail(
        error, "plot scaling: the runs differ in %s, say over which with --over", text);
}

static bool parse(Options *self, int argc, char **argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"over", 0, 0, G_OPTION_ARG_FILENAME, &self->over,
         "a parameter, or a formula of a result's numbers: "
         "parameters.rows*parameters.cols (default: the one in which runs differ)",
         "NAME"},
        {"quantity", 0, 0, G_OPTION_ARG_FILENAME, &self->quantity,
         "a formula of a result's numbers (default: " TRACE_SCALING_QUANTITY ")",
         "FORMULA"},
        {"ideal", 0, 0, G_OPTION_ARG_FILENAME, &self->ideal_text,
         "twice as many: half the time, the same time, no line (default: inverse)",
         "inverse|flat|none"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    self->file.name = "plot scaling";
    self->file.summary = "scaling RUN... -o FILE - draw time over a parameter";
    return cmd_plot_file_parse(&self->file, entries, argc, argv, error) &&
           option_word(self->ideal_text, "--ideal", ideals, &self->ideal, error) &&
           (self->over == NULL || trace_formula_check(self->over, error)) &&
           (self->quantity == NULL || trace_formula_check(self->quantity, error)) &&
           cmd_plot_file_read(&self->file, G_MAXINT, error) && choose_over(self, error);
}

static char *draw(const Options *self, GError **error)
{
    const TraceScaling scaling = {
        .runs = self->file.runs,
        .title = self->file.title,
        .over = self->over,
        .quantity = self->quantity,
        .ideal = (TraceScalingIdeal) self->ideal,
    };

    return trace_scaling_to_svg(&scaling, error);
}

int cmd_plot_scaling(int argc, char **argv)
{
    g_auto(Options) options = {0};
    g_autoptr(GError) error = NULL;
    g_autofree char *svg =
        parse(&options, argc, argv, &error) ? draw(&options, &error) : NULL;

    return cmd_plot_file_end(&options.file, svg, error);
}
