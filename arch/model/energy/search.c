/* Tries all tiles. */
#include "arch/model/energy/search.h"

#include <math.h>

#include "arch/error.h"
#include "arch/model/tiling/surface.h"

#define NEAR 1.1 /* times the least energy: as (A.32)'s shortlist of times */

enum {
    WARP = 32,
};

static const char *const goals[GPU_ENERGY_GOALS] = {
    [GPU_ENERGY_LEAST_JOULES] = "energy",
    [GPU_ENERGY_LEAST_SECONDS] = "time",
    [GPU_ENERGY_LEAST_PRODUCT] = "product",
};

const char *gpu_energy_goal_name(GpuEnergyGoal goal)
{
    return goals[goal];
}

double gpu_energy_choice_score(const GpuEnergyChoice *self, GpuEnergyGoal goal)
{
    const double joules =
        isnan(self->seconds) ? self->energy.dynamic_joules : self->energy.joules;

    switch (goal) {
    case GPU_ENERGY_LEAST_SECONDS:
        return self->seconds;
    case GPU_ENERGY_LEAST_PRODUCT:
        return self->seconds * joules;
    case GPU_ENERGY_LEAST_JOULES:
    case GPU_ENERGY_GOALS:
        break;
    }
    return joules;
}

void gpu_energy_found_clear(GpuEnergyFound *self)
{
    g_clear_pointer(&self->by_steps, g_array_unref);
}

typedef struct {
    const GpuEnergySearch *search;
    GpuEnergyFound *found;
    GArray *joules; /* of all candidates */
} Walk;

/* Keeps the best by each goal, and of each t_T. */
static void keep(Walk *self, const GpuEnergyChoice *choice)
{
    GpuEnergyFound *found = self->found;
    const double joules = gpu_energy_choice_score(choice, GPU_ENERGY_LEAST_JOULES);
    GpuEnergyChoice *last = found->by_steps->len == 0
                                ? NULL
                                : &g_array_index(found->by_steps, GpuEnergyChoice,
                                                 found->by_steps->len - 1);

    for (guint goal = 0; goal < GPU_ENERGY_GOALS; goal++) {
        GpuEnergyChoice *best = &found->best[goal];

        if (found->candidates == 0 ||
            gpu_energy_choice_score(choice, (GpuEnergyGoal) goal) <
                gpu_energy_choice_score(best, (GpuEnergyGoal) goal)) {
            *best = *choice;
        }
    }
    if (last == NULL || last->tile.steps != choice->tile.steps) {
        g_array_append_val(found->by_steps, *choice);
    } else if (joules < gpu_energy_choice_score(last, GPU_ENERGY_LEAST_JOULES)) {
        *last = *choice;
    }
    g_array_append_val(self->joules, joules);
    found->candidates++;
}

/* Is there room for the tile? A wider one has none either if not. */
static bool try_tile(Walk *self, const GpuEnergyTile *tile)
{
    const GpuEnergySearch *search = self->search;
    GpuEnergyChoice choice = {.tile = *tile, .seconds = search->seconds};

    if (gpu_energy_tile_bytes(search->problem.program, tile) > search->block_bytes) {
        return false;
    }
    if (search->seconds_of != NULL) {
        choice.seconds = search->seconds_of(&search->problem, tile, search->data);
        if (isnan(choice.seconds)) {
            return true;
        }
    }
    gpu_energy_model(&search->problem, tile, &search->costs, choice.seconds,
                     &choice.energy);
    keep(self, &choice);
    return true;
}

/* All t_S2, or the one there is in one dimension. Does any fit? */
static bool try_strips(Walk *self, GpuEnergyTile *tile)
{
    const GpuEnergyProblem *problem = &self->search->problem;
    bool fits = false;

    if (problem->program->dimension == 1) {
        return try_tile(self, tile);
    }
    for (tile->space[1] = WARP; tile->space[1] <= problem->space[1];
         tile->space[1] += WARP) {
        if (!try_tile(self, tile)) {
            break;
        }
        fits = true;
    }
    return fits;
}

static bool try_sides(Walk *self, GpuEnergyTile *tile)
{
    const GpuEnergyProblem *problem = &self->search->problem;
    const bool is_flat = problem->program->dimension == 1;
    const uint64_t stride = is_flat ? WARP : 1;
    bool fits = false;

    for (tile->space[0] = stride; tile->space[0] <= problem->space[0];
         tile->space[0] += stride) {
        if (is_flat && tile->space[0] % tile->subtile != 0) {
            continue;
        }
        if (!try_strips(self, tile)) {
            break;
        }
        fits = true;
    }
    return fits;
}

static void count_near(Walk *self)
{
    const double most =
        NEAR * gpu_energy_choice_score(&self->found->best[GPU_ENERGY_LEAST_JOULES],
                                       GPU_ENERGY_LEAST_JOULES);

    for (guint i = 0; i < self->joules->len; i++) {
        self->found->near += g_array_index(self->joules, double, i) <= most ? 1 : 0;
    }
}

bool gpu_energy_search(const GpuEnergySearch *self,
                       GpuEnergyFound *found,
                       GError **error)
{
    const uint64_t stride = self->problem.program->dimension == 1 ? 1 : 2;
    g_autoptr(GArray) joules = g_array_new(FALSE, FALSE, sizeof(double));
    Walk walk = {.search = self, .found = found, .joules = joules};
    GpuEnergyTile tile = {.subtile = self->subtile};

    *found = (GpuEnergyFound){
        .by_steps = g_array_new(FALSE, FALSE, sizeof(GpuEnergyChoice)),
        .has_times = self->seconds_of != NULL,
    };
    for (tile.steps = stride; tile.steps <= self->problem.steps; tile.steps += stride) {
        if (!try_sides(&walk, &tile)) {
            break;
        }
    }
    if (found->candidates == 0) {
        return arch_refuse(
            error,
            "no tile of %s fits into the problem and %.0f bytes of shared "
            "memory%s",
            self->problem.program->title, self->block_bytes,
            found->has_times ? " and has a time" : "");
    }
    count_near(&walk);
    return true;
}

double gpu_energy_seconds(const GpuEnergyProblem *problem,
                          const GpuEnergyTile *tile,
                          gconstpointer gpu)
{
    const GpuTilingStencil *stencil = gpu_tiling_stencil_find("jacobi2d");
    const GpuTile prism = {.space = {tile->space[0], tile->space[1]},
                           .steps = tile->steps};
    GpuTileSpace space = {.form = GPU_TILING_CORRECTED, .box = {.resident = G_MAXUINT}};

    if (problem->program->dimension != stencil->dimension ||
        !gpu_tiling_machine(gpu, &space.machine, NULL)) {
        return NAN;
    }
    space.problem = (GpuTilingProblem){
        .dimension = stencil->dimension,
        .space = {problem->space[0], problem->space[1]},
        .steps = problem->steps,
        .point_seconds = arch_params_real(gpu, stencil->key),
    };
    const GpuTileChoice best = gpu_tile_best_resident(&space, &prism);

    return best.tile.resident == 0 ? NAN : best.seconds;
}
