/* gridloom report: runs as one page to look at. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/report/page.h"
#include "tools/gridloom/run/input.h"
#include "traces/file/output.h"

typedef struct {
    char **names;
    char *output;
    bool is_quiet;
} Options;

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    const Options *self = options;

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
    const Options *options = data;
    g_autoptr(Progress) progress = progress_new("report", !options->is_quiet);
    g_autoptr(GPtrArray) runs = NULL;
    g_autoptr(GError) error = NULL;

    runs = cmd_run_input_read_all(progress, options->names, "making the page", &error);
    if (runs == NULL) {
        return complain_of(error);
    }
    g_autofree char *page =
        cmd_report_page_new((TraceRun *const *) runs->pdata, runs->len);

    if (!trace_output_write(options->output, page, &error)) {
        return complain_of(error);
    }
    g_clear_pointer(&progress, progress_free);
    if (!options->is_quiet && !trace_output_is_stdout(options->output)) {
        printf("%s: %u run%s, %zu kB\n", options->output, runs->len,
               runs->len == 1 ? "" : "s", (strlen(page) + 999) / 1000);
    }
    return EXIT_DONE;
}

static const Option rows[] = {
    {"output", "FILE.html", "the page to write; - is standard output",
     OPTION_TEXT(output), .letter = 'o'},
    {"quiet", NULL, "say nothing", OPTION_FLAG(is_quiet), .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(names)},
    {0},
};

const Command cmd_report = {
    .name = "report",
    .words = "RUN...",
    .purpose = "show runs on a page",
    .missing = "no run; give traces, results or folders of --out",
    .help = "report",
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .check = check,
    .run = run,
};
