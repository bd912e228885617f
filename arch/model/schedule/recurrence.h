/* Stencils on numbers, point by point in the order that a schedule tells: sums of
 * weights times values of the step before (A.1), or of this step, too, and over any
 * semiring (B.1), after the thesis "Analytical Cost Metrics: Days of Future Past". */
#pragma once

#include "arch/model/schedule/schedule.h"

/* How values are added and multiplied. */
typedef enum {
    GPU_PLUS_TIMES,
    GPU_MAX_PLUS,
} GpuSemiring;

typedef struct {
    GpuDependence need;
    double weight;
} GpuRecurrenceTerm;

/* The weight of a term at a point; instead of the one that it has. */
typedef double (*GpuWeightFunc)(guint term,
                                uint64_t step,
                                const uint64_t *place,
                                gconstpointer data);

typedef struct {
    GpuSemiring semiring;
    const GpuRecurrenceTerm *terms;
    guint term_count;
    double constant; /* c: 0 of GPU_PLUS_TIMES, -INFINITY of GPU_MAX_PLUS for none */
    GpuWeightFunc weight; /* NULL: weights are constant */
    gconstpointer data;   /* for weight() */
} GpuRecurrence;

/* Values of a problem while they are computed. */
typedef struct GpuField GpuField;

/* `initial` is S_i + 2 values a side, the last dimension being neighbours in memory:
 * the inner values are those before step 0, the outer ones the boundary at all times.
 * Either two steps are kept or all. Two suffice for a schedule that needs nothing of
 * the same step and has all neighbours (hexagons, parallelograms), since it overwrites
 * no value that is still needed; rectangles do. Fails with ARCH_ERROR_INVALID if that
 * takes more than 2^27 values, or a size is 0. */
GpuField *gpu_field_new(const GpuTilingProblem *problem,
                        const double *initial,
                        bool keeps_all,
                        GError **error);
void gpu_field_free(GpuField *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GpuField, gpu_field_free)

/* How many values a step has, its boundary and all. */
gsize gpu_field_layer(const GpuField *self);

/* Those of a step: the last or last but one, any where all are kept; -1 is `initial`.
 * Borrowed until the field is updated. */
const double *gpu_field_step(const GpuField *self, int64_t step);

/* Computes the points of a span, in their order. */
void gpu_field_update(GpuField *self,
                      const GpuRecurrence *recurrence,
                      const GpuScheduleSpan *span);

/* All points: step by step, place by place; and as a schedule of the same problem has
 * them. The second fails as gpu_schedule_admits(). */
void gpu_field_sweep(GpuField *self, const GpuRecurrence *recurrence);
bool gpu_field_run(GpuField *self,
                   const GpuRecurrence *recurrence,
                   const GpuSchedule *schedule,
                   GError **error);

/* The Jacobi stencil of 1, 2, 3 dimensions: the mean of a point and its 2d neighbours.
 */
void gpu_recurrence_jacobi(guint dimension, GpuRecurrence *recurrence);
