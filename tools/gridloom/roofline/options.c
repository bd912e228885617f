/* Reads and checks what gridloom roofline is to do. */
#include "tools/gridloom/roofline/options.h"

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/plot/file.h"
#include "tools/gridloom/roofline/set.h"
#include "traces/file/output.h"

typedef CmdRooflineOptions Options;

enum {
    RUNS_MAXIMUM = 64,
};

const char *const cmd_roofline_memories[] = {
    [TRACE_ROOFLINE_SRAM] = "sram",
    [TRACE_ROOFLINE_NOC] = "noc",
    [TRACE_ROOFLINE_RECEIVED] = "received",
    [TRACE_ROOFLINE_L2] = "l2",
    [TRACE_ROOFLINE_DRAM] = "dram",
    [TRACE_ROOFLINE_OTHER] = "all",
    NULL,
};

int cmd_roofline_options_level(const OptionTexts *texts)
{
    const guint chosen = option_choice(texts, "memory", TRACE_ROOFLINE_OTHER);

    return chosen == TRACE_ROOFLINE_OTHER ? TRACE_ROOFLINE_ALL_LEVELS : (int) chosen;
}

static bool check_output(const char *path, GError **error)
{
    if (g_str_has_suffix(path, ".html") || g_str_has_suffix(path, ".csv")) {
        return trace_output_check(path, error);
    }
    if (!cmd_plot_file_is_picture(path)) {
        return option_fail(error, "%s: expected a name with .svg, .png, .html or .csv",
                           path);
    }
    return cmd_plot_file_check(path, error);
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;
    const guint runs = self->words != NULL ? g_strv_length(self->words) : 0;

    if (runs == 0 && self->figure == NULL) {
        return option_fail(error, "roofline: no run, give a trace, a result.json or a "
                                  "folder of --out, or --figure");
    }
    if (runs > RUNS_MAXIMUM) {
        return option_fail(error, "roofline: too many runs, at most 64");
    }
    for (char **path = self->outputs; path != NULL && *path != NULL; path++) {
        if (!check_output(*path, error) ||
            (self->words != NULL &&
             !trace_output_check_apart(*path, self->words, error))) {
            return false;
        }
    }
    self->level = cmd_roofline_options_level(texts);
    return self->json == NULL || trace_output_check(self->json, error);
}

static const Option rows[] = {
    {"gpu", "a100,h100,h200", "GPUs beside the runs, with their results",
     OPTION_TEXT(gpus)},
    {"beside", "power9,h200", "the same, and processors", OPTION_TEXT(beside)},
    {"published", NULL, "GPUs with the values that papers print",
     OPTION_FLAG(is_published)},
    {"memory", "sram|noc|received|l2|dram|all",
     "whose bytes are counted (default: all)", OPTION_CHOICE(cmd_roofline_memories)},
    {"per-watt", NULL, "by the run's energy, or the power of the board",
     OPTION_FLAG(is_per_watt)},
    {"figure", "wse2|wormhole|nero|FILE",
     "a published roofline beside ours; runs what it needs unless RUNs are given",
     OPTION_TEXT(figure)},
    {"output", "FILE.svg|.png|.html|.csv",
     "what to write, by its ending; may be given several times", OPTION_TEXTS(outputs),
     .letter = 'o'},
    {"title", "TEXT", "above the picture", OPTION_TEXT(title)},
    {"scale", "N", "pixels of a PNG for one of the SVG (default: 1)",
     CMD_PLOT_FILE_SCALE(pixels)},
    {"json", "FILE", "write numbers as JSON; - is standard output", OPTION_TEXT(json)},
    {"quiet", NULL, "say nothing", OPTION_FLAG(is_quiet), .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {0},
};

const Command cmd_roofline = {
    .name = "roofline",
    .words = "RUN...",
    .purpose = "runs of chips and GPUs under their roofs",
    .help = "roofline",
    .tables = {{rows, 0}},
    COMMAND_OPTIONS(Options, .pixels = 1),
    .check = check,
    .run = cmd_roofline_run,
};
