/* gridloom export: a trace in the formats of other programs. */
#include <stdbool.h>
#include <stdio.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
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

typedef struct {
    char *output;
    char **words;
    Format format;
} Options;

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    const Options *self = options;

    return (option_is_given(texts, "to") ||
            option_fail(error,
                        "export: no format, give --to chrome, csv, npeviz or paje")) &&
           (self->output == NULL ||
            trace_output_check_apart(self->output, self->words, error));
}

static bool write_trace(const Options *options,
                        const TraceTimeline *timeline,
                        TraceStream *stream,
                        GError **error)
{
    switch (options->format) {
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

static int run(gpointer data)
{
    const Options *options = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(Progress) progress = progress_new("export", true);
    g_autoptr(TraceRun) read =
        cmd_run_input_read(progress, 1, 2, options->words[0], &error);
    g_autoptr(TraceStream) stream = NULL;

    if (read == NULL) {
        return complain_of(error);
    }
    if (read->timeline == NULL) {
        return complain("%s: there is no trace in it, only a result; write one with "
                        "'gridloom run --trace FILE'",
                        options->words[0]);
    }
    progress_begin(progress, 2, 2, "writing");
    stream = trace_stream_open(options->output != NULL ? options->output : "-", &error);
    return stream != NULL && write_trace(options, read->timeline, stream, &error)
               ? EXIT_DONE
               : complain_of(error);
}

static const Option rows[] = {
    {"to", "chrome|csv|npeviz|paje", "which format", OPTION_WORD(format, formats)},
    {"output", "FILE", "where to (default: standard output)", OPTION_TEXT(output),
     .letter = 'o'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {0},
};

const Command cmd_export = {
    .name = "export",
    .words = "TRACE --to FORMAT [-o FILE]",
    .purpose = "write a trace for other programs",
    .missing = "no trace, give the file that 'gridloom run --trace FILE' wrote, or a "
               "folder of --out",
    .most_words = 1,
    .help = "export",
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .check = check,
    .run = run,
};
