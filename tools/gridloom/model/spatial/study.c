/* gridloom model codesign FILE.lua: reads which designs are asked for, how much silicon
 * they take, and runs them. */
#include "tools/gridloom/model/spatial/study.h"

#include <math.h>

#include "tools/gridloom/commands.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/run/options.h"
#include "tools/gridloom/watchdog.h"
#include "traces/suite/member.h"
#include "workloads/batch.h"
#include "workloads/chip_file.h"
#include "workloads/search.h"

typedef SpatialStudy Options;

enum {
    FILE_STEPS = 50000000, /* Lua instructions: a second or two */
    DESIGNS_MOST = 10000,
};

#define AREA_MOST 1e9 /* mm2 */

static bool load_sweep(SpatialStudy *self, GError **error)
{
    g_autofree char *path = search_find(SEARCH_WORKLOAD, self->file);
    g_autofree char *library = search_library();
    g_autoptr(Watchdog) watchdog = watchdog_new(0);
    WlSandboxConfig config = wl_sandbox_config_default();

    watchdog_watch(watchdog, &config);
    if (path == NULL) {
        return option_fail(error, "%s: no such file; expected a sweep, a Lua file",
                           self->file);
    }
    config.library_path = library;
    config.steps = FILE_STEPS;
    self->sweep = wl_sweep_load(path, &config, error);
    if (self->sweep == NULL) {
        return false;
    }
    if (wl_sweep_run_count(self->sweep) > DESIGNS_MOST) {
        return option_fail(error, "%s: %u designs, at most %d are compared", self->file,
                           wl_sweep_run_count(self->sweep), DESIGNS_MOST);
    }
    return wl_sweep_uncertainty(self->sweep) == 0 ||
           option_fail(error, "%s: uncertainty = %u, a codesign draws no samples",
                       self->file, wl_sweep_uncertainty(self->sweep));
}

static bool find_formulas(SpatialStudy *self, GError **error)
{
    static const char *const names[SPATIAL_NUMBERS] = {"cores", "cells", "seconds",
                                                       "across", "across_seconds"};

    for (guint i = 0; i < SPATIAL_NUMBERS; i++) {
        self->formulas[i] = wl_sweep_formula(self->sweep, names[i]);
        if (i <= SPATIAL_SECONDS && self->formulas[i] == NULL) {
            return option_fail(error,
                               "%s: record has no %s; a codesign wants cores, cells "
                               "of a core, and seconds",
                               self->file, names[i]);
        }
    }
    return (self->formulas[SPATIAL_ACROSS] == NULL) ==
               (self->formulas[SPATIAL_ACROSS_SECONDS] == NULL) ||
           option_fail(error,
                       "%s: record has one of across and across_seconds, "
                       "expected both or none",
                       self->file);
}

/* On a Tensix chip all cores run. */
static bool check_across(const SpatialStudy *self, GError **error)
{
    return self->budget.is_patch || self->formulas[SPATIAL_ACROSS] == NULL ||
           option_fail(error, "%s: record has across, which is of patches of a wafer",
                       self->file);
}

/* One chip, and areas alone may be changed: what runs is the file's. */
static bool load_chip(SpatialStudy *self, const OptionTexts *texts, GError **error)
{
    self->chip_name = wl_sweep_fixed_value(self->sweep, WL_SWEEP_OPTION, "chip");
    if (self->chip_name == NULL) {
        return option_fail(error, "%s: chip is missing, a codesign is of one chip",
                           self->file);
    }
    for (char **word = option_list(texts, "set"); word != NULL && *word != NULL;
         word++) {
        if (!g_str_has_prefix(*word, "area.")) {
            return option_refuse("--set", *word,
                                 "area.KEY=VALUE; the file sets what runs", error);
        }
    }
    self->chip = wl_chip_load_to_run(self->chip_name, error);
    return self->chip != NULL &&
           wl_chip_override(self->chip, option_list(texts, "set"), error);
}

/* The chip of a run, for its area; the caller frees it. */
static ArchParams *
params_of(const SpatialStudy *self, char **overrides, guint run, GError **error)
{
    g_autoptr(ArchParams) params = wl_chip_load_to_run(self->chip_name, error);
    g_auto(GStrv) keys = wl_sweep_keys(self->sweep, run);

    if (params == NULL || !wl_chip_override(params, overrides, error)) {
        return NULL;
    }
    for (char **key = keys; *key != NULL; key++) {
        if (!arch_params_override(params, *key, error)) {
            g_prefix_error(error, "%s: ", self->file);
            return NULL;
        }
    }
    return g_steal_pointer(&params);
}

