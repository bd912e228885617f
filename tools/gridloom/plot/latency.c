/* gridloom plot latency: latency of traffic over its rate. */
#include "traces/picture/latency.h"

#include "tools/gridloom/commands.h"
#include "tools/gridloom/plot/file.h"
#include "traces/file/named_files.h"

enum {
    COLUMNS = 2,
    COLUMNS_MOST = 16,
};

typedef struct {
    CmdPlotFile file;
    guint columns;
    char *beside;
} Options;

static TraceCsv *read_beside(const char *path, GError **error)
{
    gsize length = 0;
    g_autofree char *text = trace_named_file_read(path, &length, error);

    return text != NULL ? trace_csv_parse(path, text, length, error) : NULL;
}

static char *draw(gpointer options, GError **error)
{
    const Options *self = options;
    g_autoptr(TraceCsv) beside =
        self->beside != NULL ? read_beside(self->beside, error) : NULL;
    const TraceLatency latency = {
        .runs = self->file.runs,
        .title = self->file.title,
        .columns = self->columns,
        .beside = beside,
        .beside_name = self->beside,
    };

    return self->beside != NULL && beside == NULL
               ? NULL
               : trace_latency_to_svg(&latency, error);
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;

    return cmd_plot_file_open(&self->file, texts, error);
}

static const Option rows[] = {
    {"columns", "N", "panels beside each other (default: 2)",
     OPTION_SMALL(columns, 1, COLUMNS_MOST)},
    {"beside", "FILE.csv",
     "points to draw as marks, with the columns topology, size, pattern, routing, rate "
     "and latency_mean",
     OPTION_TEXT(beside)},
    {0},
};

const Command cmd_plot_latency = {
    .name = "plot latency",
    .program = "gridloom plot",
    .words = "latency RUN... -o FILE",
    .purpose = "draw latency of noc traffic over its rate, a panel for each run",
    .tables = {{rows, 0}, {cmd_plot_file_rows, offsetof(Options, file)}},
    COMMAND_OPTIONS(Options,
                    .file = {.name = "plot latency", .draw = draw, .scale = 1},
                    .columns = COLUMNS),
    .check = check,
    .clear = cmd_plot_file_clear,
    .run = cmd_plot_file_run,
};
