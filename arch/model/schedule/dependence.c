/* What updates of a stencil want, and which shapes of tiles keep to it. */
#include "arch/error.h"
#include "arch/model/schedule/shape.h"

guint gpu_dependences_box(guint dimension,
                          GpuDependence needs[static GPU_DEPENDENCES_MOST])
{
    guint count = 1;

    g_return_val_if_fail(dimension >= 1 && dimension <= GPU_TILING_DIMENSIONS, 0);
    needs[0] = (GpuDependence){.step = -1};
    for (guint axis = 0; axis < dimension; axis++) {
        for (guint i = 0; i < count; i++) {
            needs[count + i] = needs[i];
            needs[count + i].space[axis] = -1;
            needs[2 * count + i] = needs[i];
            needs[2 * count + i].space[axis] = 1;
        }
        count *= 3;
    }
    return count;
}

guint gpu_schedule_needs(const GpuSchedule *self,
                         GpuDependence needs[static GPU_DEPENDENCES_MOST])
{
    static const GpuDependence alignment[] = {
        {.step = 0, .space = {-1}},
        {.step = -1, .space = {-1}},
        {.step = -1, .space = {0}},
    };

    if (self->setting.shape != GPU_SCHEDULE_ORTHOGONAL) {
        return gpu_dependences_box(self->dimension, needs);
    }
    for (guint i = 0; i < G_N_ELEMENTS(alignment); i++) {
        needs[i] = alignment[i];
    }
    return G_N_ELEMENTS(alignment);
}

static bool is_of_radius_1(const GpuDependence *need, guint dimension)
{
    for (guint axis = 0; axis < GPU_TILING_DIMENSIONS; axis++) {
        const int most = axis < dimension ? 1 : 0;

        if (ABS(need->space[axis]) > most) {
            return false;
        }
    }
    return need->step == 0 || need->step == -1;
}

/* A value of the same step: the first distance that is not 0 is negative where loops in
 * order have it already. Strips and leaning tiles want more: no distance is positive.
 */
static bool is_behind(const GpuDependence *need)
{
    bool is_elsewhere = false;

    for (guint axis = 0; axis < GPU_TILING_DIMENSIONS; axis++) {
        if (need->space[axis] > 0) {
            return false;
        }
        is_elsewhere = is_elsewhere || need->space[axis] < 0;
    }
    return is_elsewhere;
}

static const char *reason_against(const GpuSchedule *self, const GpuDependence *need)
{
    const GpuScheduleShape shape = self->setting.shape;

    if (!is_of_radius_1(need, self->dimension)) {
        return "it is further away than one step and one place";
    }
    if (need->step == 0 && !is_behind(need)) {
        return "a value of the same step must come from a place before";
    }
    if (need->step == 0 && shape != GPU_SCHEDULE_SKEWED &&
        shape != GPU_SCHEDULE_ORTHOGONAL) {
        return "these tiles have values of the same step at once";
    }
    if (need->space[0] > 0 && shape == GPU_SCHEDULE_ORTHOGONAL) {
        return "rectangles would wait for each other";
    }
    return NULL;
}

bool gpu_schedule_admits(const GpuSchedule *self,
                         const GpuDependence *needs,
                         guint need_count,
                         GError **error)
{
    for (guint i = 0; i < need_count; i++) {
        const char *reason = reason_against(self, &needs[i]);

        if (reason != NULL) {
            return arch_refuse(error,
                               "%s tiles cannot have a dependence on step %+d, place "
                               "(%+d, %+d, %+d): %s",
                               gpu_schedule_shape_name(self->setting.shape),
                               needs[i].step, needs[i].space[0], needs[i].space[1],
                               needs[i].space[2], reason);
        }
    }
    return true;
}
