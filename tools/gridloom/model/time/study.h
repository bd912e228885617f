/* What `gridloom model time` finds out about one tile, or about all of them. */
#pragma once

#include "tools/gridloom/model/schedule/check.h"
#include "tools/gridloom/model/time/options.h"

enum {
    MODEL_TIME_FORMS = GPU_TILING_AS_PRINTED + 1
};

/* How the ideal time grows to that of the model: by factors, then by times. */
typedef struct {
    double steps;  /* computed by whole wavefronts, of those there are */
    double tiles;  /* places for points in whole rounds of tiles, of the first side;
                    * less than 1: points are left out */
    double strips; /* the same of the other sides */
    double passes; /* places in passes of all vector units, of a tile's points */
    double barrier_seconds;
    double move_seconds; /* that nothing hides */
    double launch_seconds;
} ModelTimeLosses;

typedef struct {
    const ModelTimeOptions *options;
    GpuTile tile; /* that of the line, or the best one */
    GpuTilingTime times[MODEL_TIME_FORMS];
    ModelTimeLosses losses;    /* of the form that counts */
    uint64_t exact_wavefronts; /* with the last term of (A.3) */
    /* Of the schedule itself, tile by tile, where it is not too long to be gone
     * through; else 0. Seconds are T_alg with these, a tile that the problem cuts being
     * as long as a whole one. */
    uint64_t scheduled_rounds; /* of all wavefronts together */
    double scheduled_seconds;
    GArray *residents; /* of GpuTileChoice: this tile, or the best, for each k */
    GArray *others;    /* the same in the other form, with tiles of its own */
    bool has_check;
    ModelScheduleCheck check;
    bool has_search; /* and with it what follows */
    GpuTileSearch search;
    GpuTileChoice other;  /* the optimum of the other form, */
    double other_seconds; /* and what the form that counts says of it */
    bool has_rule[GPU_TILE_RULES];
    GpuTileChoice rules[GPU_TILE_RULES];
} ModelTimeStudy;

/* Fails as gpu_tile_search() and model_schedule_check(). */
bool model_time_study_init(ModelTimeStudy *self,
                           const ModelTimeOptions *options,
                           GError **error);
void model_time_study_clear(ModelTimeStudy *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ModelTimeStudy, model_time_study_clear)

/* The tile as its schedule has it: those that exchange halos have one step each, of
 * which the model has no time. */
GpuTile model_time_study_scheduled(const ModelTimeStudy *self);

/* Times of the form that counts. */
const GpuTilingTime *model_time_study_time(const ModelTimeStudy *self);

/* The form that does not count. */
GpuTilingForm model_time_other_form(GpuTilingForm form);

/* T_alg of a tile. */
double
model_time_seconds(const GpuTileSpace *space, const GpuTile *tile, GpuTilingForm form);

/* The study as ModelPage wants it. */
JsonObject *model_time_study_parameters(gconstpointer study);
JsonObject *model_time_study_metrics(gconstpointer study);
char *model_time_study_csv(gconstpointer study);
char *model_time_study_svg(gconstpointer study);
void model_time_study_print(gconstpointer study);
