/* Time over two sizes of tiles, as Figure A.5 of the thesis has it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/model/tiling/search.h"

/* The tile with the k of the least time, at most that of the box; k = 0 where the tile
 * breaks a constraint. */
GpuTileChoice gpu_tile_best_resident(const GpuTileSpace *space, const GpuTile *tile);

typedef struct {
    GArray *steps;  /* of double: t_T, the columns */
    GArray *widths; /* of double: t_S2, the rows */
    GArray *cells;  /* of GpuTileChoice, row by row: the best k; k = 0: no such tile */
    guint tiles;
    guint best; /* of the cells */
    guint worst;
} GpuTilingSurface;

/* Of tiles in the space's box with t_S1 = `first`. Fails with ARCH_ERROR_INVALID where
 * none of them keeps the constraints. */
bool gpu_tiling_surface_init(GpuTilingSurface *self,
                             const GpuTileSpace *space,
                             uint64_t first,
                             GError **error);
void gpu_tiling_surface_clear(GpuTilingSurface *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GpuTilingSurface, gpu_tiling_surface_clear)

const GpuTileChoice *gpu_tiling_surface_cell(const GpuTilingSurface *self, guint place);
