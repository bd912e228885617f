/* Stencils on numbers, point by point. */
#include "arch/model/schedule/recurrence.h"

#include <math.h>
#include <string.h>

#include "arch/error.h"

#define VALUES_MOST ((uint64_t) 1 << 27)

static const uint64_t border = 1; /* on each side; stencils have a radius of 1 */

struct GpuField {
    guint dimension;
    uint64_t space[GPU_TILING_DIMENSIONS];
    uint64_t steps;
    gsize strides[GPU_TILING_DIMENSIONS];
    gsize layer; /* values of a step */
    gsize kept;  /* steps */
    double *values;
};

static bool multiply(uint64_t *product, uint64_t factor)
{
    if (factor == 0 || factor > VALUES_MOST / *product) {
        return false;
    }
    *product *= factor;
    return true;
}

/* All values that are kept; 0 where a size is 0, or they are too many. */
static uint64_t count_values(const GpuTilingProblem *problem, uint64_t kept)
{
    uint64_t count = 1;
    bool is_small = problem->steps > 0 && multiply(&count, kept);

    for (guint axis = 0; axis < problem->dimension; axis++) {
        is_small = is_small && problem->space[axis] > 0 &&
                   problem->space[axis] <= VALUES_MOST &&
                   multiply(&count, problem->space[axis] + 2 * border);
    }
    return is_small ? count : 0;
}

GpuField *gpu_field_new(const GpuTilingProblem *problem,
                        const double *initial,
                        bool keeps_all,
                        GError **error)
{
    g_return_val_if_fail(
        problem->dimension >= 1 && problem->dimension <= GPU_TILING_DIMENSIONS, NULL);
    const bool keeps_more = keeps_all && problem->steps <= VALUES_MOST;
    const uint64_t kept = keeps_more ? problem->steps + 1 : 2;
    const uint64_t count = count_values(problem, kept);

    if (count == 0 || keeps_more != keeps_all) {
        g_set_error(error, ARCH_ERROR, ARCH_ERROR_INVALID,
                    "values of the problem: none, or more than %" G_GUINT64_FORMAT,
                    VALUES_MOST);
        return NULL;
    }
    GpuField *self = g_new0(GpuField, 1);

    self->dimension = problem->dimension;
    self->steps = problem->steps;
    self->kept = kept;
    self->layer = 1;
    for (guint axis = problem->dimension; axis-- > 0;) {
        self->space[axis] = problem->space[axis];
        self->strides[axis] = self->layer;
        self->layer *= problem->space[axis] + 2 * border;
    }
    self->values = g_new(double, count);
    for (gsize step = 0; step < self->kept; step++) {
        memcpy(self->values + step * self->layer, initial,
               self->layer * sizeof *initial);
    }
    return self;
}

void gpu_field_free(GpuField *self)
{
    if (self != NULL) {
        g_free(self->values);
        g_free(self);
    }
}

gsize gpu_field_layer(const GpuField *self)
{
    return self->layer;
}

static double *layer_of(const GpuField *self, int64_t step)
{
    return self->values + (gsize) (step + 1) % self->kept * self->layer;
}

const double *gpu_field_step(const GpuField *self, int64_t step)
{
    return layer_of(self, step);
}

static double add(GpuSemiring semiring, double sum, double value)
{
    switch (semiring) {
    case GPU_PLUS_TIMES:
        return sum + value;
    case GPU_MAX_PLUS:
        return fmax(sum, value);
    }
    g_return_val_if_reached(NAN);
}

static double multiply_by(GpuSemiring semiring, double weight, double value)
{
    switch (semiring) {
    case GPU_PLUS_TIMES:
        return weight * value;
    case GPU_MAX_PLUS:
        return weight + value;
    }
    g_return_val_if_reached(NAN);
}

