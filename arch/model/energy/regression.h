/* Prices of seconds, words and operations from measured energies: the least sum of
 * absolute errors (B.7.1 of the thesis "Analytical Cost Metrics"), least squares to
 * compare, and what a set of runs cannot tell apart. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/model/energy/energy.h"

/* A run: the amounts it used, and its measured cost, which is above 0. Numbers are
 * finite. */
typedef struct {
    GpuEnergyUse use;
    double joules;
} GpuRun;

/* What runs can tell about prices. If all runs use some terms in the same proportions,
 * only sums of their prices can be known: `share[k][d]` of the price of a dropped term
 * d counts toward that of a kept term k. */
typedef struct {
    guint rank;
    bool is_used[GPU_ENERGY_TERMS];    /* by a run */
    bool is_dropped[GPU_ENERGY_TERMS]; /* it is a sum of shares of kept ones */
    bool is_known[GPU_ENERGY_TERMS];   /* alone, and not only in a sum with others */
    double share[GPU_ENERGY_TERMS][GPU_ENERGY_TERMS];
} GpuRegressionRank;

void gpu_regression_rank(const GpuRun *runs, gsize count, GpuRegressionRank *rank);

/* The known sum that stands for the price of a kept term; just its own price if that is
 * known alone. */
double gpu_regression_sum(const GpuRegressionRank *rank,
                          GpuEnergyTerm term,
                          const GpuEnergyCosts *costs);

/* "e_iadd + 0.5 e_imax", what that sum is; the caller frees it. */
char *gpu_regression_sum_name(const GpuRegressionRank *rank, GpuEnergyTerm term);

/* Prices, none below 0, with the least sum of |E_model - E_measured|: a linear program.
 * For terms that are not known alone the answer is one of many with that sum. `sum` may
 * be NULL. Fails with ARCH_ERROR_INVALID if there is no run, and with
 * ARCH_ERROR_UNMODELLED if the solver gives up. */
bool gpu_regression_least_absolute(const GpuRun *runs,
                                   gsize count,
                                   GpuEnergyCosts *costs,
                                   double *sum,
                                   GError **error);

/* Prices with the least sum of squares, of any sign; 0 for dropped terms and those that
 * no run uses. */
void gpu_regression_least_squares(const GpuRun *runs,
                                  gsize count,
                                  GpuEnergyCosts *costs);

/* Root mean square of errors relative to the measured costs; NaN without runs. */
double
gpu_regression_rmse(const GpuRun *runs, gsize count, const GpuEnergyCosts *costs);