static bool find_budget(SpatialStudy *self, const OptionTexts *texts, GError **error)
{
    const char *text = option_text(texts, "area");
    double given = 0;

    if (text != NULL &&
        (!option_is_number(text, &given) || given <= 0 || given > AREA_MOST)) {
        return option_refuse("--area", text, "mm2, above 0", error);
    }
    return arch_design_budget_init(&self->budget, self->chip, given, error);
}

static bool add_design(SpatialStudy *self, char **overrides, guint run, GError **error)
{
    g_autoptr(ArchParams) params = params_of(self, overrides, run, error);
    ArchDesign design;

    if (params == NULL || !arch_design_init(&design, &self->budget, params, error)) {
        return false;
    }
    design.run = run;
    g_array_append_val(self->designs, design);
    return true;
}

static bool refuse_area(const SpatialStudy *self, GError **error)
{
    return option_fail(
        error, "--area = %.7g, no design of %s fits: the smallest takes %.7g mm2",
        self->budget.mm2[0], self->file,
        arch_designs_smallest(self->designs, &self->budget));
}

static bool check(gpointer options, const OptionTexts *texts, GError **error)
{
    Options *self = options;
    const guint count = self->words == NULL ? 0 : g_strv_length(self->words);

    if (count != 1) {
        return option_fail(error, "model codesign: %u files, expected one sweep",
                           count);
    }
    self->file = self->words[0];
    if (self->jobs == 0) {
        self->jobs = MIN(g_get_num_processors(), CMD_RUN_JOBS_MAXIMUM);
    }
    if (!model_output_check_beside(&self->output, &(TraceNamedFile){"FILE", self->file},
                                   1, error) ||
        !load_sweep(self, error) || !find_formulas(self, error) ||
        !load_chip(self, texts, error) || !find_budget(self, texts, error) ||
        !check_across(self, error)) {
        return false;
    }
    for (guint i = 0; i < wl_sweep_run_count(self->sweep); i++) {
        if (!add_design(self, option_list(texts, "set"), i, error)) {
            return false;
        }
    }
    return arch_designs_choose(self->designs, &self->budget) ||
           refuse_area(self, error);
}

static void init(gpointer options)
{
    Options *self = options;

    self->designs = g_array_new(FALSE, TRUE, sizeof(ArchDesign));
    g_array_set_clear_func(self->designs, arch_design_clear);
}

static void clear(gpointer options)
{
    Options *self = options;

    g_clear_pointer(&self->designs, g_array_unref);
    g_clear_pointer(&self->sweep, wl_sweep_free);
    g_clear_pointer(&self->chip, arch_params_free);
}

/* Runs on their way. */
typedef struct {
    SpatialStudy *study;
    GArray *indices; /* of guint: which design a run is */
    Watchdog *watchdog;
    Progress *progress;
    guint done;
    guint failed;
    GError *error; /* of a result that does not have what is asked for */
} Work;

static bool is_stopping(gpointer data)
{
    const Work *self = data;

    return self->error != NULL || watchdog_is_stopping(self->watchdog);
}

static bool read_numbers(const SpatialStudy *self,
                         ArchDesign *design,
                         JsonObject *result,
                         GError **error)
{
    double *const values[SPATIAL_NUMBERS] = {&design->ran, &design->cells,
                                             &design->seconds, &design->across,
                                             &design->across_seconds};

    for (guint i = 0; i < SPATIAL_NUMBERS; i++) {
        if (self->formulas[i] == NULL) {
            continue;
        }
        if (!result_number(result, self->formulas[i], values[i], error)) {
            g_prefix_error(error, "%s: record: ", self->file);
            return false;
        }
        if (!isfinite(*values[i]) || *values[i] <= 0) {
            return option_fail(error, "%s: record: %s is not above 0 in a run",
                               self->file, self->formulas[i]);
        }
    }
    return true;
}

static void keep_result(const SpatialStudy *self,
                        ArchDesign *design,
                        JsonObject *result,
                        GError **error)
{
    if (!read_numbers(self, design, result, error)) {
        return;
    }
    design->status = ARCH_DESIGN_RAN;
    for (guint view = 0; view < ARCH_AREA_VIEWS && !self->budget.is_patch; view++) {
        design->cores[view] = design->is_in[view] ? design->ran : 0;
    }
}

/* A WlBatchDone. */
static void keep_run(gpointer data, guint index, WlProcess *process)
{
    Work *self = data;
    ArchDesign *design = &g_array_index(self->study->designs, ArchDesign,
                                        g_array_index(self->indices, guint, index));

    self->done++;
    if (process->why != NULL) {
        design->status =
            wl_process_is_refused(process) ? ARCH_DESIGN_REFUSED : ARCH_DESIGN_FAILED;
        design->why = g_steal_pointer(&process->why);
        self->failed++;
    } else if (self->error == NULL) {
        keep_result(self->study, design, json_node_get_object(process->result),
                    &self->error);
    }
    progress_runs(self->progress, self->done, self->indices->len, self->failed);
}

