/* The tile that prices choose for each problem of measured runs. */
#include <math.h>

#include "arch/model/energy/fit.h"

static const GpuEnergySample *sample_at(const GpuEnergyFit *self, guint index)
{
    return &g_array_index(self->samples, GpuEnergySample, index);
}

static bool is_alike(const GpuEnergyProblem *a, const GpuEnergyProblem *b)
{
    for (guint i = 0; i < a->program->dimension; i++) {
        if (a->space[i] != b->space[i]) {
            return false;
        }
    }
    return a->steps == b->steps;
}

/* Runs of one problem: how many there are, and the best by prices and by measurement.
 */
typedef struct {
    guint tiles;
    double predicted; /* joules, of the best by prices, */
    double chosen;    /* which took these */
    double best;      /* measured */
} Problem;

/* Of the problem of the run at `first`; no tile where an earlier run has the same. */
static Problem problem_of(const GpuEnergyFit *self, GpuEnergyMethod method, guint first)
{
    const GpuEnergyProblem *problem = &sample_at(self, first)->problem;
    Problem found = {.predicted = INFINITY, .best = INFINITY};

    for (guint i = 0; i < self->samples->len; i++) {
        const GpuEnergySample *sample = sample_at(self, i);
        const double predicted =
            gpu_energy_of(&self->runs[i].use, &self->costs[method]);

        if (sample->problem.program != problem->program ||
            !is_alike(&sample->problem, problem)) {
            continue;
        }
        if (i < first) {
            return (Problem){0};
        }
        found.tiles++;
        found.best = fmin(found.best, sample->joules);
        if (predicted < found.predicted) {
            found.predicted = predicted;
            found.chosen = sample->joules;
        }
    }
    return found;
}

void gpu_energy_fit_choices(const GpuEnergyFit *self,
                            GpuEnergyMethod method,
                            const GpuEnergyProgram *program,
                            GpuEnergyTrial *trial)
{
    double squares = 0;

    *trial = (GpuEnergyTrial){0};
    for (guint i = 0; i < self->samples->len; i++) {
        if (sample_at(self, i)->problem.program != program) {
            continue;
        }
        const Problem problem = problem_of(self, method, i);

        if (problem.tiles < 2) {
            continue;
        }
        const double more = problem.chosen / problem.best - 1;

        trial->problems++;
        trial->tiles += problem.tiles;
        trial->wrong += more > 0 ? 1 : 0;
        trial->worst = fmax(trial->worst, more);
        squares += more * more;
    }
    trial->rmse = trial->problems > 0 ? sqrt(squares / trial->problems) : NAN;
}
