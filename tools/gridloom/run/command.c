/* gridloom run: a workload script on a simulated system. */
#include <stdio.h>
#include <string.h>

#include <glib.h>
#include <json-glib/json-glib.h>

#include "arch/chip.h"
#include "sim/pages.h"
#include "sim/platform.h"
#include "sim/system.h"
#include "tools/gridloom/complaint.h"
#include "tools/gridloom/envelope.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/run/arrays.h"
#include "tools/gridloom/run/looks.h"
#include "tools/gridloom/run/options.h"
#include "tools/gridloom/run/page.h"
#include "tools/gridloom/run/result.h"
#include "tools/gridloom/run/trace.h"
#include "tools/gridloom/uncertainty/study.h"
#include "tools/gridloom/watchdog.h"
#include "traces/file/output.h"
#include "traces/file/piped.h"
#include "workloads/chips.h"
#include "workloads/run.h"
#include "workloads/script.h"
#include "workloads/search.h"

/* Everything that is read and checked before anything runs. */
typedef struct {
    CmdRunOptions options; /* borrowed */
    char *library;
    SimAccount *account; /* of all memory */
    WlScript *script;
    SimPlatform *platform;
    WlChips *chips;
    Watchdog *watchdog;
    TracePiped *system_trace; /* NULL: none */
    CmdRunTrace *trace;       /* NULL: none */
    CmdRunLooks *looks;       /* likewise */
} Job;

static void job_clear(Job *self)
{
    g_clear_pointer(&self->script, wl_script_free);
    g_clear_pointer(&self->chips, wl_chips_free);
    g_clear_pointer(&self->account, sim_account_free);
    g_clear_pointer(&self->platform, sim_platform_free);
    g_clear_pointer(&self->watchdog, watchdog_free);
    g_clear_pointer(&self->trace, cmd_run_trace_free); /* watched to the end */
    g_clear_pointer(&self->system_trace, trace_piped_free);
    g_clear_pointer(&self->looks, cmd_run_looks_free);
    g_free(self->library);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Job, job_clear)

static void print_line(gpointer data, const char *line)
{
    FILE *stream = data;

    (void) fprintf(stream, "%s\n", line);
}

static bool load_script(Job *self, GError **error)
{
    g_autofree char *path =
        search_find_or_fail(SEARCH_WORKLOAD, "script", self->options.script, error);
    WlSandboxConfig config = wl_sandbox_config_default();

    if (path == NULL) {
        return false;
    }
    if (!sim_pages_keep_in(self->options.memory_files, error)) {
        g_prefix_error(error, "--memory-files: ");
        return false;
    }
    self->library = search_library();
    config.seed = self->options.seed;
    config.library_path = self->library;
    watchdog_watch(self->watchdog, &config);
    self->account =
        sim_account_new(self->options.memory_bytes != 0 ? self->options.memory_bytes
                                                        : sim_account_usual_limit());
    config.account = self->account;
    config.has_options = true;
    config.print = print_line;
    config.print_data = trace_output_is_stdout(self->options.json) ? stderr : stdout;
    if (self->options.limit_steps > 0) {
        config.steps = self->options.limit_steps;
    }
    self->script = wl_script_load(path, &config, error);
    if (self->script != NULL && self->options.program != NULL) {
        g_autofree char *name = g_path_get_basename(self->options.program);

        wl_script_rename(self->script, name);
    }
    return self->script != NULL;
}

static bool load_platform(Job *self, GError **error)
{
    g_autofree char *path = search_find_or_fail(
        SEARCH_SYSTEM, "system",
        self->options.system != NULL ? self->options.system : "default", error);

    if (path == NULL) {
        return false;
    }
    self->platform = sim_platform_load(path, error);
    return self->platform != NULL;
}

static bool load_chips(Job *self, GError **error)
{
    const WlChipsOrder order = {.chip = self->options.chip,
                                .words = self->options.words,
                                .overrides = self->options.overrides,
                                .threads = (guint) self->options.threads};

    self->chips = wl_chips_new(self->platform, &order, self->script, error);
    return self->chips != NULL && wl_chips_set_links(self->chips, NULL, error);
}

