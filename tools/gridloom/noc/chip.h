/* A chip whose network is used alone: its numbers, and which tile is where. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/noc_windows.h"
#include "arch/wormhole_noc.h"
#include "tools/gridloom/noc/map.h"

typedef struct CmdNocChip CmdNocChip;

/* What must be at a tile. */
typedef enum {
    CMD_NOC_CHIP_ANY,
    CMD_NOC_CHIP_MEMORY,
    CMD_NOC_CHIP_TENSIX, /* and works: its row is not harvested */
} CmdNocChipNeed;

/* `name` as --chip has it, or NULL for the default; `overrides` as --set has them, or
 * NULL. Fails with ARCH_ERROR_UNMODELLED where the chip has another kind of network. */
CmdNocChip *cmd_noc_chip_load(const char *name, char **overrides, GError **error);
void cmd_noc_chip_free(CmdNocChip *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CmdNocChip, cmd_noc_chip_free)

const ArchParams *cmd_noc_chip_params(const CmdNocChip *self);
double cmd_noc_chip_hertz(const CmdNocChip *self);
guint cmd_noc_chip_width(const CmdNocChip *self);
guint cmd_noc_chip_height(const CmdNocChip *self);

/* Columns and rows of Tensix tiles that work. */
guint cmd_noc_chip_core_columns(const CmdNocChip *self);
guint cmd_noc_chip_core_rows(const CmdNocChip *self);

/* The tile of logical coordinates, which must be below those. */
ArchTile cmd_noc_chip_core(const CmdNocChip *self, guint column, guint row);

bool cmd_noc_chip_contains(const CmdNocChip *self, ArchTile tile);
ArchTileKind cmd_noc_chip_kind(const CmdNocChip *self, ArchTile tile);
bool cmd_noc_chip_has(const CmdNocChip *self, ArchTile tile, CmdNocChipNeed need);

/* Reads "X,Y", tile coordinates as NoC 0 counts, or "L:X,Y", logical ones. Fails with
 * G_OPTION_ERROR. */
bool cmd_noc_chip_read_tile(const CmdNocChip *self,
                            const char *text,
                            const char *option,
                            CmdNocChipNeed need,
                            ArchTile *tile,
                            GError **error);

/* Likewise two tiles, "X,Y:X,Y"; an L holds for both. One tile is both corners. The
 * rectangle reaches from the first one in the direction of growing coordinates, around
 * the edge if need be, and shrinks to columns and rows with Tensix tiles. */
bool cmd_noc_chip_read_rectangle(const CmdNocChip *self,
                                 const char *text,
                                 const char *option,
                                 ArchTile corners[2],
                                 GError **error);

/* A map of both networks. Each of `links` is an array of ArchWormholeLink; the windows
 * are of those of NoC 0, then those of NoC 1. */
void cmd_noc_chip_map(const CmdNocChip *self,
                      const char *title,
                      GArray *const links[2],
                      const ArchNocWindows *windows,
                      CmdNocMap *map);
