/* The points of a problem as numbers. */
#include "arch/model/schedule/points.h"

#include "arch/error.h"
#include "arch/model/schedule/check.h"

/* False where the product is too large. */
static bool multiply(gsize *product, uint64_t factor)
{
    if (factor > GPU_SCHEDULE_CHECK_MOST / *product) {
        return false;
    }
    *product *= factor;
    return true;
}

bool gpu_schedule_points(const GpuSchedule *schedule,
                         GpuSchedulePoints *points,
                         GError **error)
{
    const GpuTilingProblem *problem = gpu_schedule_problem(schedule);
    GpuSchedulePoints found = {
        .dimension = problem->dimension,
        .steps = (int64_t) problem->steps,
        .count = 1,
    };
    bool is_small = multiply(&found.count, problem->steps);

    for (guint axis = 0; axis < GPU_TILING_DIMENSIONS; axis++) {
        const uint64_t size = axis < problem->dimension ? problem->space[axis] : 1;

        found.space[axis] = (int64_t) size;
        is_small = is_small && multiply(&found.count, size);
    }
    if (!is_small) {
        return arch_refuse(
            error,
            "points of the problem, steps and all: more than %" G_GUINT64_FORMAT
            ", too many to visit each",
            GPU_SCHEDULE_CHECK_MOST);
    }
    *points = found;
    return true;
}

GpuSchedulePoint gpu_schedule_point_of(const GpuSchedulePoints *self,
                                       const GpuScheduleSpan *span,
                                       uint64_t offset)
{
    GpuSchedulePoint point = {.step = (int64_t) span->step};

    for (guint axis = 0; axis < self->dimension; axis++) {
        point.place[axis] = (int64_t) span->place[axis];
    }
    point.place[self->dimension - 1] += (int64_t) offset;
    return point;
}

GpuSchedulePoint gpu_schedule_point_before(const GpuSchedulePoint *self,
                                           const GpuDependence *need)
{
    GpuSchedulePoint point = *self;

    point.step += need->step;
    for (guint axis = 0; axis < GPU_TILING_DIMENSIONS; axis++) {
        point.place[axis] += need->space[axis];
    }
    return point;
}

bool gpu_schedule_points_in_space(const GpuSchedulePoints *self,
                                  const GpuSchedulePoint *point)
{
    for (guint axis = 0; axis < GPU_TILING_DIMENSIONS; axis++) {
        if (point->place[axis] < 0 || point->place[axis] >= self->space[axis]) {
            return false;
        }
    }
    return true;
}

bool gpu_schedule_points_have(const GpuSchedulePoints *self,
                              const GpuSchedulePoint *point)
{
    return point->step >= 0 && point->step < self->steps &&
           gpu_schedule_points_in_space(self, point);
}

gsize gpu_schedule_points_index(const GpuSchedulePoints *self,
                                const GpuSchedulePoint *point)
{
    int64_t index = point->step + 1;

    for (guint axis = 0; axis < GPU_TILING_DIMENSIONS; axis++) {
        index = index * self->space[axis] + point->place[axis];
    }
    return (gsize) index;
}
