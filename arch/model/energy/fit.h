/* Prices fitted to runs, and the errors of energies computed from them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/energy/regression.h"
#include "arch/model/energy/samples.h"

/* Whose prices. */
typedef enum {
    GPU_ENERGY_LEAST_ABSOLUTE,
    GPU_ENERGY_LEAST_SQUARES,
    GPU_ENERGY_OF_CHIP, /* the known prices: the truth of synthetic runs */
    GPU_ENERGY_METHODS,
} GpuEnergyMethod;

const char *gpu_energy_method_name(GpuEnergyMethod method); /* least_absolute */

typedef struct {
    GArray *samples; /* GpuEnergySample, those for training first */
    guint training;
    GpuRun *runs; /* of them */
    GpuRegressionRank rank;
    GpuEnergyCosts costs[GPU_ENERGY_METHODS];
    double sum; /* of absolute errors of training, joules */
} GpuEnergyFit;

/* Fits prices to `samples`, which it takes. The seed chooses a part of them for
 * training. Fails like gpu_regression_least_absolute(). */
bool gpu_energy_fit_init(GpuEnergyFit *self,
                         GArray *samples,
                         const GpuEnergyCosts *chip,
                         double training,
                         uint64_t seed,
                         GError **error);
void gpu_energy_fit_clear(GpuEnergyFit *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GpuEnergyFit, gpu_energy_fit_clear)

/* Whether a known sum of prices begins with this term. */
bool gpu_energy_fit_has(const GpuEnergyFit *self, GpuEnergyTerm term);

/* That sum by a method, and its error in percent of the chip's sum; NaN if that is 0.
 */
double gpu_energy_fit_price(const GpuEnergyFit *self,
                            GpuEnergyTerm term,
                            GpuEnergyMethod method);
double gpu_energy_fit_error(const GpuEnergyFit *self,
                            GpuEnergyTerm term,
                            GpuEnergyMethod method);

/* The reason why a price is not known alone; NULL if it is. The caller frees it. */
char *gpu_energy_fit_why(const GpuEnergyFit *self, GpuEnergyTerm term);

/* RMSE in percent over the training runs or over the rest, for one program, or for all
 * if it is NULL; NaN if there is no such run. */
double gpu_energy_fit_rmse(const GpuEnergyFit *self,
                           GpuEnergyMethod method,
                           bool is_training,
                           const GpuEnergyProgram *program);

/* How many samples are of a program. */
guint gpu_energy_fit_count(const GpuEnergyFit *self, const GpuEnergyProgram *program);

/* Table B.3 of measured runs: the tile that a method's prices choose among those of
 * each problem with several, against the one that took the least. `tiles` is of all
 * problems together; the RMSE is NaN where there is no such problem. */
void gpu_energy_fit_choices(const GpuEnergyFit *self,
                            GpuEnergyMethod method,
                            const GpuEnergyProgram *program,
                            GpuEnergyTrial *trial);

/* Whether all sums of the chip's prices were found exactly, as runs without noise
 * allow. */
bool gpu_energy_fit_is_exact(const GpuEnergyFit *self);
