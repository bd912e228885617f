/* All experiments of the thesis: text, JSON, a table, bars as in Figure A.7. */
#include "arch/model/tiling/campaign.h"

#include <stdio.h>

#include "tools/gridloom/complaint.h"
#include "tools/gridloom/model/time/time.h"
#include "tools/gridloom/option_value.h"
#include "traces/file/quantity.h"
#include "traces/picture/bar_list.h"
#include "traces/table/grid.h"
#include "traces/table/number_text.h"
#include "traces/table/record.h"

#define PERCENT 100.0

typedef struct {
    const ModelTimeOptions *options;
    GPtrArray *gpus;     /* of ArchParams */
    GArray *experiments; /* of GpuTilingExperiment, those of a GPU and stencil together
                          */
} Campaign;

static JsonObject *parameters(gconstpointer data)
{
    const ModelTimeOptions *options = ((const Campaign *) data)->options;

    return RECORD(
        VALUE("stencil", options->stencil == NULL ? "all" : options->stencil->name),
        VALUE("as_printed", (bool) (options->space.form == GPU_TILING_AS_PRINTED)),
        VALUE("within_percent", PERCENT * options->within));
}

/* A RecordFunc. */
static JsonObject *experiment_json(gconstpointer item, gconstpointer context)
{
    const GpuTilingExperiment *experiment = item;
    const guint dimension = experiment->problem.dimension;
    g_autofree char *size = quantity_sizes(experiment->problem.space, dimension);
    JsonObject *object = RECORD(
        VALUE("gpu", experiment->gpu), VALUE("stencil", experiment->stencil->name),
        VALUE("size", size), VALUE("steps", experiment->problem.steps),
        VALUE("ideal_seconds", experiment->ideal_seconds),
        VALUE("candidates", experiment->candidates),
        VALUE("shortlist_count", experiment->shortlist_count));

    (void) context;
    for (guint pick = 0; pick < GPU_PICKS; pick++) {
        const GpuTileChoice *choice = &experiment->picks[pick];

        RECORD_ADD(object, VALUE(gpu_pick_name((GpuPick) pick),
                                 choice->tile.resident > 0
                                     ? model_time_choice_json(choice, &dimension)
                                     : NULL));
    }
    return object;
}

