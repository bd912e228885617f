/* Asks the model of time about all experiments of the thesis. */
#include "arch/model/tiling/campaign.h"

#include "arch/model/tiling/study.h"
#include "sim/narrow.h"

#define GIGA 1e9

/* A.5: sizes of sides, and steps, of which those beyond a side of three dimensions are
 * left out. */
static const guint flat_sides[] = {4096, 8192, 0};
static const guint flat_steps[] = {1024, 2048, 4096, 8192, 16384, 0};
static const guint deep_sides[] = {384, 512, 640, 0};
static const guint deep_steps[] = {128, 256, 384, 512, 640, 0};

static const GpuTilingExperiment *at(const GArray *experiments, guint place)
{
    return &g_array_index(experiments, GpuTilingExperiment, place);
}

const char *gpu_pick_name(GpuPick pick)
{
    if (pick >= GPU_PICK_RULES) {
        return gpu_tile_rule_name((GpuTileRule) (pick - GPU_PICK_RULES));
    }
    return pick == GPU_PICK_BEST ? "best" : "other_form";
}

const char *gpu_pick_title(GpuPick pick, GpuTilingForm form)
{
    static const char *const titles[] = {
        [GPU_PICK_BEST] = "least T_alg",
        [GPU_PICK_OTHER] = "least T_alg as printed",
        [GPU_PICK_RULES + GPU_TILE_DENSEST] = "most points a moved word",
        [GPU_PICK_RULES + GPU_TILE_LARGEST] = "most shared memory",
        [GPU_PICK_RULES + GPU_TILE_WIDEST] = "most t_S1 + t_T/2",
    };

    return pick == GPU_PICK_OTHER && form == GPU_TILING_AS_PRINTED
               ? "least T_alg corrected"
               : titles[pick];
}

static double rate_of(const GpuTilingExperiment *self, guint pick)
{
    double points = (double) self->problem.steps;

    for (guint i = 0; i < self->problem.dimension; i++) {
        points *= (double) self->problem.space[i];
    }
    return self->picks[pick].tile.resident == 0
               ? 0
               : points / GIGA / self->picks[pick].seconds;
}

GpuTilingGroup gpu_tiling_campaign_group(const GArray *experiments, guint first)
{
    GpuTilingGroup group = {.first = at(experiments, first)};
    guint64 shortlists = 0;

    while (first + group.count < experiments->len) {
        const GpuTilingExperiment *next = at(experiments, first + group.count);

        if (next->gpu != group.first->gpu || next->stencil != group.first->stencil) {
            break;
        }
        for (guint pick = 0; pick < GPU_PICKS; pick++) {
            group.rates[pick] += rate_of(next, pick);
        }
        shortlists += next->shortlist_count;
        group.count++;
    }
    for (guint pick = 0; pick < GPU_PICKS; pick++) {
        group.rates[pick] /= group.count;
    }
    group.shortlist_count = sim_u32(shortlists / group.count);
    return group;
}

guint gpu_tiling_campaign_count(const GArray *experiments, guint dimension)
{
    guint count = 0;

    for (guint i = 0; i < experiments->len; i++) {
        count += at(experiments, i)->problem.dimension == dimension ? 1 : 0;
    }
    return count;
}

static bool choose(GpuTilingExperiment *self,
                   const GpuTileSpace *space,
                   double within,
                   GError **error)
{
    GpuTileSpace other = *space;
    g_auto(GpuTileSearch) here = {0};
    g_auto(GpuTileSearch) there = {0};
    GpuTilingTime time;

    other.form = gpu_tiling_other_form(space->form);
    if (!gpu_tile_search(&here, space, within, error) ||
        !gpu_tile_search(&there, &other, 0, error)) {
        return false;
    }
    self->candidates = here.candidates;
    self->shortlist_count = here.shortlist->len;
    self->picks[GPU_PICK_BEST] = here.best;
    gpu_tiling_time(&space->problem, &there.best.tile, &space->machine, space->form,
                    &time);
    self->picks[GPU_PICK_OTHER] = (GpuTileChoice){there.best.tile, time.seconds};
    self->ideal_seconds = time.ideal_seconds;
    for (guint rule = 0; rule < GPU_TILE_RULES; rule++) {
        (void) gpu_tile_choose(space, (GpuTileRule) rule,
                               &self->picks[GPU_PICK_RULES + rule]);
    }
    return true;
}

bool gpu_tiling_campaign_add(GArray *experiments,
                             const char *gpu,
                             const GpuTilingStencil *stencil,
                             const GpuTileSpace *space,
                             double within,
                             GError **error)
{
    const bool is_deep = stencil->dimension == GPU_TILING_DIMENSIONS;
    const guint *steps = is_deep ? deep_steps : flat_steps;
    GpuTileSpace own = *space;

    own.box = gpu_tile_box_usual(stencil->dimension);
    for (const guint *side = is_deep ? deep_sides : flat_sides; *side > 0; side++) {
        for (guint i = 0; steps[i] > 0 && (!is_deep || steps[i] <= *side); i++) {
            own.problem.steps = steps[i];
            for (guint d = 0; d < stencil->dimension; d++) {
                own.problem.space[d] = *side;
            }
            GpuTilingExperiment experiment = {
                .gpu = gpu, .stencil = stencil, .problem = own.problem};

            if (!choose(&experiment, &own, within, error)) {
                return false;
            }
            g_array_append_val(experiments, experiment);
        }
    }
    return true;
}
