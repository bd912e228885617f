/* Energy of designs on Jacobi 2D. */
#include "arch/model/codesign/energy.h"

#include <math.h>

#include "sim/narrow.h"

/* The program of appendix B that a stencil of appendix A is; NULL: there is none. */
static const GpuEnergyProgram *program_of(const GpuTilingStencil *stencil)
{
    return g_str_equal(stencil->name, "jacobi2d") ? gpu_energy_program_find("j2d")
                                                  : NULL;
}

bool gpu_codesign_has_energy(const GpuCodesign *self, guint code)
{
    return program_of(gpu_codesign_plan(self)->codes[code].stencil) != NULL;
}

/* What moves and computes, of all tiles of one problem. */
static double dynamic_joules(const GpuCodesignPlan *plan,
                             guint code,
                             guint size,
                             const GpuTile *tile,
                             const GpuEnergyCosts *costs)
{
    const GpuEnergyProblem problem = {
        .program = program_of(plan->codes[code].stencil),
        .space = {plan->sizes.at[size].space, plan->sizes.at[size].space},
        .steps = plan->sizes.at[size].steps};
    const GpuEnergyTile shape = {.space = {tile->space[0], tile->space[1]},
                                 .steps = tile->steps};
    GpuEnergy energy;

    gpu_energy_model(&problem, &shape, costs, 0, &energy);
    return energy.dynamic_joules;
}

void gpu_codesign_energy(const GpuCodesign *self,
                         guint design,
                         guint code,
                         const GpuCodesignPrices *prices,
                         GpuCodesignEnergy *energy)
{
    const GpuCodesignPlan *plan = gpu_codesign_plan(self);
    const double part =
        prices->static_mm2 > 0
            ? gpu_codesign_design(self, design)->mm2 / prices->static_mm2
            : 1;

    *energy = (GpuCodesignEnergy){0};
    for (guint size = 0; size < plan->sizes.count; size++) {
        const double seconds = gpu_codesign_seconds(self, design, code, size);

        if (!isfinite(seconds)) {
            *energy = (GpuCodesignEnergy){INFINITY, INFINITY, INFINITY, INFINITY};
            return;
        }
        energy->seconds += seconds;
        energy->joules +=
            dynamic_joules(plan, code, size,
                           gpu_codesign_tile(self, design, code, size), &prices->costs);
    }
    energy->static_joules =
        prices->costs.of[GPU_ENERGY_STATIC] * part * energy->seconds;
    energy->joules += energy->static_joules;
    energy->product = energy->joules * energy->seconds;
}

static double score(const GpuCodesignEnergy *energy, GpuCodesignGoal goal)
{
    if (goal == GPU_CODESIGN_LEAST_SECONDS) {
        return energy->seconds;
    }
    return goal == GPU_CODESIGN_LEAST_JOULES ? energy->joules : energy->product;
}

int gpu_codesign_least(const GpuCodesign *self,
                       const GpuAreaRange *range,
                       guint code,
                       const GpuCodesignPrices *prices,
                       GpuCodesignGoal goal)
{
    const guint count = gpu_codesign_plan(self)->designs->len;
    double least = INFINITY;
    int best = -1;

    for (guint i = 0; i < count; i++) {
        const double mm2 = gpu_codesign_design(self, i)->mm2;
        GpuCodesignEnergy energy;

        if (mm2 < range->low || mm2 > range->high) {
            continue;
        }
        gpu_codesign_energy(self, i, code, prices, &energy);
        if (score(&energy, goal) < least) {
            least = score(&energy, goal);
            best = sim_i32(i);
        }
    }
    return best;
}

static const struct {
    const char *name;
    const char *title;
} goals[GPU_CODESIGN_GOALS] = {
    [GPU_CODESIGN_LEAST_SECONDS] = {"least_seconds", "time"},
    [GPU_CODESIGN_LEAST_JOULES] = {"least_joules", "energy"},
    [GPU_CODESIGN_LEAST_PRODUCT] = {"least_product", "energy x time"},
};

const char *gpu_codesign_goal_name(GpuCodesignGoal goal)
{
    return goals[goal].name;
}

const char *gpu_codesign_goal_title(GpuCodesignGoal goal)
{
    return goals[goal].title;
}

int gpu_codesign_energy_code(const GpuCodesign *self)
{
    for (guint i = 0; i < gpu_codesign_plan(self)->code_count; i++) {
        if (gpu_codesign_has_energy(self, i)) {
            return sim_i32(i);
        }
    }
    return -1;
}

GpuCodesignLeast gpu_codesign_find_least(const GpuCodesign *self,
                                         const GpuAreaRange *range,
                                         const GpuCodesignPrices *prices,
                                         GpuCodesignGoal goal)
{
    const guint code = sim_u32(gpu_codesign_energy_code(self));
    GpuCodesignLeast least = {.design =
                                  gpu_codesign_least(self, range, code, prices, goal)};

    if (least.design >= 0) {
        gpu_codesign_energy(self, sim_u32(least.design), code, prices, &least.energy);
    }
    return least;
}
