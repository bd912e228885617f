/* Prices found from runs, and how far energies by them are off. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/model/energy/regression.h"
#include "tools/gridloom/model/energy/energy.h"

/* Whose prices. */
typedef enum {
    MODEL_ENERGY_LEAST_ABSOLUTE,
    MODEL_ENERGY_LEAST_SQUARES,
    MODEL_ENERGY_OF_CHIP, /* the set asked for: the truth of synthetic runs */
    MODEL_ENERGY_METHODS,
} ModelEnergyMethod;

typedef struct {
    const ModelEnergyOptions *options; /* first: model_energy_parameters() */
    GArray *samples;                   /* GpuEnergySample, those for training first */
    guint training;
    GpuRun *runs; /* of them */
    GpuRegressionRank rank;
    GpuEnergyCosts costs[MODEL_ENERGY_METHODS];
    double sum;    /* of absolute errors of training, joules */
    bool is_exact; /* the truth is known, and there is no noise */
    bool is_wrong; /* and was not found */
} ModelEnergyFit;

void model_energy_fit_clear(ModelEnergyFit *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ModelEnergyFit, model_energy_fit_clear)

/* Fails as model_energy_runs_read() and gpu_regression_least_absolute(). */
bool model_energy_fit_init(ModelEnergyFit *self,
                           const ModelEnergyOptions *options,
                           GError **error);

const char *model_energy_method_name(ModelEnergyMethod method); /* least_absolute */

/* Are the runs synthetic, and the chip's prices their truth? */
bool model_energy_fit_has_truth(const ModelEnergyFit *self);

/* Does a sum of prices that is known begin with this term? */
bool model_energy_fit_has(const ModelEnergyFit *self, GpuEnergyTerm term);

/* That sum by a method, and by how many percent it is off the chip's; NaN where that is
 * 0. */
double model_energy_fit_price(const ModelEnergyFit *self,
                              GpuEnergyTerm term,
                              ModelEnergyMethod method);
double model_energy_fit_error(const ModelEnergyFit *self,
                              GpuEnergyTerm term,
                              ModelEnergyMethod method);

/* Why a price is not known alone; NULL where it is. The caller frees it. */
char *model_energy_fit_why(const ModelEnergyFit *self, GpuEnergyTerm term);

/* RMSE in percent, of training or else of the rest, of one program or where it is NULL
 * of all; NaN where there is no such run. */
double model_energy_fit_rmse(const ModelEnergyFit *self,
                             ModelEnergyMethod method,
                             bool is_training,
                             const GpuEnergyProgram *program);

/* Pages of a ModelPage. */
JsonObject *model_energy_fit_metrics(gconstpointer study);
char *model_energy_fit_csv(gconstpointer study);
char *model_energy_fit_svg(gconstpointer study);
void model_energy_fit_print(gconstpointer study);
