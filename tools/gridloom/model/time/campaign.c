/* Asks the model about all experiments of the thesis. */
#include "tools/gridloom/model/time/campaign.h"

#include "tools/gridloom/model/time/space.h"
#include "tools/gridloom/option_value.h"

#define GIGA 1e9

/* A.5: sizes of sides, and steps, of which those beyond a side of three dimensions are
 * left out. */
static const guint flat_sides[] = {4096, 8192, 0};
static const guint flat_steps[] = {1024, 2048, 4096, 8192, 16384, 0};
static const guint deep_sides[] = {384, 512, 640, 0};
static const guint deep_steps[] = {128, 256, 384, 512, 640, 0};

static const char *const gpu_names[] = {"gtx980", "titanx", NULL};

const char *model_time_pick_title(ModelTimePick pick, GpuTilingForm form)
{
    static const char *const titles[] = {
        [MODEL_TIME_BEST] = "least T_alg",
        [MODEL_TIME_OTHER] = "least T_alg as printed",
        [MODEL_TIME_RULES + GPU_TILE_DENSEST] = "most points a moved word",
        [MODEL_TIME_RULES + GPU_TILE_LARGEST] = "most shared memory",
        [MODEL_TIME_RULES + GPU_TILE_WIDEST] = "most t_S1 + t_T/2",
    };

    return pick == MODEL_TIME_OTHER && form == GPU_TILING_AS_PRINTED
               ? "least T_alg corrected"
               : titles[pick];
}

double model_time_experiment_rate(const ModelTimeExperiment *self, ModelTimePick pick)
{
    double points = (double) self->problem.steps;

    for (guint i = 0; i < self->problem.dimension; i++) {
        points *= (double) self->problem.space[i];
    }
    return self->picks[pick].tile.resident == 0
               ? 0
               : points / GIGA / self->picks[pick].seconds;
}

guint model_time_campaign_group(const ModelTimeCampaign *self, guint first)
{
    const ModelTimeExperiment *at =
        &g_array_index(self->experiments, ModelTimeExperiment, first);
    guint last = first;

    while (last < self->experiments->len) {
        const ModelTimeExperiment *next =
            &g_array_index(self->experiments, ModelTimeExperiment, last);

        if (next->gpu != at->gpu || next->stencil != at->stencil) {
            break;
        }
        last++;
    }
    return last - first;
}

static bool choose(ModelTimeExperiment *self,
                   const GpuTileSpace *space,
                   double within,
                   GError **error)
{
    GpuTileSpace other = *space;
    g_auto(GpuTileSearch) here = {0};
    g_auto(GpuTileSearch) there = {0};
    GpuTilingTime time;

    other.form = space->form == GPU_TILING_CORRECTED ? GPU_TILING_AS_PRINTED
                                                     : GPU_TILING_CORRECTED;
    if (!gpu_tile_search(&here, space, within, error) ||
        !gpu_tile_search(&there, &other, 0, error)) {
        return false;
    }
    self->candidates = here.candidates;
    self->shortlist_count = here.shortlist->len;
    self->picks[MODEL_TIME_BEST] = here.best;
    gpu_tiling_time(&space->problem, &there.best.tile, &space->machine, space->form,
                    &time);
    self->picks[MODEL_TIME_OTHER] = (GpuTileChoice){there.best.tile, time.seconds};
    self->ideal_seconds = time.ideal_seconds;
    for (guint rule = 0; rule < GPU_TILE_RULES; rule++) {
        (void) gpu_tile_choose(space, (GpuTileRule) rule,
                               &self->picks[MODEL_TIME_RULES + rule]);
    }
    return true;
}

static bool add_experiments(ModelTimeCampaign *self,
                            const ArchParams *gpu,
                            const GpuTilingStencil *stencil,
                            GError **error)
{
    const bool is_deep = stencil->dimension == GPU_TILING_DIMENSIONS;
    const guint *steps = is_deep ? deep_steps : flat_steps;
    GpuTileSpace space = {.form = self->options->space.form,
                          .box = gpu_tile_box_usual(stencil->dimension)};

    if (!model_time_space_of(&space, gpu, stencil, self->options->point_seconds,
                             error)) {
        return false;
    }
    for (const guint *side = is_deep ? deep_sides : flat_sides; *side > 0; side++) {
        for (guint i = 0; steps[i] > 0 && (!is_deep || steps[i] <= *side); i++) {
            space.problem.steps = steps[i];
            for (guint d = 0; d < stencil->dimension; d++) {
                space.problem.space[d] = *side;
            }
            ModelTimeExperiment experiment = {.gpu = arch_params_name(gpu),
                                              .stencil = stencil,
                                              .problem = space.problem};

            if (!choose(&experiment, &space, self->options->within, error)) {
                return false;
            }
            g_array_append_val(self->experiments, experiment);
        }
    }
    return true;
}

static bool add_gpu(ModelTimeCampaign *self, const char *name, GError **error)
{
    const GpuTilingStencil *stencil;
    ArchParams *gpu = model_time_gpu(name, self->options->overrides, error);

    if (gpu == NULL) {
        return false;
    }
    g_ptr_array_add(self->gpus, gpu);
    for (guint i = 0; (stencil = gpu_tiling_stencil_at(i)) != NULL; i++) {
        if (stencil->key != NULL &&
            (self->options->stencil == NULL || self->options->stencil == stencil) &&
            !add_experiments(self, gpu, stencil, error)) {
            return false;
        }
    }
    return true;
}

bool model_time_campaign_init(ModelTimeCampaign *self,
                              const ModelTimeOptions *options,
                              GError **error)
{
    *self = (ModelTimeCampaign){
        .options = options,
        .gpus = g_ptr_array_new_with_free_func((GDestroyNotify) arch_params_free),
        .experiments = g_array_new(FALSE, FALSE, sizeof(ModelTimeExperiment)),
    };
    if (options->stencil != NULL && options->stencil->key == NULL) {
        return option_fail(error, "--campaign: the thesis has no experiments of %s",
                           options->stencil->name);
    }
    if (options->gpu_name != NULL) {
        return add_gpu(self, options->gpu_name, error);
    }
    for (guint i = 0; gpu_names[i] != NULL; i++) {
        if (!add_gpu(self, gpu_names[i], error)) {
            return false;
        }
    }
    return true;
}

void model_time_campaign_clear(ModelTimeCampaign *self)
{
    g_clear_pointer(&self->experiments, g_array_unref);
    g_clear_pointer(&self->gpus, g_ptr_array_unref);
}
