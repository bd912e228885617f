/* The experiments of the thesis (A.5): six stencils, their sizes and steps; for each of
 * them the tiles that rules choose, and their modelled times. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/tiling/search.h"

/* How a tile was chosen. */
typedef enum {
    GPU_PICK_BEST,  /* the form of the model that counts */
    GPU_PICK_OTHER, /* the other form: (A.18) as printed where the corrected one counts
                     */
    GPU_PICK_RULES, /* this and the next ones: GpuTileRule */
    GPU_PICKS = GPU_PICK_RULES + GPU_TILE_RULES,
} GpuPick;

/* "best", "other_form", "densest" and so on; and as a picture has it, "least T_alg",
 * where `form` is the one that counts. */
const char *gpu_pick_name(GpuPick pick);
const char *gpu_pick_title(GpuPick pick, GpuTilingForm form);

typedef struct {
    const char *gpu; /* its name */
    const GpuTilingStencil *stencil;
    GpuTilingProblem problem;
    double ideal_seconds;
    uint64_t candidates;
    guint shortlist_count;
    GpuTileChoice picks[GPU_PICKS]; /* by the form that counts; k = 0: no tile */
} GpuTilingExperiment;

/* Experiments of one GPU and one stencil. */
typedef struct {
    const GpuTilingExperiment *first;
    guint count;
    double rates[GPU_PICKS]; /* means, 1e9 points a second; 0 where there is no tile */
    guint shortlist_count;   /* a mean, too */
} GpuTilingGroup;

/* Adds all experiments of a stencil, GpuTilingExperiment. Only the machine, the form
 * and C_iter of the space matter, and only the name of `gpu`. Fails like
 * gpu_tile_search(). */
bool gpu_tiling_campaign_add(GArray *experiments,
                             const char *gpu,
                             const GpuTilingStencil *stencil,
                             const GpuTileSpace *space,
                             double within,
                             GError **error);

/* The group of experiments from `first` on with the same GPU and stencil. */
GpuTilingGroup gpu_tiling_campaign_group(const GArray *experiments, guint first);

guint gpu_tiling_campaign_count(const GArray *experiments, guint dimension);