/* The terms in their order, so that sums have the same bits in any schedule. */
static double value_at(const GpuField *self,
                       const GpuRecurrence *recurrence,
                       uint64_t step,
                       const uint64_t *place,
                       gsize index)
{
    double sum = recurrence->constant;

    for (guint i = 0; i < recurrence->term_count; i++) {
        const GpuRecurrenceTerm *term = &recurrence->terms[i];
        const double *layer = layer_of(self, (int64_t) step + term->need.step);
        const double weight =
            recurrence->weight == NULL
                ? term->weight
                : recurrence->weight(i, step, place, recurrence->data);
        gint64 at = (gint64) index;

        for (guint axis = 0; axis < self->dimension; axis++) {
            at += term->need.space[axis] * (gint64) self->strides[axis];
        }
        sum = add(recurrence->semiring, sum,
                  multiply_by(recurrence->semiring, weight, layer[at]));
    }
    return sum;
}

void gpu_field_update(GpuField *self,
                      const GpuRecurrence *recurrence,
                      const GpuScheduleSpan *span)
{
    double *layer = layer_of(self, (int64_t) span->step);
    uint64_t place[GPU_TILING_DIMENSIONS] = {0};
    gsize index = 0;

    for (guint axis = 0; axis < self->dimension; axis++) {
        place[axis] = span->place[axis];
        index += (span->place[axis] + border) * self->strides[axis];
    }
    for (uint64_t i = 0; i < span->count; i++) {
        layer[index + i] = value_at(self, recurrence, span->step, place, index + i);
        place[self->dimension - 1]++;
    }
}

void gpu_field_sweep(GpuField *self, const GpuRecurrence *recurrence)
{
    const guint last = self->dimension - 1;
    GpuScheduleSpan span = {.count = self->space[last]};
    uint64_t lines = 1;

    for (guint axis = 0; axis < last; axis++) {
        lines *= self->space[axis];
    }
    for (span.step = 0; span.step < self->steps; span.step++) {
        for (uint64_t line = 0; line < lines; line++) {
            uint64_t rest = line;

            for (guint axis = last; axis-- > 0;) {
                span.place[axis] = rest % self->space[axis];
                rest /= self->space[axis];
            }
            gpu_field_update(self, recurrence, &span);
        }
    }
}

typedef struct {
    GpuField *field;
    const GpuRecurrence *recurrence;
} Run;

static void update(const GpuScheduleSpan *span, gpointer data)
{
    const Run *run = data;

    gpu_field_update(run->field, run->recurrence, span);
}

bool gpu_field_run(GpuField *self,
                   const GpuRecurrence *recurrence,
                   const GpuSchedule *schedule,
                   GError **error)
{
    Run run = {self, recurrence};

    for (guint i = 0; i < recurrence->term_count; i++) {
        if (!gpu_schedule_admits(schedule, &recurrence->terms[i].need, 1, error)) {
            return false;
        }
    }
    gpu_schedule_visit(schedule, update, &run);
    return true;
}

/* The point itself, then the neighbours of each dimension. */
#define JACOBI(weight_)                                                                \
    {                                                                                  \
        {{-1, {0, 0, 0}}, weight_}, {{-1, {-1, 0, 0}}, weight_},                       \
            {{-1, {1, 0, 0}}, weight_}, {{-1, {0, -1, 0}}, weight_},                   \
            {{-1, {0, 1, 0}}, weight_}, {{-1, {0, 0, -1}}, weight_},                   \
            {{-1, {0, 0, 1}}, weight_},                                                \
    }

void gpu_recurrence_jacobi(guint dimension, GpuRecurrence *recurrence)
{
    static const GpuRecurrenceTerm terms[GPU_TILING_DIMENSIONS][7] = {
        JACOBI(1.0 / 3.0), JACOBI(1.0 / 5.0), JACOBI(1.0 / 7.0)};

    g_return_if_fail(dimension >= 1 && dimension <= GPU_TILING_DIMENSIONS);
    *recurrence = (GpuRecurrence){
        .semiring = GPU_PLUS_TIMES,
        .terms = terms[dimension - 1],
        .term_count = 1 + 2 * dimension,
    };
}
