/* Finds prices from runs. */
#include "arch/model/energy/fit.h"

#include <math.h>

#define PERCENT 100.0
/* Without noise prices are found to this part of a percent. */
#define EXACT_PERCENT 1e-3

static const char *const methods[GPU_ENERGY_METHODS] = {
    [GPU_ENERGY_LEAST_ABSOLUTE] = "least_absolute",
    [GPU_ENERGY_LEAST_SQUARES] = "least_squares",
    [GPU_ENERGY_OF_CHIP] = "chip",
};

const char *gpu_energy_method_name(GpuEnergyMethod method)
{
    return methods[method];
}

void gpu_energy_fit_clear(GpuEnergyFit *self)
{
    g_clear_pointer(&self->samples, g_array_unref);
    g_clear_pointer(&self->runs, g_free);
}

bool gpu_energy_fit_has(const GpuEnergyFit *self, GpuEnergyTerm term)
{
    return self->rank.is_used[term] && !self->rank.is_dropped[term];
}

double gpu_energy_fit_price(const GpuEnergyFit *self,
                            GpuEnergyTerm term,
                            GpuEnergyMethod method)
{
    return gpu_regression_sum(&self->rank, term, &self->costs[method]);
}

double gpu_energy_fit_error(const GpuEnergyFit *self,
                            GpuEnergyTerm term,
                            GpuEnergyMethod method)
{
    const double truth = gpu_energy_fit_price(self, term, GPU_ENERGY_OF_CHIP);

    return truth == 0
               ? NAN
               : PERCENT * (gpu_energy_fit_price(self, term, method) - truth) / truth;
}

char *gpu_energy_fit_why(const GpuEnergyFit *self, GpuEnergyTerm term)
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

            if (gpu_energy_fit_has(self, (GpuEnergyTerm) k)) {
                g_string_append_printf(sums, "%s%s", sums->len > 0 ? ", " : "", name);
            }
        }
    }
    g_string_prepend(sums, "the runs cannot tell it apart; known is ");
    return g_string_free(sums, FALSE);
}

double gpu_energy_fit_rmse(const GpuEnergyFit *self,
                           GpuEnergyMethod method,
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

guint gpu_energy_fit_count(const GpuEnergyFit *self, const GpuEnergyProgram *program)
{
    guint count = 0;

    for (guint i = 0; i < self->samples->len; i++) {
        const GpuEnergySample *sample =
            &g_array_index(self->samples, GpuEnergySample, i);

        count += sample->problem.program == program ? 1 : 0;
    }
    return count;
}

bool gpu_energy_fit_is_exact(const GpuEnergyFit *self)
{
    for (guint i = 0; i < GPU_ENERGY_TERMS; i++) {
        const double error =
            gpu_energy_fit_error(self, (GpuEnergyTerm) i, GPU_ENERGY_LEAST_ABSOLUTE);

        if (gpu_energy_fit_has(self, (GpuEnergyTerm) i) && !isnan(error) &&
            fabs(error) > EXACT_PERCENT) {
            return false;
        }
    }
    return true;
}

bool gpu_energy_fit_init(GpuEnergyFit *self,
                         GArray *samples,
                         const GpuEnergyCosts *chip,
                         double training,
                         uint64_t seed,
                         GError **error)
{
    *self = (GpuEnergyFit){
        .samples = samples,
        .training = gpu_energy_samples_split(samples, training, seed),
        .runs = g_new(GpuRun, samples->len),
        .costs = {[GPU_ENERGY_OF_CHIP] = *chip},
    };
    for (guint i = 0; i < samples->len; i++) {
        self->runs[i] =
            gpu_energy_sample_run(&g_array_index(samples, GpuEnergySample, i));
    }
    gpu_regression_rank(self->runs, self->training, &self->rank);
    if (!gpu_regression_least_absolute(self->runs, self->training,
                                       &self->costs[GPU_ENERGY_LEAST_ABSOLUTE],
                                       &self->sum, error)) {
        return false;
    }
    gpu_regression_least_squares(self->runs, self->training,
                                 &self->costs[GPU_ENERGY_LEAST_SQUARES]);
    return true;
}
