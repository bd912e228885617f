/* The command line of `gridloom noc replay`. */
#include "tools/gridloom/noc/replay_options.h"

#include "tools/gridloom/option_value.h"

enum {
    TRACES_MAXIMUM = 10000,
};

static const char *const definitions =
    "Commands are issued when the trace says so; what is predicted is when their data\n"
    "arrives, and with it the end of each barrier. In the closed loop what follows a\n"
    "barrier follows its predicted end. Congestion is what the same commands would\n"
    "gain if each were alone. Errors are predicted / recorded - 1.\n\n"
    "  gridloom noc replay trace.json --heatmap links.svg\n";

void cmd_noc_replay_options_clear(CmdNocReplayOptions *self)
{
    g_strfreev(self->traces);
    g_free(self->chip);
    g_strfreev(self->overrides);
    g_free(self->output.json);
    g_free(self->output.heatmap);
}

static bool check(const CmdNocReplayOptions *self, GError **error)
{
    if (self->trace_count == 0) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                    "noc replay: no trace; give one or more files");
        return false;
    }
    if (self->trace_count > TRACES_MAXIMUM) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                    "noc replay: %u traces, allowed are at most %d", self->trace_count,
                    TRACES_MAXIMUM);
        return false;
    }
    if (self->output.heatmap != NULL && self->trace_count > 1) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                    "--heatmap: %u traces, a picture shows one", self->trace_count);
        return false;
    }
    return true;
}

bool cmd_noc_replay_options_parse(CmdNocReplayOptions *self,
                                  int argc,
                                  char **argv,
                                  GError **error)
{
    g_autofree char *l1_conflicts = NULL;
    g_autofree char *limit_seconds = NULL;
    gboolean is_quiet = FALSE;
    const GOptionEntry entries[] = {
        {"chip", 0, 0, G_OPTION_ARG_FILENAME, &self->chip,
         "chip to use (default: wormhole_n300)", "NAME|FILE"},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->overrides,
         "change a number of the chip; may be repeated", "SECTION.KEY=VALUE"},
        {"l1-conflicts", 0, 0, G_OPTION_ARG_FILENAME, &l1_conflicts,
         "the calibrated costs of sharing an L1 (default: on)", "on|off"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->output.json,
         "write the result as JSON; - is standard output", "FILE"},
        {"heatmap", 0, 0, G_OPTION_ARG_FILENAME, &self->output.heatmap,
         "draw how busy the links are; one trace only", "FILE.svg"},
        {"limit-seconds", 0, 0, G_OPTION_ARG_FILENAME, &limit_seconds,
         "stop after this much real time", "N"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &is_quiet,
         "no progress line and no result table", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->traces, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("TRACE.json ... - replay NoC events of silicon");

    *self = (CmdNocReplayOptions){.has_l1_conflicts = true};
    g_set_prgname("gridloom noc replay");
    g_option_context_set_description(context, definitions);
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, error)) {
        return false;
    }
    self->output.is_quiet = is_quiet;
    self->trace_count = self->traces != NULL ? g_strv_length(self->traces) : 0;
    return check(self, error) &&
           option_switch(l1_conflicts, "--l1-conflicts", &self->has_l1_conflicts,
                         error) &&
           option_seconds(limit_seconds, "--limit-seconds", &self->limit_seconds,
                          error);
}
