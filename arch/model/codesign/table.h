/* All tiles of a problem, in an order that lets a search for the best stop early. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/model/tiling/tiling.h"

enum {
    GPU_LADDER_STEPS = 16, /* at most */
};

/* Sizes of shared memory to choose from, ascending, and the most that a tile may take
 * of each. Each step allows everything that the previous one allows. */
typedef struct {
    guint count;
    uint64_t shared_bytes[GPU_LADDER_STEPS];
    uint64_t block_bytes[GPU_LADDER_STEPS];
    guint blocks; /* resident tiles, at most */
} GpuLadder;

/* The best tile found; seconds are infinite if there is none. */
typedef struct {
    double seconds;
    GpuTile tile;
} GpuFound;

typedef struct GpuTileTable GpuTileTable;

/* `point_seconds` of the problem is ignored. */
GpuTileTable *gpu_tile_table_new(const GpuTilingProblem *problem,
                                 const GpuLadder *ladder,
                                 GpuTilingForm form);
void gpu_tile_table_free(GpuTileTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GpuTileTable, gpu_tile_table_free)

/* Sets the numbers of multiprocessors and of vector units in each for the searches
 * below. */
void gpu_tile_table_set_units(GpuTileTable *self,
                              guint multiprocessors,
                              guint vector_units);

/* The machine, and the wanted steps of the ladder. Memory comes from the ladder and
 * vector units from gpu_tile_table_set_units(), not from `machine`, whose
 * multiprocessors are those set there. */
typedef struct {
    const GpuTilingMachine *machine;
    double point_seconds;
    guint from; /* steps, both included */
    guint to;
} GpuTileQuery;

/* Finds, for each step of from..to, the tile with the least time among all that fit.
 * The time is exactly that of a search of all tiles and all k; among equal times the
 * tile may differ. `found` has GPU_LADDER_STEPS elements and holds starting points:
 * good tiles that fit, or none. */
void gpu_tile_table_search(const GpuTileTable *self,
                           const GpuTileQuery *query,
                           GpuFound *found);
