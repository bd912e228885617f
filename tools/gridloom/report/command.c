/* gridloom report: runs as one page to look at. */
#include "tools/gridloom/command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/report/page.h"
#include "tools/gridloom/run/input.h"
#include "traces/file/output.h"

static const char *const description =
    "A RUN is a trace (.pftrace), a result (.json), or a folder that --out has made.\n"
    "Several are put side by side, with ratios to the first. The page is one file: it\n"
    "needs no network and no other file. What a run does not tell, such as the\n"
    "timeline of a result without a trace, is left out, and the page says so.\n\n"
    "  gridloom run pcg --out pcg && gridloom report pcg -o pcg.html\n"
    "  gridloom report naive.pftrace centre.pftrace -o reduce.html\n";

typedef struct {
    char **names;
    char *output;
    gboolean is_quiet;
} ReportOptions;

static void report_options_clear(ReportOptions *self)
{
    g_strfreev(self->names);
    g_free(self->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ReportOptions, report_options_clear)

static bool refuse(const char *why, GError **error)
{
    return option_fail(error, "report: %s", why);
}

static bool parse(ReportOptions *self, int argc, char **argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output,
         "the page to write; - is standard output", "FILE.html"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet, "say nothing", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->names, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("RUN... - show runs on a page");

    g_set_prgname("gridloom report");
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_description(context, description);
    if (!g_option_context_parse(context, &argc, &argv, error)) {
        return false;
    }
    if (self->names == NULL || self->names[0] == NULL) {
        return refuse("no run; give traces, results or folders of --out", error);
    }
    if (g_strv_length(self->names) > CMD_REPORT_PAGE_RUNS) {
        return option_fail(error, "report: too many runs for one page, at most %d",
                           CMD_REPORT_PAGE_RUNS);
    }
    if (self->output == NULL) {
        return refuse("no page to write, give one with -o FILE.html", error);
    }
    return trace_output_check(self->output, error) &&
           trace_output_check_apart(self->output, self->names, error);
}

int cmd_report(int argc, char **argv)
{
    g_auto(ReportOptions) options = {0};
    g_autoptr(GPtrArray) runs = NULL;
    g_autoptr(GError) error = NULL;

    if (!parse(&options, argc, argv, &error)) {
        return complain_of(error);
    }
    runs = cmd_run_input_read_all(options.names, &error);
    if (runs == NULL) {
        return complain_of(error);
    }
    g_autofree char *page =
        cmd_report_page_new((TraceRun *const *) runs->pdata, runs->len);

    if (!trace_output_write(options.output, page, &error)) {
        return complain_of(error);
    }
    if (!options.is_quiet && !trace_output_is_stdout(options.output)) {
        printf("%s: %u run%s, %zu kB\n", options.output, runs->len,
               runs->len == 1 ? "" : "s", (strlen(page) + 999) / 1000);
    }
    return EXIT_DONE;
}
