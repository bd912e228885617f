/* The experiments of the thesis (A.5): six stencils, their sizes and steps, two GPUs;
 * for each of them the tiles that rules choose, and what the model says of those. */
#pragma once

#include "tools/gridloom/model/time/options.h"

/* Who chose a tile. */
typedef enum {
    MODEL_TIME_BEST,  /* the form of the model that counts */
    MODEL_TIME_OTHER, /* the other form: (A.18) as printed where the corrected one
                       * counts */
    MODEL_TIME_RULES, /* this and the next ones: GpuTileRule */
    MODEL_TIME_PICKS = MODEL_TIME_RULES + GPU_TILE_RULES,
} ModelTimePick;

typedef struct {
    const char *gpu; /* its name */
    const GpuTilingStencil *stencil;
    GpuTilingProblem problem;
    double ideal_seconds;
    uint64_t candidates;
    guint shortlist_count;
    GpuTileChoice picks[MODEL_TIME_PICKS]; /* by the form that counts; k = 0: no tile */
} ModelTimeExperiment;

typedef struct {
    const ModelTimeOptions *options;
    GPtrArray *gpus; /* of ArchParams */
    GArray
        *experiments; /* of ModelTimeExperiment, those of a GPU and stencil together */
} ModelTimeCampaign;

/* Fails as chip files do, with ARCH_ERROR_UNDOCUMENTED, and with G_OPTION_ERROR where
 * the thesis has no experiment of the stencil. */
bool model_time_campaign_init(ModelTimeCampaign *self,
                              const ModelTimeOptions *options,
                              GError **error);
void model_time_campaign_clear(ModelTimeCampaign *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ModelTimeCampaign, model_time_campaign_clear)

/* 1e9 points a second of a tile; 0 where there is none. */
double model_time_experiment_rate(const ModelTimeExperiment *self, ModelTimePick pick);

/* Of experiments from `first` on those of the same GPU and stencil. */
guint model_time_campaign_group(const ModelTimeCampaign *self, guint first);

/* "least T_alg" and so on, as a picture has it; `form` is the one that counts. */
const char *model_time_pick_title(ModelTimePick pick, GpuTilingForm form);

/* The campaign as ModelPage wants it. */
JsonObject *model_time_campaign_parameters(gconstpointer campaign);
JsonObject *model_time_campaign_metrics(gconstpointer campaign);
char *model_time_campaign_csv(gconstpointer campaign);
char *model_time_campaign_svg(gconstpointer campaign);
void model_time_campaign_print(gconstpointer campaign);
