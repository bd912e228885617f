/* The command line of `gridloom noc replay`. */
#include "tools/gridloom/noc/replay_options.h"

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"

typedef CmdNocReplayOptions Options;

enum {
    TRACES_MAXIMUM = 10000,
};

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    Options *self = options;

    self->trace_count = self->traces != NULL ? g_strv_length(self->traces) : 0;
    if (self->trace_count == 0) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                    "noc replay: no trace; give one or more files");
        return false;
    }
    if (self->trace_count > TRACES_MAXIMUM) {
        return option_fail(error, "noc replay: %u traces, allowed are at most %d",
                           self->trace_count, TRACES_MAXIMUM);
    }
    if (self->output.heatmap != NULL && self->trace_count > 1) {
        return option_fail(error, "--heatmap: %u traces, a picture shows one",
                           self->trace_count);
    }
    return true;
}

static const Option rows[] = {
    {"chip", 0, "NAME|FILE", "chip to use (default: wormhole_n300)",
     OPTION_TEXT(Options, chip), .names = OPTION_NAMES_CHIPS},
    {"set", 0, "SECTION.KEY=VALUE", "change a number of the chip; may be repeated",
     OPTION_TEXTS(Options, overrides)},
    {"l1-conflicts", 0, "on|off", "the calibrated costs of sharing an L1 (default: on)",
     OPTION_SWITCH(Options, has_l1_conflicts)},
    {"json", 0, "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(Options, output.json)},
    {"heatmap", 0, "FILE.svg", "draw how busy the links are; one trace only",
     OPTION_TEXT(Options, output.heatmap)},
    {"limit-seconds", 0, "N", "stop after this much real time",
     OPTION_SECONDS(Options, output.limit_seconds)},
    {"quiet", 'q', NULL, "no progress line and no result table",
     OPTION_FLAG(Options, output.is_quiet)},
    {OPTION_WORDS, 0, NULL, NULL, OPTION_TEXTS(Options, traces)},
    {NULL},
};

const Command cmd_noc_replay = {
    .name = "noc replay",
    .words = "TRACE.json ...",
    .purpose = "replay NoC events of silicon",
    .help = "noc-replay",
    .tables = {{rows, 0}},
    COMMAND_OPTIONS(Options, .has_l1_conflicts = true),
    .check = check,
    .run = cmd_noc_replay_run,
};
