/* Runs the designs of a codesign. */
#include <math.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/spatial/study.h"
#include "tools/gridloom/option_value.h"
#include "tools/gridloom/progress.h"
#include "tools/gridloom/run/batch.h"
#include "tools/gridloom/watchdog.h"
#include "traces/suite/member.h"
#include "workloads/sweep.h"

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

/* A CmdRunBatchDone. */
static void keep_run(gpointer data, guint index, CmdRunProcess *process)
{
    Work *self = data;
    ArchDesign *design = &g_array_index(self->study->designs, ArchDesign,
                                        g_array_index(self->indices, guint, index));

    self->done++;
    if (process->why != NULL) {
        design->status = process->code == EXIT_INPUT || process->code == EXIT_UNMODELLED
                             ? ARCH_DESIGN_REFUSED
                             : ARCH_DESIGN_FAILED;
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
    g_autoptr(GPtrArray) runs =
        g_ptr_array_new_with_free_func((GDestroyNotify) g_strfreev);
    g_autoptr(GArray) indices = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(Progress) progress = progress_new("codesign", !self->output.is_quiet);
    Work work = {
        .study = self, .indices = indices, .watchdog = watchdog, .progress = progress};
    const CmdRunBatch batch = {.runs = runs,
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
    if (!cmd_run_batch_do(&batch) || work.error != NULL) {
        return stop(&work, error);
    }
    if (arch_designs_count(self->designs, ARCH_DESIGN_RAN) == 0) {
        return refuse_all(self, error);
    }
    arch_designs_compare(self->designs, self->budget.is_patch);
    return true;
}

int spatial_run(gpointer data)
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