static bool begin_traces(Job *self, GError **error)
{
    const char *path = self->options.system_trace;

    if (path != NULL) {
        self->system_trace = trace_piped_new(path, error);
    }
    return (path == NULL || self->system_trace != NULL) &&
           cmd_run_trace_begin(&self->trace, &self->options, self->script, self->chips,
                               error) &&
           cmd_run_looks_new(&self->looks, self->options.progress, error);
}

typedef struct {
    Watchdog *watchdog;
    Progress *progress;
    CmdRunLooks *looks;
    double seconds; /* simulated, when it last looked */
} Observer;

static bool observe(gpointer data, const WlProgress *progress)
{
    Observer *self = data;

    progress_update(self->progress, progress);
    cmd_run_looks_add(self->looks, progress);
    if (progress->seconds > self->seconds) {
        self->seconds = progress->seconds;
        watchdog_note_progress(self->watchdog);
    }
    return !watchdog_is_stopping(self->watchdog);
}

static WlOutcome *simulate(Job *self, GError **error)
{
    const CmdRunOptions *options = &self->options;
    g_autoptr(SimSystem) system = sim_system_new(
        self->platform,
        self->system_trace == NULL ? NULL : trace_piped_pipe(self->system_trace),
        error);
    g_autoptr(Progress) progress =
        progress_new(wl_script_name(self->script), !options->is_quiet);
    Observer observer = {
        .watchdog = self->watchdog, .progress = progress, .looks = self->looks};
    WlMachine machine = {
        .system = system,
        .chips = wl_chips_list(self->chips),
        .chip_count = wl_chips_count(self->chips),
        .host = sim_platform_main_host(self->platform)->name,
        .is_timing_only = options->is_timing_only,
        .is_self_checked = options->is_self_checked,
        .is_race_checked = options->check != 0,
        .has_lines =
            options->json != NULL || options->report != NULL || options->out != NULL,
        .limit_cycles = options->limit_cycles,
        .livelock_cycles = options->livelock_cycles,
        .progress = observe,
        .progress_data = &observer,
        .metal = options->metal,
        .csl = options->csl,
    };

    if (system == NULL || !wl_chips_set_links(self->chips, system, error)) {
        return NULL;
    }
    if (self->trace != NULL) {
        cmd_run_trace_watch(self->trace, &machine);
    }
    return wl_run(self->script, &machine, error);
}

/* Who runs a host program of their own knows nothing of the script that serves it:
 * drops "script:line: ". */
static void drop_script(const Job *self, GError *error)
{
    const char *path = wl_script_path(self->script);
    const char *rest = strstr(error->message, ": ");

    if (self->options.program != NULL && rest != NULL &&
        g_str_has_prefix(error->message, path)) {
        char *message = g_strdup(rest + 2);

        g_free(error->message);
        error->message = message;
    }
}

static bool keep_files(const Job *self, const CmdRunResult *result, GError **error)
{
    g_autofree char *json = cmd_run_result_to_json(result);
    const char *trace = self->trace == NULL ? NULL : cmd_run_trace_path(self->trace);

    return (self->trace == NULL ||
            cmd_run_trace_finish(self->trace, json, result->outcome, error)) &&
           cmd_run_result_write(result, json, error) &&
           (self->system_trace == NULL ||
            trace_piped_finish(self->system_trace, error)) &&
           cmd_run_page_write(&self->options, json, trace, error);
}

/* Runs it again with other numbers of the chip, if that was asked for. */
static bool
study(const Job *self, CmdRunResult *result, UncertaintyStudy **study, GError **error)
{
    g_autofree char *json = NULL;
    g_autoptr(JsonNode) node = NULL;
    UncertaintyCase start = {.options = &self->options,
                             .params = arch_chip_params(wl_chips_first(self->chips)),
                             .script = wl_script_name(self->script)};

    if (self->options.uncertainty == 0 || result->outcome->check == WL_CHECK_FAIL) {
        return true;
    }
    json = cmd_run_result_to_json(result);
    node = json_from_string(json, error);
    if (node == NULL) {
        return false;
    }
    start.result = json_node_get_object(node);
    *study = uncertainty_study_new(&start, self->watchdog, error);
    result->uncertainty = *study;
    return *study != NULL;
}

