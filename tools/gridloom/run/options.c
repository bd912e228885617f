/* The command line of `gridloom run`. */
#include "tools/gridloom/run/options.h"

#include "tools/gridloom/option_value.h"
#include "traces/suite/formula.h"

enum {
    JOBS_DEFAULT_MAXIMUM = 16,
};

/* Numbers come as text, so that one message says what is allowed. */
typedef struct {
    char *threads;
    char *seed;
    char *limit_cycles;
    char *limit_steps;
    char *limit_seconds;
    char *uncertainty;
    char *jobs;
    char **words;
} Texts;

static const char *const description =
    "--uncertainty N also runs the script N times on chips whose assumed and "
    "calibrated\n"
    "numbers are anywhere in the ranges that 'gridloom describe CHIP' shows (a Latin\n"
    "hypercube of all of them, drawn by --seed), then with one number at a time at "
    "each\n"
    "end of its range: about N + 115 runs on a Wormhole, N + 40 on a WSE-2, each a\n"
    "process, without data where that takes the same simulated time. Results are "
    "shown\n"
    "as value [5 %, 95 %], with the keys that move the time most. Numbers given with\n"
    "--set stay as they are. --out also has uncertainty.csv and uncertainty.svg.\n";

static void texts_clear(Texts *self)
{
    g_free(self->threads);
    g_free(self->seed);
    g_free(self->limit_cycles);
    g_free(self->limit_steps);
    g_free(self->limit_seconds);
    g_free(self->uncertainty);
    g_free(self->jobs);
    g_strfreev(self->words);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Texts, texts_clear)

void cmd_run_options_clear(CmdRunOptions *self)
{
    g_free(self->script);
    g_strfreev(self->words);
    g_free(self->chip);
    g_free(self->system);
    g_strfreev(self->overrides);
    g_free(self->out);
    g_free(self->json);
    g_free(self->system_trace);
    g_free(self->report);
    g_free(self->heatmap);
    g_strfreev(self->intervals);
    cmd_trace_options_clear(&self->trace);
}

static bool read_numbers(CmdRunOptions *self, const Texts *texts, GError **error)
{
    return option_count(texts->threads, "--threads", 1, CMD_RUN_THREADS_MAXIMUM,
                        &self->threads, error) &&
           option_count(texts->seed, "--seed", 0, G_MAXINT64, &self->seed, error) &&
           option_count(texts->limit_cycles, "--limit-cycles", 1, G_MAXINT64,
                        &self->limit_cycles, error) &&
           option_count(texts->limit_steps, "--limit-steps", 1, G_MAXINT64,
                        &self->limit_steps, error) &&
           option_seconds(texts->limit_seconds, "--limit-seconds", &self->limit_seconds,
                          error);
}

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

static bool read_uncertainty(CmdRunOptions *self, const Texts *texts, GError **error)
{
    const guint processors = g_get_num_processors() / (guint) self->threads;

    self->jobs = CLAMP(processors, 1, JOBS_DEFAULT_MAXIMUM);
    if (!option_small(texts->uncertainty, "--uncertainty", 2, CMD_RUN_SAMPLES_MAXIMUM,
                      &self->uncertainty, error) ||
        !option_small(texts->jobs, "--jobs", 1, CMD_RUN_JOBS_MAXIMUM, &self->jobs,
                      error)) {
        return false;
    }
    if (self->uncertainty == 0 &&
        (texts->jobs != NULL || self->is_samples_only || self->intervals != NULL)) {
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

static bool take_words(CmdRunOptions *self, char **words, GError **error)
{
    if (words == NULL || words[0] == NULL) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                    "run: no script; 'gridloom workloads' lists them");
        return false;
    }
    self->script = g_strdup(words[0]);
    self->words = g_strdupv(words + 1);
    return true;
}

bool cmd_run_options_parse(CmdRunOptions *self, int argc, char **argv, GError **error)
{
    g_auto(Texts) texts = {0};
    /* Type FILENAME is the bytes as they came, whatever the locale. */
    const GOptionEntry entries[] = {
        {"chip", 0, 0, G_OPTION_ARG_FILENAME, &self->chip,
         "chip to run on (default: by the script and the system)", "NAME|FILE"},
        {"system", 0, 0, G_OPTION_ARG_FILENAME, &self->system,
         "host and links around the chip (default: default)", "NAME|FILE"},
        {"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->overrides,
         "change a number of the chip; may be repeated", "SECTION.KEY=VALUE"},
        {"out", 0, 0, G_OPTION_ARG_FILENAME, &self->out,
         "write result.json, trace, report and the script's tables here", "DIR"},
        {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
         "write the result as JSON; - is standard output", "FILE"},
        {"system-trace", 0, 0, G_OPTION_ARG_FILENAME, &self->system_trace,
         "write SimGrid's Paje trace of hosts and links", "FILE"},
        {"heatmap", 0, 0, G_OPTION_ARG_FILENAME, &self->heatmap,
         "draw how busy links were, or cores where no link was in use",
         "FILE.svg|FILE.png"},
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &self->report,
         "write a page with timeline, maps and tables", "FILE.html"},
        {"threads", 0, 0, G_OPTION_ARG_FILENAME, &texts.threads,
         "host threads: changes speed, never results (default: 1)", "N"},
        {"timing-only", 0, 0, G_OPTION_ARG_NONE, &self->is_timing_only,
         "move and check no data; same cycles", NULL},
        {"limit-cycles", 0, 0, G_OPTION_ARG_FILENAME, &texts.limit_cycles,
         "stop at this cycle of the chip's clock", "N"},
        {"limit-steps", 0, 0, G_OPTION_ARG_FILENAME, &texts.limit_steps,
         "stop a script after so many Lua instructions without simulated time passing",
         "N"},
        {"limit-seconds", 0, 0, G_OPTION_ARG_FILENAME, &texts.limit_seconds,
         "stop after this much real time", "N"},
        {"seed", 0, 0, G_OPTION_ARG_FILENAME, &texts.seed,
         "start of the script's random numbers (default: 1)", "N"},
        {"uncertainty", 0, 0, G_OPTION_ARG_FILENAME, &texts.uncertainty,
         "show results as intervals, from N samples of the chip's ranges", "N"},
        {"jobs", 'j', 0, G_OPTION_ARG_FILENAME, &texts.jobs,
         "of those at a time (default: one for each processor)", "N"},
        {"interval", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->intervals,
         "one more number for --uncertainty, of members of the result, such as "
         "cycles/iterations; may be repeated",
         "FORMULA"},
        {"samples-only", 0, 0, G_OPTION_ARG_NONE, &self->is_samples_only,
         "--uncertainty without the runs that change one key at a time", NULL},
        {"dry-run", 0, 0, G_OPTION_ARG_NONE, &self->is_dry_run,
         "read and check everything, run nothing", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet,
         "no progress line and no result table", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &texts.words, NULL,
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    g_autoptr(GOptionContext) context =
        g_option_context_new("SCRIPT [name=value ...] - run a workload");

    *self = (CmdRunOptions){.threads = 1, .seed = 1, .limit_cycles = SIM_TIME_NEVER};
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_description(context, description);
    cmd_trace_options_add(&self->trace, context);
    return g_option_context_parse(context, &argc, &argv, error) &&
           read_numbers(self, &texts, error) && read_uncertainty(self, &texts, error) &&
           cmd_trace_options_read(&self->trace,
                                  self->out != NULL || self->report != NULL ||
                                      self->heatmap != NULL,
                                  error) &&
           take_words(self, texts.words, error);
}
