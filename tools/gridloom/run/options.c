/* The command line of `gridloom run`. */
#include "tools/gridloom/run/options.h"

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "traces/suite/formula.h"

typedef CmdRunOptions Options;

enum {
    JOBS_DEFAULT_MAXIMUM = 16,
};

static bool check_intervals(char **formulas, GError **error)
{
    for (char **formula = formulas; formula != NULL && *formula != NULL; formula++) {
        if (!trace_formula_check(*formula, error)) {
            g_prefix_error(error, "--interval %s: ", *formula);
            return false;
        }
    }
    return true;
}

static bool check_uncertainty(Options *self, const OptionTexts *texts, GError **error)
{
    const guint processors = g_get_num_processors() / (guint) self->threads;

    if (self->jobs == 0) {
        self->jobs = CLAMP(processors, 1, JOBS_DEFAULT_MAXIMUM);
    }
    if (self->uncertainty == 0 && (option_is_given(texts, "jobs") ||
                                   self->is_samples_only || self->intervals != NULL)) {
        return option_fail(error, "--jobs, --interval and --samples-only are for "
                                  "--uncertainty, which is not there");
    }
    if (self->uncertainty > 0 && self->is_dry_run) {
        return option_fail(error,
                           "--uncertainty %u and --dry-run: at most one of them "
                           "is allowed, a dry run has no samples",
                           self->uncertainty);
    }
    return check_intervals(self->intervals, error);
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;
    const bool is_traced =
        self->out != NULL || self->report != NULL || self->heatmap != NULL;

    if (!check_uncertainty(self, texts, error) ||
        !cmd_trace_options_read(&self->trace, texts, is_traced, error)) {
        return false;
    }
    if (self->line == NULL) {
        return option_fail(error, "run: no script; 'gridloom workloads' lists them");
    }
    self->script = self->line[0];
    self->words = self->line + 1;
    return true;
}

static void clear(gpointer options)
{
    Options *self = options;

    cmd_trace_options_clear(&self->trace);
}

static const Option rows[] = {
    {"chip", 0, "NAME|FILE", "chip to run on (default: by the script and the system)",
     OPTION_TEXT(Options, chip), .names = OPTION_NAMES_CHIPS},
    {"system", 0, "NAME|FILE", "host and links around the chip (default: default)",
     OPTION_TEXT(Options, system), .names = OPTION_NAMES_SYSTEMS},
    {"set", 0, "SECTION.KEY=VALUE", "change a number of the chip; may be repeated",
     OPTION_TEXTS(Options, overrides)},
    {"out", 0, "DIR", "write result.json, trace, report and the script's tables here",
     OPTION_TEXT(Options, out)},
    {"json", 0, "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(Options, json)},
    {"system-trace", 0, "FILE", "write SimGrid's Paje trace of hosts and links",
     OPTION_TEXT(Options, system_trace)},
    {"heatmap", 0, "FILE.svg|FILE.png",
     "draw how busy links were, or cores where no link was in use",
     OPTION_TEXT(Options, heatmap)},
    {"report", 0, "FILE.html", "write a page with timeline, maps and tables",
     OPTION_TEXT(Options, report)},
    {"threads", 0, "N", "host threads: changes speed, never results (default: 1)",
     OPTION_COUNT(Options, threads, 1, CMD_RUN_THREADS_MAXIMUM)},
    {"timing-only", 0, NULL, "move and check no data; same cycles",
     OPTION_FLAG(Options, is_timing_only)},
    {"limit-cycles", 0, "N", "stop at this cycle of the chip's clock",
     OPTION_COUNT(Options, limit_cycles, 1, G_MAXINT64)},
    {"limit-steps", 0, "N",
     "stop a script after so many Lua instructions without simulated time passing",
     OPTION_COUNT(Options, limit_steps, 1, G_MAXINT64)},
    {"limit-seconds", 0, "N", "stop after this much real time",
     OPTION_SECONDS(Options, limit_seconds)},
    {"seed", 0, "N", "start of the script's random numbers (default: 1)",
     OPTION_COUNT(Options, seed, 0, G_MAXINT64)},
    {"uncertainty", 0, "N",
     "show results as intervals, from N samples of the chip's ranges",
     OPTION_SMALL(Options, uncertainty, 2, CMD_RUN_SAMPLES_MAXIMUM)},
    {"jobs", 'j', "N", "of those at a time (default: one for each processor)",
     OPTION_SMALL(Options, jobs, 1, CMD_RUN_JOBS_MAXIMUM)},
    {"interval", 0, "FORMULA",
     "one more number for --uncertainty, of members of the result, such as "
     "cycles/iterations; may be repeated",
     OPTION_TEXTS(Options, intervals)},
    {"samples-only", 0, NULL,
     "--uncertainty without the runs that change one key at a time",
     OPTION_FLAG(Options, is_samples_only)},
    {"dry-run", 0, NULL, "read and check everything, run nothing",
     OPTION_FLAG(Options, is_dry_run)},
    {"quiet", 'q', NULL, "no progress line and no result table",
     OPTION_FLAG(Options, is_quiet)},
    {OPTION_WORDS, 0, NULL, NULL, OPTION_TEXTS(Options, line),
     .names = OPTION_NAMES_WORKLOADS},
    {0},
};

const Command cmd_run = {
    .name = "run",
    .program = "run",
    .words = "SCRIPT [name=value ...]",
    .purpose = "run a workload",
    .help = "run",
    .tables = {{rows, 0}, {cmd_trace_rows, offsetof(Options, trace)}},
    COMMAND_OPTIONS(Options, .threads = 1, .seed = 1, .limit_cycles = SIM_TIME_NEVER),
    .check = check,
    .clear = clear,
    .run = cmd_run_run,
};
