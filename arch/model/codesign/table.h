/* All tiles of a problem, in an order that lets a search for the best stop early. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/model/tiling/tiling.h"

enum {
    GPU_LADDER_STEPS = 16, /* at most */
};

/* Shared memories to choose from, rising: what each has, and what a tile may take of
 * it. Whatever one step allows, the next allows, too. */
typedef struct {
    guint count;
    uint64_t shared_bytes[GPU_LADDER_STEPS];
    uint64_t block_bytes[GPU_LADDER_STEPS];
    guint blocks; /* resident tiles, at most */
} GpuLadder;

/* The best tile found; seconds are infinite where there is none. */
typedef struct {
    double seconds;
    GpuTile tile;
} GpuFound;

typedef struct GpuTileTable GpuTileTable;

/* Of the problem, `point_seconds` does not count. */
GpuTileTable *gpu_tile_table_new(const GpuTilingProblem *problem,
                                 const GpuLadder *ladder,
                                 GpuTilingForm form);
void gpu_tile_table_free(GpuTileTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GpuTileTable, gpu_tile_table_free)

/* How many vector units the searches below are about. */
void gpu_tile_table_set_vector_units(GpuTileTable *self, guint vector_units);

/* Which machine, and which steps of the ladder of it are wanted. Memory and vector
 * units of `machine` are those of the ladder and of what was set. */
typedef struct {
    const GpuTilingMachine *machine;
    double point_seconds;
    guint from; /* steps, both included */
    guint to;
} GpuTileQuery;

/* For each step of from..to the tile with the least time of all that fit there: exactly
 * what trying all tiles and all k finds, though of tiles that take the same time it may
 * be another. `found` has GPU_LADDER_STEPS elements; what it holds is where the search
 * begins: tiles that may be good and fit, or none. */
void gpu_tile_table_search(const GpuTileTable *self,
                           const GpuTileQuery *query,
                           GpuFound *found);
