/* gridloom explain: what bounds a run, and what changed between two. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/explain/study.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/run/input.h"
#include "tools/gridloom/run/options.h"
#include "tools/gridloom/watchdog.h"
#include "traces/error.h"
#include "traces/file/named_files.h"
#include "traces/file/output.h"

#define HERTZ_PER_MEGAHERTZ 1e6

typedef struct {
    char **words;
    char **wishes; /* --what-if */
    char *script;
    char *chip;
    char *output;
    char *json;
    guint jobs;
    bool is_without_runs;
    bool is_quiet;
} Options;

static bool check_wish(const char *wish, GError **error)
{
    g_auto(GStrv) keys = g_strsplit(wish, ",", -1);

    for (char **key = keys; *key != NULL; key++) {
        const char *dot = strchr(*key, '.');
        const char *equals = strchr(*key, '=');

        if (dot == NULL || equals == NULL || dot > equals || equals[1] == '\0' ||
            dot == *key) {
            return option_fail(error,
                               "--what-if = %s: expected SECTION.KEY=VALUE, "
                               "several with ,",
                               wish);
        }
    }
    return true;
}

/* Can it be written, and is it no file that is read? NULL passes. */
static bool check_file(const char *path, const Options *options, GError **error)
{
    return path == NULL || (trace_output_check(path, error) &&
                            trace_output_check_apart(path, options->words, error));
}

static bool check_files(const Options *self, GError **error)
{
    const TraceNamedFile files[] = {{"--output", self->output}, {"--json", self->json}};

    if (self->output != NULL && !trace_output_is_stdout(self->output) &&
        !g_str_has_suffix(self->output, ".html")) {
        return option_fail(error, "%s: expected a name with .html", self->output);
    }
    return trace_named_files_differ(files, G_N_ELEMENTS(files), error) &&
           check_file(self->output, self, error) && check_file(self->json, self, error);
}

static bool
check(gpointer options, const OptionTexts *texts G_GNUC_UNUSED, GError **error)
{
    Options *self = options;

    if (self->jobs == 0) {
        self->jobs = MIN(g_get_num_processors(), CMD_RUN_JOBS_MAXIMUM);
    }
    if (self->is_without_runs && self->wishes != NULL) {
        return option_fail(error, "--no-what-if and --what-if exclude each other");
    }
    if (g_strv_length(self->words) > 1 && self->wishes != NULL) {
        return option_fail(error, "--what-if is for one run");
    }
    for (char **wish = self->wishes; wish != NULL && *wish != NULL; wish++) {
        if (!check_wish(*wish, error)) {
            return false;
        }
    }
    return check_files(self, error);
}

static bool read_study(ExplainStudy *study,
                       Progress *progress,
                       const Options *options,
                       guint index,
                       GError **error)
{
    const char *name = options->words[index];
    const guint count = g_strv_length(options->words);

    g_autofree char *what = g_strdup_printf("reading %s", name);
    const TraceWatch watch = {.tell = progress_share, .data = progress};

    progress_begin(progress, index + 1, count + 1, what);
    study->run = trace_run_read_watched(name, &watch, error);
    if (study->run == NULL) {
        return false;
    }
    if (study->run->timeline == NULL) {
        return trace_refuse(
            error,
            "%s: there is no trace in it, only a result; write one with "
            "'gridloom run --trace FILE' or --out",
            name);
    }
    study->path = trace_path_find(study->run->timeline, name, error);
    if (study->path == NULL) {
        return false;
    }
    study->parts = explain_parts_new(study->run->timeline, study->path);
    study->trials = explain_trials_new();
    return true;
}

/* Cycles of runs of different clocks are different times. */
static bool check_alike(const ExplainStudy *studies, GError **error)
{
    const TraceRun *first = studies[0].run;
    const TraceRun *second = studies[1].run;

    return cmd_run_input_check_alike(first, second, error) &&
           (first->timeline->clock_hz == second->timeline->clock_hz ||
            option_fail(error,
                        "%s has a clock of %.0f MHz and %s of %.0f MHz: only cycles of "
                        "one clock can be compared",
                        first->name, first->timeline->clock_hz / HERTZ_PER_MEGAHERTZ,
                        second->name,
                        second->timeline->clock_hz / HERTZ_PER_MEGAHERTZ));
}