/* The exit code of a run that ended: its own check, then its samples. */
static int judge(const Job *self, const CmdRunResult *result)
{
    const WlOutcome *outcome = result->outcome;
    const bool has_failed = outcome->check == WL_CHECK_FAIL;
    const char *why;

    if (has_failed) {
        (void) complain("%s: check failed, max error %g above tolerance %g, against %s",
                        wl_script_path(self->script), outcome->max_abs_error,
                        outcome->tolerance, outcome->reference);
    }
    for (guint i = 0; i < outcome->races->len; i++) {
        (void) complain("race: %s", (char *) g_ptr_array_index(outcome->races, i));
    }
    if (has_failed || outcome->races->len > 0) {
        return EXIT_CHECK;
    }
    if (result->uncertainty != NULL &&
        uncertainty_study_failed(result->uncertainty, &why) ==
            self->options.uncertainty) {
        return complain("--uncertainty: all %u samples failed, the first with: %s",
                        self->options.uncertainty, why);
    }
    return EXIT_DONE;
}

static int run(Job *self, GError **error)
{
    gint64 start = g_get_monotonic_time();
    g_autoptr(WlOutcome) outcome = simulate(self, error);
    g_autoptr(UncertaintyStudy) samples = NULL;
    CmdRunResult result = {.options = &self->options,
                           .script = self->script,
                           .system = sim_platform_path(self->platform),
                           .chips = self->chips};

    if (outcome == NULL) {
        drop_script(self, *error);
        return EXIT_INPUT;
    }
    result.outcome = outcome;
    result.trace = self->trace != NULL && cmd_run_trace_is_kept(self->trace)
                       ? cmd_run_trace_path(self->trace)
                       : NULL;
    result.wall_seconds = envelope_seconds(start);
    if (!study(self, &result, &samples, error) || !keep_files(self, &result, error)) {
        return EXIT_INPUT;
    }
    if (!self->options.is_quiet && !trace_output_is_stdout(self->options.json)) {
        cmd_run_result_print(&result);
    }
    return judge(self, &result);
}

static void print_dry_run(const Job *self)
{
    if (!self->options.is_quiet) {
        (void) fprintf(trace_output_is_stdout(self->options.json) ? stderr : stdout,
                       "%s on %s: everything is in order, nothing was run\n",
                       wl_script_path(self->script),
                       arch_params_name(arch_chip_params(wl_chips_first(self->chips))));
    }
}

/* Says why the run failed, and what is left of it; returns its exit code. */
static int give_up(Job *self, const GError *error)
{
    const bool is_kept = self->trace != NULL && cmd_run_trace_keep(self->trace, error);
    const int status = watchdog_complain(self->watchdog, error);

    if (is_kept) {
        (void) complain("%s: holds the run up to there",
                        cmd_run_trace_path(self->trace));
    }
    return status;
}

int cmd_run_run(gpointer options)
{
    g_auto(Job) job = {.options = *(const CmdRunOptions *) options};
    g_autoptr(GError) error = NULL;
    int status;

    watchdog_block_signals();
    job.watchdog = watchdog_new(job.options.limit_seconds);
    if (!cmd_run_result_check_targets(&job.options, &error) ||
        !load_script(&job, &error) || !load_platform(&job, &error) ||
        !load_chips(&job, &error) ||
        !cmd_run_arrays_name(&job.options, job.script, &error)) {
        return watchdog_complain(job.watchdog, error);
    }
    if (job.options.is_dry_run) {
        print_dry_run(&job);
        return EXIT_DONE;
    }
    if (!begin_traces(&job, &error)) {
        return watchdog_complain(job.watchdog, error);
    }
    status = run(&job, &error);
    return error != NULL ? give_up(&job, error) : status;
}
