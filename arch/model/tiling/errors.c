/* Errors of a model of time. */
#include "arch/model/tiling/errors.h"

#include <math.h>

#include "sim/narrow.h"

/* What an experiment is summed up by; places are those of samples, -1 for none. */
typedef struct {
    double best;         /* measured */
    gssize predicted[2]; /* the best by prediction: of the others, of the chosen */
    gssize measured[2];  /* the best by measurement */
} Experiment;

static Experiment *
sum_up(const GpuTilingSample *samples, gsize count, guint *experiments)
{
    *experiments = 0;
    for (gsize i = 0; i < count; i++) {
        *experiments = MAX(*experiments, samples[i].experiment + 1);
    }
    Experiment *all = g_new(Experiment, *experiments);

    for (guint i = 0; i < *experiments; i++) {
        all[i] =
            (Experiment){.best = INFINITY, .predicted = {-1, -1}, .measured = {-1, -1}};
    }
    for (gsize i = 0; i < count; i++) {
        const GpuTilingSample *sample = &samples[i];
        Experiment *self = &all[sample->experiment];
        gssize *predicted = &self->predicted[sample->is_chosen ? 1 : 0];
        gssize *measured = &self->measured[sample->is_chosen ? 1 : 0];

        self->best = MIN(self->best, sample->measured);
        if (*predicted < 0 || sample->predicted < samples[*predicted].predicted) {
            *predicted = (gssize) i;
        }
        if (*measured < 0 || sample->measured < samples[*measured].measured) {
            *measured = (gssize) i;
        }
    }
    return all;
}

/* opt_er: of the chosen where there are any, less the best of the others where there
 * are any. */
static double opt_er(const Experiment *self, const GpuTilingSample *samples)
{
    const gssize chosen =
        self->predicted[1] >= 0 ? self->predicted[1] : self->predicted[0];
    const gssize best = self->measured[0] >= 0 ? self->measured[0] : self->measured[1];

    return samples[chosen].measured - samples[best].measured;
}

/* Of the best of the chosen over the best of the others; NaN where one lacks. */
static double gain(const Experiment *self, const GpuTilingSample *samples)
{
    return self->measured[0] < 0 || self->measured[1] < 0
               ? NAN
               : samples[self->measured[0]].measured /
                         samples[self->measured[1]].measured -
                     1;
}

static void add_gains(GpuTilingErrors *errors,
                      const Experiment *all,
                      const GpuTilingSample *samples)
{
    double sum = 0;
    guint count = 0;

    errors->most_gain = NAN;
    for (guint i = 0; i < errors->experiments; i++) {
        const double each = gain(&all[i], samples);

        if (!isnan(each)) {
            sum += each;
            count++;
            errors->most_gain = fmax(errors->most_gain, each);
        }
    }
    errors->gain = count > 0 ? sum / count : NAN;
}

void gpu_tiling_errors(const GpuTilingSample *samples,
                       gsize count,
                       double near,
                       GpuTilingErrors *errors)
{
    guint experiments;
    g_autofree Experiment *all = sum_up(samples, count, &experiments);
    double squares = 0;
    double near_squares = 0;

    *errors = (GpuTilingErrors){.experiments = experiments, .samples = sim_u32(count)};
    for (gsize i = 0; i < count; i++) {
        const GpuTilingSample *sample = &samples[i];
        const double off = (sample->predicted - sample->measured) / sample->measured;

        squares += off * off;
        if (sample->measured <= all[sample->experiment].best * (1 + near)) {
            near_squares += off * off;
            errors->near_samples++;
        }
    }
    errors->rmse = sqrt(squares / (double) count);
    errors->near_rmse = sqrt(near_squares / errors->near_samples);
    for (guint i = 0; i < experiments; i++) {
        const double er = opt_er(&all[i], samples);

        errors->err_max += MAX(0, er);
        errors->err_sign += er;
    }
    add_gains(errors, all, samples);
}

GpuTilingSummary *
gpu_tiling_summaries(const GpuTilingSample *samples, gsize count, guint experiments)
{
    GpuTilingSummary *all = g_new0(GpuTilingSummary, experiments);

    for (gsize i = 0; i < count; i++) {
        const GpuTilingSample *sample = &samples[i];
        GpuTilingSummary *self = &all[sample->experiment];

        self->samples++;
        if (self->best == NULL || sample->measured < self->best->measured) {
            self->best = sample;
        }
        if (self->chosen == NULL || sample->predicted < self->chosen->predicted) {
            self->chosen = sample;
        }
    }
    return all;
}

bool gpu_tiling_sample_is_near(const GpuTilingSample *self,
                               const GpuTilingSummary *summaries,
                               double near)
{
    return self->measured <= summaries[self->experiment].best->measured * (1 + near);
}
