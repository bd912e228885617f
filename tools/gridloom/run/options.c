/* The command line of `gridloom run`. */
#include "tools/gridloom/run/options.h"

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/number.h"
#include "traces/suite/formula.h"
#include "workloads/run.h"

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

static bool read_memory(Options *self, GError **error)
{
    return self->limit_memory == NULL ||
           quantity_read_bytes(self->limit_memory, &self->memory_bytes) ||
           option_fail(error,
                       "--limit-memory = %s, allowed is a number of bytes from 1 on, "
                       "or with K, M or G behind it",
                       self->limit_memory);
}

bool cmd_run_check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;
    const bool is_traced =
        self->out != NULL || self->report != NULL || self->heatmap != NULL;

    if (!read_memory(self, error) || !check_uncertainty(self, texts, error) ||
        !cmd_trace_options_read(&self->trace, texts, is_traced, error)) {
        return false;
    }
    self->script = self->line[0];
    self->words = self->line + 1;
    return true;
}

void cmd_run_clear(gpointer options)
{
    Options *self = options;

    cmd_trace_options_clear(&self->trace);
}

int cmd_run_judge(const CmdRunOptions *options, const char *name, int code, int status)
{
    if (code != EXIT_DONE || status == 0) {
        return code;
    }
    if (options->is_timing_only && status > 0) {
        (void) complain("%s: ended with exit code %d, which says nothing: no %s "
                        "were computed (--timing-only)",
                        name, status, options->metal != NULL ? "tiles" : "numbers");
        return EXIT_DONE;
    }
    if (status < 0) {
        (void) complain("%s: ended by signal %d (%s)", name, -1 - status,
                        g_strsignal(-1 - status));
    } else {
        (void) complain("%s: ended with exit code %d", name, status);
    }
    return EXIT_CHECK;
}

static const char *const checks[] = {"none", "races", NULL};

const Option cmd_run_rows[] = {
    {"chip", "NAME|FILE", "chip to run on (default: by the script and the system)",
     OPTION_TEXT(chip), .names = OPTION_NAMES_CHIPS},
    {"system", "NAME|FILE", "host and links around the chip (default: default)",
     OPTION_TEXT(system), .names = OPTION_NAMES_SYSTEMS},
    {"set", "SECTION.KEY=VALUE", "change a number of the chip; may be repeated",
     OPTION_TEXTS(overrides)},
    {"out", "DIR", "write result.json, trace, report and the script's tables here",
     OPTION_TEXT(out)},
    {"json", "FILE", "write the result as JSON; - is standard output",
     OPTION_TEXT(json)},
    {"progress", "FILE",
     "tell a file or pipe how far the run is: lines of JSON, ten a second at most",
     OPTION_TEXT(progress)},
    {"system-trace", "FILE", "write SimGrid's Paje trace of hosts and links",
     OPTION_TEXT(system_trace)},
    {"heatmap", "FILE.svg|FILE.png",
     "draw how busy links were, or cores where no link was in use",
     OPTION_TEXT(heatmap)},
    {"report", "FILE.html", "write a page with timeline, maps and tables",
     OPTION_TEXT(report)},
    {"threads", "N", "host threads: changes speed, never results (default: 1)",
     OPTION_COUNT(threads, 1, CMD_RUN_THREADS_MAXIMUM)},
    {"timing-only", NULL, "move and check no data; same cycles",
     OPTION_FLAG(is_timing_only)},
    {"self-check", NULL, "audit the simulator's own invariants while it runs",
     OPTION_FLAG(is_self_checked)},
    {"check", "none|races", "look for reads and writes that nothing keeps apart",
     OPTION_WORD(check, checks)},
    {"limit-cycles", "N", "stop at this cycle of the chip's clock",
     OPTION_COUNT(limit_cycles, 1, G_MAXINT64)},
    {"livelock-cycles", "N",
     "stop programs that only poll, and change nothing, for so many cycles; 0: never "
     "(default: 10 million)",
     OPTION_COUNT(livelock_cycles, 0, G_MAXINT64)},
    {"limit-steps", "N",
     "stop a script after so many Lua instructions without simulated time passing",
     OPTION_COUNT(limit_steps, 1, G_MAXINT64)},
    {"limit-memory", "SIZE",
     "stop a run that needs more, such as 800M or 16G (default: three quarters of the "
     "machine's memory)",
     OPTION_TEXT(limit_memory)},
    {"memory-files", "DIR",
     "keep PEs' memories and the script's buffers in files here, for runs larger than "
     "the machine's memory; same results",
     OPTION_TEXT(memory_files)},
    {"limit-seconds", "N", "stop after this much real time",
     OPTION_SECONDS(limit_seconds)},
    {"seed", "N", "start of the script's random numbers (default: 1)",
     OPTION_COUNT(seed, 0, G_MAXINT64)},
    {"uncertainty", "N",
     "show results as intervals, from N samples of the chip's ranges",
     OPTION_SMALL(uncertainty, 2, CMD_RUN_SAMPLES_MAXIMUM)},
    {"jobs", "N", "of those at a time (default: one for each processor)",
     OPTION_SMALL(jobs, 1, CMD_RUN_JOBS_MAXIMUM), .letter = 'j'},
    {"interval", "FORMULA",
     "one more number for --uncertainty, of members of the result, such as "
     "cycles/iterations; may be repeated",
     OPTION_TEXTS(intervals)},
    {"samples-only", NULL,
     "--uncertainty without the runs that change one key at a time",
     OPTION_FLAG(is_samples_only)},
    {"dry-run", NULL, "read and check everything, run nothing",
     OPTION_FLAG(is_dry_run)},
    {"quiet", NULL, "no progress line and no result table", OPTION_FLAG(is_quiet),
     .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(line), .names = OPTION_NAMES_WORKLOADS},
    {0},
};

/* Only scripts that users name declare arrays. */
static const Option array_rows[] = {
    {"in", "NAME=FILE.npy", "an array for an input of the script; may be repeated",
     OPTION_TEXTS(inputs)},
    {"save", "NAME=FILE.npy",
     "write an output of the script as an array; may be repeated", OPTION_TEXTS(saves)},
    {0},
};

const Command cmd_run = {
    .name = "run",
    .program = "run",
    .words = "SCRIPT [name=value ...]",
    .purpose = "run a workload",
    .missing = "no script; 'gridloom workloads' lists them",
    .help = "run",
    .tables = {{cmd_run_rows, 0},
               {array_rows, 0},
               {cmd_trace_rows, offsetof(Options, trace)}},
    COMMAND_OPTIONS(Options,
                    .threads = 1,
                    .seed = 1,
                    .limit_cycles = SIM_TIME_NEVER,
                    .livelock_cycles = WL_LIVELOCK_CYCLES),
    .check = cmd_run_check,
    .clear = cmd_run_clear,
    .run = cmd_run_run,
};
