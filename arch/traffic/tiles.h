/* The tiles of a chip: which is where, which of them work, and which are cores. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/wormhole_noc.h"

typedef struct {
    guint width;
    guint height;
    ArchTileKind *kinds; /* by x + width * y */
    bool *is_harvested;  /* by row */
    GArray *columns;     /* of guint: those of Tensix tiles that work */
    GArray *rows;
} ArchTiles;

/* The kind of tile that is required. */
typedef enum {
    ARCH_TILES_MEMORY,
    ARCH_TILES_TENSIX, /* and works: its row is not harvested */
} ArchTilesNeed;

/* The tiles of a chip of the Tensix family. Fails like arch_wormhole_noc_new(). */
ArchTiles *arch_tiles_new(const ArchParams *params, GError **error);
void arch_tiles_free(ArchTiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchTiles, arch_tiles_free)

/* The tile of logical coordinates, which count columns and rows with Tensix tiles that
 * work and must be below their number. */
ArchTile arch_tiles_core(const ArchTiles *self, guint column, guint row);

bool arch_tiles_contain(const ArchTiles *self, ArchTile tile);
ArchTileKind arch_tiles_kind(const ArchTiles *self, ArchTile tile);
const char *arch_tiles_kind_name(const ArchTiles *self, ArchTile tile);

/* A Tensix tile that does not work. */
bool arch_tiles_lost(const ArchTiles *self, ArchTile tile);
bool arch_tiles_have(const ArchTiles *self, ArchTile tile, ArchTilesNeed need);

/* A rectangle reaches from the first corner in the direction of growing coordinates,
 * around the edge if need be. Shrinks it to columns and rows with working Tensix tiles.
 * Returns false if none is left. */
bool arch_tiles_shrink(const ArchTiles *self, ArchTile corners[2]);

/* Is there a Tensix tile that works in the rectangle, other than `sender`? NULL is
 * nobody. */
bool arch_tiles_have_receiver(const ArchTiles *self,
                              const ArchTile corners[2],
                              const ArchTile *sender);
