/* gridloom report: runs as one page to look at. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/report/page.h"
#include "tools/gridloom/run/input.h"
#include "traces/file/output.h"

typedef struct {
    char **names;
    char *output;
    bool is_quiet;
} ReportOptions;

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    const ReportOptions *self = options;

    if (self->names == NULL) {
        return option_fail(error,
                           "report: no run; give traces, results or folders of --out");
    }
    if (g_strv_length(self->names) > CMD_REPORT_PAGE_RUNS) {
        return option_fail(error, "report: too many runs for one page, at most %d",
                           CMD_REPORT_PAGE_RUNS);
    }
    if (self->output == NULL) {
        return option_fail(error,
                           "report: no page to write, give one with -o FILE.html");
    }
    return trace_output_check(self->output, error) &&
           trace_output_check_apart(self->output, self->names, error);
}

static int run(gpointer data)
{
    const ReportOptions *options = data;
    g_autoptr(GPtrArray) runs = NULL;
    g_autoptr(GError) error = NULL;

    runs = cmd_run_input_read_all(options->names, &error);
    if (runs == NULL) {
        return complain_of(error);
    }
    g_autofree char *page =
        cmd_report_page_new((TraceRun *const *) runs->pdata, runs->len);

    if (!trace_output_write(options->output, page, &error)) {
        return complain_of(error);
    }
    if (!options->is_quiet && !trace_output_is_stdout(options->output)) {
        printf("%s: %u run%s, %zu kB\n", options->output, runs->len,
               runs->len == 1 ? "" : "s", (strlen(page) + 999) / 1000);
    }
    return EXIT_DONE;
}

static const Option rows[] = {
    {"output", 'o', "FILE.html", "the page to write; - is standard output",
     OPTION_TEXT(ReportOptions, output)},
    {"quiet", 'q', NULL, "say nothing", OPTION_FLAG(ReportOptions, is_quiet)},
    {OPTION_WORDS, 0, NULL, NULL, OPTION_TEXTS(ReportOptions, names)},
    {0},
};

const Command cmd_report = {
    .name = "report",
    .words = "RUN...",
    .purpose = "show runs on a page",
    .help = "report",
    .tables = {{rows, 0}},
    .size = sizeof(ReportOptions),
    .check = check,
    .run = run,
};
