/* Chooses among designs: rates, the front of the best, the best of a range. */
#include <math.h>

#include "arch/model/codesign/codesign.h"
#include "sim/narrow.h"

static double points_of(const GpuCodesignPlan *plan, guint size)
{
    return pow((double) plan->sizes.at[size].space, plan->codes[0].stencil->dimension) *
           (double) plan->sizes.at[size].steps;
}

/* Points and seconds. */
typedef struct {
    double points;
    double seconds;
} Sums;

static void add_code(const GpuCodesign *self, guint design, guint code, Sums *sums)
{
    const GpuCodesignPlan *plan = gpu_codesign_plan(self);

    for (guint size = 0; size < plan->sizes.count; size++) {
        const double weight = plan->codes[code].weight;

        sums->points += weight * points_of(plan, size);
        sums->seconds += weight * gpu_codesign_seconds(self, design, code, size);
    }
}

double gpu_codesign_rate(const GpuCodesign *self, guint design)
{
    const GpuCodesignPlan *plan = gpu_codesign_plan(self);
    Sums sums = {0, 0};

    for (guint code = 0; code < plan->code_count; code++) {
        if (plan->codes[code].weight > 0) {
            add_code(self, design, code, &sums);
        }
    }
    return sums.seconds > 0 ? sums.points / sums.seconds : 0;
}

double gpu_codesign_code_rate(const GpuCodesign *self, guint design, guint code)
{
    const GpuCodesignPlan *plan = gpu_codesign_plan(self);
    Sums sums = {0, 0};

    for (guint size = 0; size < plan->sizes.count; size++) {
        sums.points += points_of(plan, size);
        sums.seconds += gpu_codesign_seconds(self, design, code, size);
    }
    return sums.points / sums.seconds;
}

GArray *gpu_codesign_front(const GpuCodesign *self)
{
    const guint count = gpu_codesign_plan(self)->designs->len;
    GArray *front = g_array_new(FALSE, FALSE, sizeof(guint));
    double top = 0;

    for (guint i = 0; i < count; i++) {
        const double rate = gpu_codesign_rate(self, i);

        if (rate <= top) {
            continue;
        }
        if (front->len > 0 &&
            gpu_codesign_design(self, g_array_index(front, guint, front->len - 1))
                    ->mm2 >= gpu_codesign_design(self, i)->mm2) {
            g_array_remove_index(front, front->len - 1); /* as large, and slower */
        }
        g_array_append_val(front, i);
        top = rate;
    }
    return front;
}

int gpu_codesign_best(const GpuCodesign *self, const GpuAreaRange *range, int code)
{
    const guint count = gpu_codesign_plan(self)->designs->len;
    double top = 0;
    int best = -1;

    for (guint i = 0; i < count; i++) {
        const double mm2 = gpu_codesign_design(self, i)->mm2;
        const double rate = code == GPU_CODESIGN_ALL
                                ? gpu_codesign_rate(self, i)
                                : gpu_codesign_code_rate(self, i, sim_u32(code));

        if (mm2 >= range->low && mm2 <= range->high && rate > top) {
            top = rate;
            best = sim_i32(i);
        }
    }
    return best;
}