static bool write_files(const Options *options,
                        const ExplainStudy *studies,
                        guint count,
                        GError **error)
{
    if (options->output != NULL) {
        g_autofree char *page = explain_page(studies, count);

        if (!trace_output_write(options->output, page, error)) {
            return false;
        }
    }
    if (options->json != NULL) {
        g_autofree char *json = explain_json(studies, count);

        return trace_output_write(options->json, json, error);
    }
    return true;
}

static bool run_again(const Options *options,
                      ExplainStudy *study,
                      Progress *progress,
                      Watchdog *watchdog,
                      GError **error)
{
    g_return_val_if_fail(study->run != NULL, false);
    const ExplainAgain again = {.result = study->run->result,
                                .script = options->script,
                                .chip = options->chip,
                                .jobs = options->jobs,
                                .watchdog = watchdog,
                                .progress = progress};

    g_autofree char *inputs = explain_inputs(again.result);

    if (inputs != NULL && options->wishes != NULL) {
        return option_fail(error, "--what-if: the run had %s, it cannot be repeated",
                           inputs);
    }
    if (inputs != NULL) {
        study->note =
            g_strdup_printf("the run had %s, what-if runs are left out", inputs);
        return true;
    }
    return explain_again(&again, study->parts, options->wishes, study->trials, error);
}

static bool explain(const Options *options,
                    ExplainStudy *studies,
                    Watchdog *watchdog,
                    GError **error)
{
    g_autoptr(Progress) progress = progress_new("explain", !options->is_quiet);
    const guint count = g_strv_length(options->words);

    for (guint i = 0; i < count; i++) {
        if (!read_study(&studies[i], progress, options, i, error)) {
            return false;
        }
    }
    if (count > 1 && !check_alike(studies, error)) {
        return false;
    }
    progress_begin(progress, count + 1, count + 1, "running again");
    return (count > 1 || options->is_without_runs ||
            run_again(options, &studies[0], progress, watchdog, error)) &&
           write_files(options, studies, count, error);
}

static int run(gpointer data)
{
    const Options *options = data;
    ExplainStudy studies[EXPLAIN_RUNS] = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(Watchdog) watchdog = NULL;
    int code = EXIT_DONE;

    watchdog_block_signals();
    watchdog = watchdog_new(0);
    if (!explain(options, studies, watchdog, &error)) {
        code = watchdog_complain(watchdog, error);
    } else if (!options->is_quiet && !trace_output_is_stdout(options->json) &&
               !trace_output_is_stdout(options->output)) {
        explain_text_print(studies, g_strv_length(options->words), stdout);
    }
    for (guint i = 0; i < EXPLAIN_RUNS; i++) {
        explain_study_clear(&studies[i]);
    }
    return code;
}

static const Option rows[] = {
    {"what-if", "SECTION.KEY=VALUE,...",
     "also run again with these numbers of the chip; may be repeated",
     OPTION_TEXTS(wishes)},
    {"no-what-if", NULL, "run nothing again", OPTION_FLAG(is_without_runs)},
    {"script", "FILE", "the script of the run (default: the workload of its name)",
     OPTION_TEXT(script)},
    {"chip", "NAME|FILE", "its chip (default: the one of its name)", OPTION_TEXT(chip)},
    {"jobs", "N", "runs at a time (default: one for each processor)",
     OPTION_SMALL(jobs, 1, CMD_RUN_JOBS_MAXIMUM), .letter = 'j'},
    {"output", "FILE.html", "write a page with the same and the path's timeline",
     OPTION_TEXT(output), .letter = 'o'},
    {"json", "FILE", "write it as JSON; - is standard output", OPTION_TEXT(json)},
    {"quiet", NULL, "say nothing", OPTION_FLAG(is_quiet), .letter = 'q'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {0},
};

const Command cmd_explain = {
    .name = "explain",
    .words = "RUN [OTHER]",
    .purpose = "say what bounds a run, or what changed",
    .missing = "no run, give a trace or a folder of --out",
    .most_words = EXPLAIN_RUNS,
    .help = "explain",
    .tables = {{rows, 0}},
    .size = sizeof(Options),
    .check = check,
    .run = run,
};
