/* Goes through a schedule point by point, and runs a stencil by it. */
#include "arch/model/schedule/proof.h"

#include <string.h>

#include "arch/model/schedule/recurrence.h"

enum {
    TILES = 2, /* a side, of a problem that is made smaller */
};

/* Each size, borders and all, keeps a whole tile in the middle. */
static GpuTilingProblem smaller(const GpuTilingProblem *problem, const GpuTile *tile)
{
    GpuTilingProblem part = *problem;

    part.steps = MIN(problem->steps, TILES * tile->steps + 1);
    part.space[0] =
        MIN(problem->space[0], TILES * (2 * tile->space[0] + tile->steps) + 1);
    for (guint axis = 1; axis < problem->dimension; axis++) {
        part.space[axis] =
            MIN(problem->space[axis], TILES * tile->space[axis] + tile->steps);
    }
    return part;
}

static bool is_large(const GpuTilingProblem *problem)
{
    double points = (double) problem->steps;

    for (guint axis = 0; axis < problem->dimension; axis++) {
        points *= (double) problem->space[axis];
    }
    return points > (double) GPU_SCHEDULE_CHECK_MOST;
}

/* Some numbers between 0 and 1, the same each time. */
static double *initial_values(const GpuTilingProblem *problem)
{
    static const guint32 seed = 1;
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    gsize count = 1;

    for (guint axis = 0; axis < problem->dimension; axis++) {
        count *= problem->space[axis] + 2;
    }
    double *values = g_new(double, count);

    for (gsize i = 0; i < count; i++) {
        values[i] = g_rand_double(random);
    }
    return values;
}

/* A score of 1 where two letters of four are the same, by numbers in place of letters;
 * less for others and for gaps. */
static double
score(guint term, uint64_t step, const uint64_t *place, gconstpointer data)
{
    static const guint letters = 4;

    (void) data;
    if (term != 1) {
        return -0.5;
    }
    return (step * step) % letters == (place[0] * 3) % letters ? 1 : -0.75;
}

/* Jacobi; Smith-Waterman for shapes that cannot have it. */
static void
stencil_of(const GpuSchedule *schedule, guint dimension, GpuRecurrence *stencil)
{
    static const GpuRecurrenceTerm terms[] = {
        {.need = {.step = 0, .space = {-1}}},
        {.need = {.step = -1, .space = {-1}}},
        {.need = {.step = -1, .space = {0}}},
    };

    gpu_recurrence_jacobi(dimension, stencil);
    for (guint i = 0; i < stencil->term_count; i++) {
        if (!gpu_schedule_admits(schedule, &stencil->terms[i].need, 1, NULL)) {
            *stencil = (GpuRecurrence){
                .semiring = GPU_MAX_PLUS,
                .terms = terms,
                .term_count = G_N_ELEMENTS(terms),
                .weight = score,
            };
            return;
        }
    }
}

static bool run(GpuScheduleProof *self, const GpuSchedule *schedule, GError **error)
{
    const int64_t last = (int64_t) self->problem.steps - 1;
    g_autofree double *initial = initial_values(&self->problem);
    GpuRecurrence stencil;

    stencil_of(schedule, self->problem.dimension, &stencil);
    self->is_alignment = stencil.semiring == GPU_MAX_PLUS;
    g_autoptr(GpuField) field =
        gpu_field_new(&self->problem, initial, self->is_alignment, error);
    g_autoptr(GpuField) plain =
        gpu_field_new(&self->problem, initial, false, field == NULL ? NULL : error);

    if (field == NULL || plain == NULL ||
        !gpu_field_run(field, &stencil, schedule, error)) {
        return false;
    }
    gpu_field_sweep(plain, &stencil);
    self->is_same = memcmp(gpu_field_step(field, last), gpu_field_step(plain, last),
                           gpu_field_layer(field) * sizeof *initial) == 0;
    return true;
}

bool gpu_schedule_prove(const GpuTilingProblem *problem,
                        const GpuTile *tile,
                        const GpuScheduleSetting *setting,
                        GpuScheduleProof *proof,
                        GError **error)
{
    g_autoptr(GpuSchedule) whole = gpu_schedule_new(problem, tile, setting, error);
    GpuDependence needs[GPU_DEPENDENCES_MOST];
    GpuScheduleProof found = {.problem = *problem};

    if (whole == NULL) {
        return false;
    }
    if (is_large(problem)) {
        found.is_part = true;
        found.problem = smaller(problem, tile);
    }
    g_autoptr(GpuSchedule) schedule =
        gpu_schedule_new(&found.problem, tile, setting, error);

    if (schedule == NULL ||
        !gpu_schedule_check(schedule, needs, gpu_schedule_needs(schedule, needs),
                            &found.report, error) ||
        !run(&found, schedule, error)) {
        return false;
    }
    *proof = found;
    return true;
}

bool gpu_schedule_proof_is_passed(const GpuScheduleProof *self)
{
    return gpu_schedule_report_is_sound(&self->report) && self->is_same;
}
