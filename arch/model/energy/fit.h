/* Prices found from runs, and how far energies by them are off. */
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
    GPU_ENERGY_OF_CHIP, /* the prices that are known: the truth of synthetic runs */
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

/* Of samples, which it takes; a part of them, chosen by the seed, is for training.
 * Fails as gpu_regression_least_absolute(). */
bool gpu_energy_fit_init(GpuEnergyFit *self,
                         GArray *samples,
                         const GpuEnergyCosts *chip,
                         double training,
                         uint64_t seed,
                         GError **error);
void gpu_energy_fit_clear(GpuEnergyFit *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GpuEnergyFit, gpu_energy_fit_clear)

/* Does a sum of prices that is known begin with this term? */
bool gpu_energy_fit_has(const GpuEnergyFit *self, GpuEnergyTerm term);

/* That sum by a method, and by how many percent it is off the chip's; NaN where that is
 * 0. */
double gpu_energy_fit_price(const GpuEnergyFit *self,
                            GpuEnergyTerm term,
                            GpuEnergyMethod method);
double gpu_energy_fit_error(const GpuEnergyFit *self,
                            GpuEnergyTerm term,
                            GpuEnergyMethod method);

/* Why a price is not known alone; NULL where it is. The caller frees it. */
char *gpu_energy_fit_why(const GpuEnergyFit *self, GpuEnergyTerm term);

/* RMSE in percent, of training or else of the rest, of one program or where it is NULL
 * of all; NaN where there is no such run. */
double gpu_energy_fit_rmse(const GpuEnergyFit *self,
                           GpuEnergyMethod method,
                           bool is_training,
                           const GpuEnergyProgram *program);

/* How many samples are of a program. */
guint gpu_energy_fit_count(const GpuEnergyFit *self, const GpuEnergyProgram *program);

/* Were all sums of the chip's prices found, as runs without noise allow? */
bool gpu_energy_fit_is_exact(const GpuEnergyFit *self);
