/* Finds prices from runs. */
#include "tools/gridloom/model/energy/fit.h"

#include <math.h>

#include "tools/gridloom/model/energy/runs.h"
#include "traces/file/output.h"

#define PERCENT 100.0
/* Without noise prices are found to this part of a percent. */
#define EXACT_PERCENT 1e-3

static const char *const methods[MODEL_ENERGY_METHODS] = {
    [MODEL_ENERGY_LEAST_ABSOLUTE] = "least_absolute",
    [MODEL_ENERGY_LEAST_SQUARES] = "least_squares",
    [MODEL_ENERGY_OF_CHIP] = "chip",
};

const char *model_energy_method_name(ModelEnergyMethod method)
{
    return methods[method];
}

void model_energy_fit_clear(ModelEnergyFit *self)
{
    g_clear_pointer(&self->samples, g_array_unref);
    g_clear_pointer(&self->runs, g_free);
}

bool model_energy_fit_has_truth(const ModelEnergyFit *self)
{
    return self->options->task == MODEL_ENERGY_REGRESS_SYNTHETIC;
}

bool model_energy_fit_has(const ModelEnergyFit *self, GpuEnergyTerm term)
{
    return self->rank.is_used[term] && !self->rank.is_dropped[term];
}

double model_energy_fit_price(const ModelEnergyFit *self,
                              GpuEnergyTerm term,
                              ModelEnergyMethod method)
{
    return gpu_regression_sum(&self->rank, term, &self->costs[method]);
}

double model_energy_fit_error(const ModelEnergyFit *self,
                              GpuEnergyTerm term,
                              ModelEnergyMethod method)
{
    const double truth = model_energy_fit_price(self, term, MODEL_ENERGY_OF_CHIP);

    return truth == 0
               ? NAN
               : PERCENT * (model_energy_fit_price(self, term, method) - truth) / truth;
}

char *model_energy_fit_why(const ModelEnergyFit *self, GpuEnergyTerm term)
{
    if (self->rank.is_known[term]) {
        return NULL;
    }
    if (!self->rank.is_used[term]) {
        return g_strdup("no run uses it");
    }
    GString *sums = g_string_new(NULL);

    for (guint k = 0; k < GPU_ENERGY_TERMS; k++) {
        if (k == term || self->rank.share[k][term] != 0) {
            g_autofree char *name =
                gpu_regression_sum_name(&self->rank, (GpuEnergyTerm) k);

            if (model_energy_fit_has(self, (GpuEnergyTerm) k)) {
                g_string_append_printf(sums, "%s%s", sums->len > 0 ? ", " : "", name);
            }
        }
    }
    g_string_prepend(sums, "the runs cannot tell it apart; known is ");
    return g_string_free(sums, FALSE);
}

double model_energy_fit_rmse(const ModelEnergyFit *self,
                             ModelEnergyMethod method,
                             bool is_training,
                             const GpuEnergyProgram *program)
{
    const guint from = is_training ? 0 : self->training;
    const guint to = is_training ? self->training : self->samples->len;
    g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(GpuRun));

    for (guint i = from; i < to; i++) {
        if (program == NULL ||
            g_array_index(self->samples, GpuEnergySample, i).problem.program ==
                program) {
            g_array_append_val(chosen, self->runs[i]);
        }
    }
    return PERCENT * gpu_regression_rmse((const GpuRun *) (const void *) chosen->data,
                                         chosen->len, &self->costs[method]);
}

/* Draws or reads the runs. */
static bool take_runs(ModelEnergyFit *self, GError **error)
{
    const ModelEnergyOptions *options = self->options;
    const GpuEnergyDraw draw = model_energy_draw(options);

    if (options->task == MODEL_ENERGY_REGRESS) {
        self->samples = model_energy_runs_read(options->runs, options->program,
                                               options->block_bytes, error);
        return self->samples != NULL;
    }
    self->samples = gpu_energy_samples_draw(&draw, options->program);
    if (options->rows != NULL) {
        g_autofree char *text = model_energy_runs_text(self->samples);

        return trace_output_write(options->rows, text, error);
    }
    return true;
}

/* What is known exactly must be found. */
static void check(ModelEnergyFit *self)
{
    self->is_exact = model_energy_fit_has_truth(self) && self->options->noise == 0 &&
                     self->options->outliers == 0;
    for (guint i = 0; i < GPU_ENERGY_TERMS && self->is_exact; i++) {
        const double error = model_energy_fit_error(self, (GpuEnergyTerm) i,
                                                    MODEL_ENERGY_LEAST_ABSOLUTE);

        if (model_energy_fit_has(self, (GpuEnergyTerm) i) && !isnan(error) &&
            fabs(error) > EXACT_PERCENT) {
            self->is_wrong = true;
        }
    }
}

bool model_energy_fit_init(ModelEnergyFit *self,
                           const ModelEnergyOptions *options,
                           GError **error)
{
    *self = (ModelEnergyFit){.options = options};
    if (!take_runs(self, error)) {
        return false;
    }
    self->training =
        gpu_energy_samples_split(self->samples, options->training, options->seed);
    self->runs = g_new(GpuRun, self->samples->len);
    for (guint i = 0; i < self->samples->len; i++) {
        self->runs[i] =
            gpu_energy_sample_run(&g_array_index(self->samples, GpuEnergySample, i));
    }
    gpu_regression_rank(self->runs, self->training, &self->rank);
    if (!gpu_regression_least_absolute(self->runs, self->training,
                                       &self->costs[MODEL_ENERGY_LEAST_ABSOLUTE],
                                       &self->sum, error)) {
        return false;
    }
    gpu_regression_least_squares(self->runs, self->training,
                                 &self->costs[MODEL_ENERGY_LEAST_SQUARES]);
    self->costs[MODEL_ENERGY_OF_CHIP] = options->costs;
    check(self);
    return true;
}
