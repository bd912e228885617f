/* Errors of a model of time against measurements, by the thesis's measures (A.5.2,
 * A.6.2). */
#pragma once

#include <stdbool.h>

#include <glib.h>

/* A tile of an experiment: a stencil of a size on a GPU. */
typedef struct {
    double predicted; /* seconds, above 0 */
    double measured;  /* seconds, above 0 */
    guint experiment; /* 0, 1 and so on, in any order, none left out */
    bool is_chosen; /* measured because the model chose it, not as one of a campaign */
} GpuTilingSample;

typedef struct {
    guint experiments;
    guint samples;
    guint near_samples;
    double rmse;      /* of (predicted - measured) / measured */
    double near_rmse; /* the same, of samples near their experiment's best */
    double err_max;   /* seconds; sum of max(0, opt_er) over experiments */
    double err_sign;  /* seconds; sum of opt_er */
    double gain;      /* mean over experiments that have both: how much faster the best
                       * of the chosen is than the best of the others, less 1 */
    double most_gain; /* NaN, both, where no experiment has both */
} GpuTilingErrors;

/* The summary of an experiment. */
typedef struct {
    guint samples;
    const GpuTilingSample *best;   /* the sample with the least measured time */
    const GpuTilingSample *chosen; /* the sample with the least predicted time; the
                                    * first among equals */
} GpuTilingSummary;

/* Near are those that took at most `near` of the best more, 0.2 for 20 %. opt_er of an
 * experiment is the measured time of the sample that the model finds best, less that of
 * the best measured: the first is one of the chosen and the second one of the others
 * where an experiment has both, else either is any. Of equal predictions the first
 * counts. There is at least one sample. */
void gpu_tiling_errors(const GpuTilingSample *samples,
                       gsize count,
                       double near,
                       GpuTilingErrors *errors);

/* One summary for each experiment, each of which must have a sample. The caller frees
 * them. */
GpuTilingSummary *
gpu_tiling_summaries(const GpuTilingSample *samples, gsize count, guint experiments);

/* Is the sample near its experiment's best, as above? */
bool gpu_tiling_sample_is_near(const GpuTilingSample *self,
                               const GpuTilingSummary *summaries,
                               double near);