static JsonArray *groups_json(const Campaign *self)
{
    JsonArray *array = json_array_new();
    GpuTilingGroup group;

    for (guint i = 0; i < self->experiments->len; i += group.count) {
        group = gpu_tiling_campaign_group(self->experiments, i);
        JsonObject *object = RECORD(VALUE("gpu", group.first->gpu),
                                    VALUE("stencil", group.first->stencil->name),
                                    VALUE("experiments", group.count));

        for (guint pick = 0; pick < GPU_PICKS; pick++) {
            g_autofree char *name =
                g_strdup_printf("%s_gpoints_per_second", gpu_pick_name((GpuPick) pick));

            RECORD_ADD(object, VALUE(name, group.rates[pick]));
        }
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonObject *metrics(gconstpointer data)
{
    const Campaign *self = data;

    return RECORD(
        VALUE("experiments_2d", gpu_tiling_campaign_count(self->experiments, 2)),
        VALUE("experiments_3d", gpu_tiling_campaign_count(self->experiments, 3)),
        VALUE("groups", groups_json(self)),
        VALUE("experiments", record_list(self->experiments, experiment_json, NULL)));
}

static char *csv(gconstpointer data)
{
    const Campaign *self = data;
    GString *text = g_string_new("gpu,stencil,size,steps,rule,tile,tile_steps,resident,"
                                 "seconds,ideal_seconds\n");

    for (guint i = 0; i < self->experiments->len * GPU_PICKS; i++) {
        const GpuTilingExperiment *experiment =
            &g_array_index(self->experiments, GpuTilingExperiment, i / GPU_PICKS);
        const GpuTileChoice *choice = &experiment->picks[i % GPU_PICKS];
        const guint dimension = experiment->problem.dimension;
        g_autofree char *size = quantity_sizes(experiment->problem.space, dimension);
        g_autofree char *tile = quantity_sizes(choice->tile.space, dimension);

        if (choice->tile.resident > 0) {
            trace_number_text_add(text, "-",
                                  "%s,%s,%s,%" G_GUINT64_FORMAT
                                  ",%s,%s,%" G_GUINT64_FORMAT ",%u,%.15g,%.15g\n",
                                  experiment->gpu, experiment->stencil->name, size,
                                  experiment->problem.steps,
                                  gpu_pick_name((GpuPick) (i % GPU_PICKS)), tile,
                                  choice->tile.steps, choice->tile.resident,
                                  choice->seconds, experiment->ideal_seconds);
        }
    }
    return g_string_free(text, FALSE);
}

/* A panel for each GPU and stencil, a bar for each rule. */
static char *svg(gconstpointer data)
{
    const Campaign *self = data;
    const GpuTilingForm form = self->options->space.form;
    g_autoptr(TraceBarList) bars = trace_bar_list_new(
        "1e9 points a second with tiles by rules, %s", model_time_form_name(form));
    GpuTilingGroup group;

    for (guint i = 0; i < self->experiments->len; i += group.count) {
        group = gpu_tiling_campaign_group(self->experiments, i);
        trace_bar_list_panel(bars, "%s on %s", group.first->stencil->title,
                             group.first->gpu);
        for (guint pick = 0; pick < GPU_PICKS; pick++) {
            trace_bar_list_add(bars, gpu_pick_title((GpuPick) pick, form),
                               group.rates[pick], 0, "%.2f", group.rates[pick]);
        }
    }
    return trace_bar_list_to_svg(bars);
}

static void print(gconstpointer data)
{
    const Campaign *self = data;
    const GpuTilingForm form = self->options->space.form;
    const bool is_corrected = form == GPU_TILING_CORRECTED;
    g_autoptr(Grid) grid =
        grid_with(is_corrected ? "GPU|STENCIL|RUNS|LEAST|AS PRINTED|DENSEST|LARGEST|"
                                 "WIDEST|SHORTLIST"
                               : "GPU|STENCIL|RUNS|LEAST|CORRECTED|DENSEST|LARGEST|"
                                 "WIDEST|SHORTLIST");
    GpuTilingGroup group;

    printf(
        "model time: the experiments of the thesis, %s (formulas, nothing runs)\n"
        "  %u in two dimensions, %u in three. Mean over problem sizes of 1e9 points a "
        "second\n"
        "  with the tile that each rule chooses: %s T_alg, the least T_alg %s,\n"
        "  most points a moved word (as HHC's authors advise), most shared memory, "
        "most\n"
        "  t_S1 + t_T/2; and tiles within %.0f %% of the best. Which 85 tiles the "
        "thesis\n"
        "  ran of each it does not print.\n\n",
        model_time_form_name(form), gpu_tiling_campaign_count(self->experiments, 2),
        gpu_tiling_campaign_count(self->experiments, 3),
        is_corrected ? "the least corrected" : "the least",
        is_corrected ? "as printed" : "of corrected equations",
        PERCENT * self->options->within);
    for (guint i = 0; i < self->experiments->len; i += group.count) {
        group = gpu_tiling_campaign_group(self->experiments, i);
        grid_printf(grid, "%s|%s|%u|%.2f|%.2f|%.2f|%.2f|%.2f|%u", group.first->gpu,
                    group.first->stencil->name, group.count, group.rates[0],
                    group.rates[1], group.rates[2], group.rates[3], group.rates[4],
                    group.shortlist_count);
    }
    grid_print(grid, stdout, 2);
}

static bool add_gpu(Campaign *self, const char *name, GError **error)
{
    const ModelTimeOptions *options = self->options;
    ArchParams *gpu = model_time_gpu(name, options->overrides, error);
    const GpuTilingStencil *stencil;

    if (gpu == NULL) {
        return false;
    }
    g_ptr_array_add(self->gpus, gpu);
    for (guint i = 0; (stencil = gpu_tiling_stencil_at(i)) != NULL; i++) {
        GpuTileSpace space = {.form = options->space.form};

        if (stencil->key != NULL &&
            (options->stencil == NULL || options->stencil == stencil) &&
            (!model_time_space_of(&space, gpu, stencil, options->point_seconds,
                                  error) ||
             !gpu_tiling_campaign_add(self->experiments, arch_params_name(gpu), stencil,
                                      &space, options->within, error))) {
            return false;
        }
    }
    return true;
}

static bool add_gpus(Campaign *self, GError **error)
{
    const ModelTimeOptions *options = self->options;

    if (options->stencil != NULL && options->stencil->key == NULL) {
        return option_fail(error, "--campaign: the thesis has no experiments of %s",
                           options->stencil->name);
    }
    return options->gpu_name != NULL
               ? add_gpu(self, options->gpu_name, error)
               : add_gpu(self, "gtx980", error) && add_gpu(self, "titanx", error);
}

int model_time_campaign(const ModelTimeOptions *options, gint64 start)
{
    g_autoptr(GPtrArray) gpus =
        g_ptr_array_new_with_free_func((GDestroyNotify) arch_params_free);
    g_autoptr(GArray) experiments =
        g_array_new(FALSE, FALSE, sizeof(GpuTilingExperiment));
    Campaign campaign = {options, gpus, experiments};
    g_autoptr(GError) error = NULL;

    return add_gpus(&campaign, &error)
               ? model_output_write(&options->output,
                                    &MODEL_PAGE("model time", options->gpu, &campaign),
                                    start)
               : complain_of(error);
}
