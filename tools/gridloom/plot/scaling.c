/* gridloom plot scaling: time of several runs over one of their parameters. */
#include "traces/picture/scaling.h"

#include "tools/gridloom/commands.h"
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
    TraceScalingIdeal ideal;
} Options;

/* Chooses the parameter in which the runs differ, if none is given. */
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

static char *draw(gpointer options, GError **error)
{
    const Options *self = options;
    const TraceScaling scaling = {
        .runs = self->file.runs,
        .title = self->file.title,
        .over = self->over,
        .quantity = self->quantity,
        .ideal = self->ideal,
    };

    return trace_scaling_to_svg(&scaling, error);
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    return (self->over == NULL || trace_formula_check(self->over, error)) &&
           (self->quantity == NULL || trace_formula_check(self->quantity, error)) &&
           cmd_plot_file_open(&self->file, texts, error) && choose_over(self, error);
}

static const Option rows[] = {
    {"over", "NAME",
     "a parameter, or a formula of a result's numbers: parameters.rows*parameters.cols "
     "(default: the one in which runs differ)",
     OPTION_TEXT(over)},
    {"quantity", "FORMULA",
     "a formula of a result's numbers (default: " TRACE_SCALING_QUANTITY ")",
     OPTION_TEXT(quantity)},
    {"ideal", "inverse|flat|none",
     "twice as many: half the time, the same time, no line (default: inverse)",
     OPTION_WORD(ideal, ideals)},
    {0},
};

const Command cmd_plot_scaling = {
    .name = "plot scaling",
    .program = "gridloom plot",
    .words = "scaling RUN... -o FILE",
    .purpose = "draw time over a parameter",
    .tables = {{rows, 0}, {cmd_plot_file_rows, offsetof(Options, file)}},
    COMMAND_OPTIONS(Options,
                    .file = {.name = "plot scaling", .draw = draw, .scale = 1}),
    .check = check,
    .clear = cmd_plot_file_clear,
    .run = cmd_plot_file_run,
};
