/* Results of the model of time for one tile or for all: in both forms of its equations,
 * for every k, and beside its own schedule. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/tiling/search.h"

enum {
    GPU_TILING_FORMS = GPU_TILING_AS_PRINTED + 1
};

/* Factors, then times, that turn the ideal time into that of the model. */
typedef struct {
    double steps;  /* computed by whole wavefronts, of those there are */
    double tiles;  /* places for points in whole rounds of tiles, of the first side;
                    * less than 1: points are left out */
    double strips; /* the same of the other sides */
    double passes; /* places in passes of all vector units, of a tile's points */
    double barrier_seconds;
    double move_seconds; /* that nothing hides */
    double launch_seconds;
} GpuTilingLosses;

typedef struct {
    GpuTileSpace space;
    GpuTile tile; /* the one that was asked for, or the best one */
    GpuTilingTime times[GPU_TILING_FORMS];
    GpuTilingLosses losses;    /* of the form that counts */
    uint64_t exact_wavefronts; /* with the last term of (A.3) */
    /* Of the schedule itself, tile by tile, where it is not too long to be gone
     * through; else 0. Seconds are T_alg with these, a tile that the problem cuts being
     * as long as a whole one. */
    uint64_t scheduled_rounds; /* of all wavefronts together */
    double scheduled_seconds;
    GArray *residents; /* of GpuTileChoice: this tile, or the best, for each k */
    GArray *others;    /* the same in the other form, with tiles of its own */
    bool has_search;   /* and with it what follows */
    GpuTileSearch search;
    GpuTileChoice other;  /* the optimum of the other form, */
    double other_seconds; /* and what the form that counts says of it */
    bool has_rule[GPU_TILE_RULES];
    GpuTileChoice rules[GPU_TILE_RULES];
} GpuTilingStudy;

/* Of a tile, or where that is NULL of all, `within` as gpu_tile_search() has it, and
 * fails as that does. */
bool gpu_tiling_study_init(GpuTilingStudy *self,
                           const GpuTileSpace *space,
                           const GpuTile *tile,
                           double within,
                           GError **error);
void gpu_tiling_study_clear(GpuTilingStudy *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GpuTilingStudy, gpu_tiling_study_clear)

/* Times of the form that counts. */
const GpuTilingTime *gpu_tiling_study_time(const GpuTilingStudy *self);

/* The form that does not count. */
GpuTilingForm gpu_tiling_other_form(GpuTilingForm form);

/* T_alg of a tile. */
double
gpu_tiling_seconds(const GpuTileSpace *space, const GpuTile *tile, GpuTilingForm form);
