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

    self->trace_count = g_strv_length(self->traces);
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
    {"chip", "NAME|FILE", "chip to use (default: wormhole_n300)", OPTION_TEXT(chip),
     .names = OPTION_NAMES_CHIPS},
    {"set", "SECTION.KEY=VALUE", "change a number of the chip; may be repeated",
     OPTION_TEXTS(overrides)},
    {"l1-conflicts", "on|off", "the calibrated costs of sharing an L1 (default: on)",
     OPTION_SWITCH(has_l1_conflicts)},
    {"json", "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(output.json)},
    {"heatmap", "FILE.svg", "draw how busy the links are; one trace only",
     OPTION_TEXT(output.heatmap)},
    {"limit-seconds", "N", "stop after this much real time",
     OPTION_SECONDS(output.limit_seconds)},
    {"quiet", NULL, "no progress line and no result table",
     OPTION_FLAG(output.is_quiet), .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(traces)},
    {0},
};

const Command cmd_noc_replay = {
    .name = "noc replay",
    .words = "TRACE.json ...",
    .purpose = "replay NoC events of silicon",
    .missing = "no trace; give one or more files",
    .help = "noc-replay",
    .tables = {{rows, 0}},
    COMMAND_OPTIONS(Options, .has_l1_conflicts = true),
    .check = check,
    .run = cmd_noc_replay_run,
};
