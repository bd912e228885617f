/* Searches the whole constrained space (A.32) for the best tile, with the shortlist
 * around the optimum (A.6.3), and chooses tiles by simpler rules. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/tiling/tiling.h"

/* The largest sizes and steps of tiles that are looked at, and the k. */
typedef struct {
    uint64_t space[GPU_TILING_DIMENSIONS];
    uint64_t steps;
    guint resident;
} GpuTileBox;

enum {
    GPU_TILE_MOST = 1 << 24
}; /* candidates of a search */

/* t_T <= 64, t_S1 <= 128, t_S2 <= 512 of two dimensions; a third one between them is as
 * the first, a single one all that fits. The thesis does not print its own. */
GpuTileBox gpu_tile_box_usual(guint dimension);

/* The space of tiles to search. */
typedef struct {
    GpuTilingProblem problem;
    GpuTilingMachine machine;
    GpuTilingForm form;
    GpuTileBox box;
} GpuTileSpace;

/* Receives a tile and the largest k that fits and is in the box. Returns false to stop.
 */
typedef bool (*GpuTileVisit)(const GpuTile *tile,
                             const GpuTileShape *shape,
                             gpointer data);

/* All tiles in the box that keep the constraints, those of fewer steps and then of
 * smaller sizes first. */
void gpu_tile_visit(const GpuTileSpace *space, GpuTileVisit visit, gpointer data);

typedef struct {
    GpuTile tile;
    double seconds;
} GpuTileChoice;

typedef struct {
    uint64_t tiles;      /* that keep the constraints */
    uint64_t candidates; /* the same with every k */
    GpuTileChoice best;
    GpuTileChoice worst;
    GArray *shortlist; /* of GpuTileChoice, the best first */
    GArray *residents; /* of GpuTileChoice, the best of k = 1, 2 and so on; those of
                        * which there is no tile are left out */
} GpuTileSearch;

/* Asks for every tile and every k. The shortlist holds those that take at most the best
 * time and `within` of it (0.1 is 10 %) more. Of equal times that with fewer steps,
 * then smaller sizes, then a smaller k counts as better; the worst is the first of the
 * worst. Fails with ARCH_ERROR_INVALID where no tile keeps the constraints, or more
 * than GPU_TILE_MOST do. */
bool gpu_tile_search(GpuTileSearch *self,
                     const GpuTileSpace *space,
                     double within,
                     GError **error);
void gpu_tile_search_clear(GpuTileSearch *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GpuTileSearch, gpu_tile_search_clear)

/* Rules that choose a tile without a model of time; it then has the largest k. */
typedef enum {
    GPU_TILE_DENSEST, /* most points for a word that moves, as HHC's authors advise */
    GPU_TILE_LARGEST, /* most shared memory for a block: conventional wisdom */
    GPU_TILE_WIDEST,  /* largest t_S1 + t_T / 2 of tiles that compute longer than they
                       * move: least overhead by (8.5) */
    GPU_TILE_RULES,
} GpuTileRule;

/* "densest" and so on. */
const char *gpu_tile_rule_name(GpuTileRule rule);

/* Among tiles that the rule ranks equal, the one with the least time. Returns false if
 * there is no tile. */
bool gpu_tile_choose(const GpuTileSpace *space,
                     GpuTileRule rule,
                     GpuTileChoice *choice);

/* (8.5), the time lost to vector units that wait in the last pass of a row: as printed,
 * C_iter S1 T / (t_S1 + t_T / 2); corrected, times S2 / (t_S2 n_SM), as follows when
 * one C_iter is lost in every row of every tile. */
double gpu_tiling_overhead(const GpuTilingProblem *problem,
                           const GpuTile *tile,
                           const GpuTilingMachine *machine,
                           GpuTilingForm form);
