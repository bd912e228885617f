/* gridloom export: a trace in the formats of other programs. */
#include "tools/gridloom/command.h"

#include <stdbool.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/input.h"
#include "traces/file/output.h"
#include "traces/file/stream.h"
#include "traces/reading/run_file.h"
#include "traces/writing/chrome_trace.h"
#include "traces/writing/npeviz.h"
#include "traces/writing/paje_trace.h"
#include "traces/writing/timeline_csv.h"

typedef enum {
    TO_CHROME,
    TO_CSV,
    TO_NPEVIZ,
    TO_PAJE,
} Format;

static const char *const formats[] = {"chrome", "csv", "npeviz", "paje", NULL};

static const char description[] =
    "Formats:\n"
    "  chrome   trace events as JSON, for chrome://tracing and other viewers; one "
    "cycle\n"
    "           is shown as 1 ns\n"
    "  csv      one table: slices, stalls, marks, counters, flows; times in cycles\n"
    "  npeviz   transfers and links of a Wormhole, for ttnn-visualizer\n"
    "  paje     for ViTE and pajeng; times in cycles\n"
    "\n"
    "Examples:\n"
    "  gridloom run pcg --trace pcg.pftrace\n"
    "  gridloom export pcg.pftrace --to chrome -o pcg.json\n"
    "  gridloom export pcg.pftrace --to csv | grep '^stall'\n";

typedef struct {
    char *to;
    char *output;
    char **words;
    guint format;
} Options;

static void options_clear(Options *self)
{
    g_free(self->to);
    g_free(self->output);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static bool parse(Options *self, int argc, char **argv, GError **error)
{
    const GOptionEntry entries[] = {
        {"to", 0, 0, G_OPTION_ARG_FILENAME, &self->to, "which format",
         "chrome|csv|npeviz|paje"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output,
         "where to (default: standard output)", "FILE"},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context = g_option_context_new(
        "TRACE --to FORMAT [-o FILE] - write a trace for other programs");

    g_set_prgname("gridloom export");
    g_option_context_set_description(context, description);
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, error)) {
        return false;
    }
    if (self->words == NULL) {
        return option_fail(
            error, "export: no trace, give the file that 'gridloom run --trace FILE' "
                   "wrote, or a folder of --out");
    }
    if (self->to == NULL) {
        return option_fail(error,
                           "export: no format, give --to chrome, csv, npeviz or paje");
    }
    return option_no_words(self->words + 1, "export", error) &&
           option_word(self->to, "--to", formats, &self->format, error) &&
           (self->output == NULL ||
            trace_output_check_apart(self->output, self->words, error));
}

static bool write_trace(const Options *options,
                        const TraceTimeline *timeline,
                        TraceStream *stream,
                        GError **error)
{
    switch ((Format) options->format) {
    case TO_CHROME:
        trace_chrome_write(timeline, stream);
        break;
    case TO_CSV:
        trace_timeline_csv_write(timeline, stream);
        break;
    case TO_NPEVIZ:
        if (!trace_npeviz_write(timeline, stream, error)) {
            g_prefix_error(error, "%s: ", options->words[0]);
            return false;
        }
        break;
    case TO_PAJE:
        trace_paje_write(timeline, stream);
        break;
    }
    return trace_stream_close(stream, error);
}

int cmd_export(int argc, char **argv)
{
    g_auto(Options) options = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(TraceRun) run = NULL;
    g_autoptr(TraceStream) stream = NULL;

    if (!parse(&options, argc, argv, &error)) {
        return complain_of(error);
    }
    run = trace_run_read(options.words[0], &error);
    if (run == NULL) {
        return complain_of(error);
    }
    if (run->timeline == NULL) {
        return complain("%s: there is no trace in it, only a result; write one with "
                        "'gridloom run --trace FILE'",
                        options.words[0]);
    }
    cmd_run_input_warn(run);
    stream = trace_stream_open(options.output != NULL ? options.output : "-", &error);
    if (stream == NULL || !write_trace(&options, run->timeline, stream, &error)) {
        return complain_of(error);
    }
    return EXIT_DONE;
}
