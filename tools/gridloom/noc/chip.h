/* A chip whose network is used alone: its numbers, and which tile is where. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/noc_windows.h"
#include "arch/wormhole_noc.h"
#include "tools/gridloom/noc/map.h"

typedef struct NocChip NocChip;

/* What must be at a tile. */
typedef enum {
    NOC_CHIP_ANY,
    NOC_CHIP_MEMORY,
    NOC_CHIP_TENSIX, /* and works: its row is not harvested */
} NocChipNeed;

/* `name` as --chip has it, or NULL for the default; `overrides` as --set has them, or
 * NULL. Fails with ARCH_ERROR_UNMODELLED where the chip has another kind of network. */
NocChip *noc_chip_load(const char *name, char **overrides, GError **error);
void noc_chip_free(NocChip *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NocChip, noc_chip_free)

const ArchParams *noc_chip_params(const NocChip *self);
double noc_chip_hertz(const NocChip *self);
guint noc_chip_width(const NocChip *self);
guint noc_chip_height(const NocChip *self);

/* Columns and rows of Tensix tiles that work. */
guint noc_chip_core_columns(const NocChip *self);
guint noc_chip_core_rows(const NocChip *self);

/* The tile of logical coordinates, which must be below those. */
ArchTile noc_chip_core(const NocChip *self, guint column, guint row);

bool noc_chip_contains(const NocChip *self, ArchTile tile);
ArchTileKind noc_chip_kind(const NocChip *self, ArchTile tile);
bool noc_chip_has(const NocChip *self, ArchTile tile, NocChipNeed need);

/* Reads "X,Y", tile coordinates as NoC 0 counts, or "L:X,Y", logical ones. Fails with
 * G_OPTION_ERROR. */
bool noc_chip_read_tile(const NocChip *self,
                        const char *text,
                        const char *option,
                        NocChipNeed need,
                        ArchTile *tile,
                        GError **error);

/* Likewise two tiles, "X,Y:X,Y"; an L holds for both. One tile is both corners. The
 * rectangle reaches from the first one in the direction of growing coordinates, around
 * the edge if need be, and shrinks to columns and rows with Tensix tiles. */
bool noc_chip_read_rectangle(const NocChip *self,
                             const char *text,
                             const char *option,
                             ArchTile corners[2],
                             GError **error);

/* A map of both networks. Each of `links` is an array of ArchWormholeLink; the windows
 * are of those of NoC 0, then those of NoC 1. */
void noc_chip_map(const NocChip *self,
                  const char *title,
                  GArray *const links[2],
                  const ArchNocWindows *windows,
                  NocMap *map);