/* The words of a run, the command first; the caller frees them. */
static char **run_line(const SpatialStudy *self, guint run)
{
    g_auto(GStrv) words = wl_sweep_words(self->sweep, run);
    GPtrArray *line = g_ptr_array_new();

    g_ptr_array_add(line, g_strdup("run"));
    for (char **word = words; *word != NULL; word++) {
        g_ptr_array_add(line, g_strdup(*word));
    }
    g_ptr_array_add(line, NULL);
    return (char **) g_ptr_array_free(line, FALSE);
}

static bool stop(Work *self, GError **error)
{
    if (self->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&self->error));
        return false;
    }
    return option_fail(error, "%u of %u runs of the codesign were done", self->done,
                       self->indices->len);
}

static bool refuse_all(const SpatialStudy *self, GError **error)
{
    for (guint i = 0; i < self->designs->len; i++) {
        const ArchDesign *design = arch_design_at(self->designs, i);

        if (design->why != NULL) {
            g_autofree char *sram = spatial_sram_text(design);

            return option_fail(error, "%s: no design runs; with %s: %s", self->file,
                               sram, design->why);
        }
    }
    return option_fail(error, "%s: no design runs", self->file);
}

/* Runs what fits and compares it. Fails where the watchdog stops it, a number is not in
 * a result, or no design runs. */
static bool run_designs(SpatialStudy *self, Watchdog *watchdog, GError **error)
{
    g_autoptr(GPtrArray) runs = wl_batch_runs_new();
    g_autoptr(GArray) indices = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(Progress) progress = progress_new("codesign", !self->output.is_quiet);
    Work work = {
        .study = self, .indices = indices, .watchdog = watchdog, .progress = progress};
    const WlBatch batch = {.runs = runs,
                           .jobs = self->jobs,
                           .done = keep_run,
                           .is_stopping = is_stopping,
                           .data = &work};

    for (guint i = 0; i < self->designs->len; i++) {
        const ArchDesign *design = arch_design_at(self->designs, i);

        if (design->status == ARCH_DESIGN_TO_RUN) {
            g_ptr_array_add(runs, run_line(self, design->run));
            g_array_append_val(indices, i);
        }
    }
    if (!wl_batch_do(&batch) || work.error != NULL) {
        return stop(&work, error);
    }
    if (arch_designs_count(self->designs, ARCH_DESIGN_RAN) == 0) {
        return refuse_all(self, error);
    }
    arch_designs_compare(self->designs, self->budget.is_patch);
    return true;
}

static int run(gpointer data)
{
    const gint64 start = g_get_monotonic_time();
    SpatialStudy *study = data;
    g_autoptr(Watchdog) watchdog = NULL;
    g_autoptr(GError) error = NULL;
    int code;

    watchdog_block_signals();
    watchdog = watchdog_new(0);
    if (!run_designs(study, watchdog, &error)) {
        return watchdog_complain(watchdog, error);
    }
    code = model_output_write(&study->output,
                              &(ModelPage){.name = "model codesign",
                                           .chip = study->chip,
                                           .study = study,
                                           .parameters = spatial_study_parameters,
                                           .metrics = spatial_study_metrics,
                                           .csv = spatial_study_csv,
                                           .svg = spatial_study_svg,
                                           .print = spatial_study_print},
                              start);
    return code == EXIT_DONE &&
                   arch_designs_count(study->designs, ARCH_DESIGN_FAILED) > 0
               ? EXIT_STOPPED
               : code;
}

static const Option rows[] = {
    {"area", "MM2", "area that a design may take (default: that of the chip)",
     OPTION_OTHER(TEXT)},
    {"set", "area.KEY=VALUE", "change an area of the chip; may be repeated",
     OPTION_OTHER(TEXTS)},
    {"jobs", "N", "runs at a time (default: one for each processor)",
     OPTION_SMALL(jobs, 1, CMD_RUN_JOBS_MAXIMUM), .letter = 'j'},
    {OPTION_WORDS, NULL, NULL, OPTION_TEXTS(words)},
    {0},
};

const Command cmd_model_spatial = {
    .name = "model codesign",
    .words = "FILE.lua",
    .purpose = "what is an area best made of?",
    .help = "model-codesign-file",
    .tables = {{rows, 0}, {model_output_rows, offsetof(Options, output)}},
    .size = sizeof(Options),
    .init = init,
    .check = check,
    .clear = clear,
    .run = run,
};
