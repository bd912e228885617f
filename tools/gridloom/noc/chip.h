/* A chip of which only the network is used, and the syntax of its tiles. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/traffic/tiles.h"

typedef struct {
    ArchParams *params;
    ArchTiles *tiles;
} CmdNocChip;

/* `name` is the value of --chip, or NULL for the default; `overrides` those of --set,
 * or NULL. Fails with ARCH_ERROR_UNMODELLED if its network is of another kind. */
bool cmd_noc_chip_load(CmdNocChip *self,
                       const char *name,
                       char **overrides,
                       GError **error);
void cmd_noc_chip_clear(CmdNocChip *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdNocChip, cmd_noc_chip_clear)

double cmd_noc_chip_hertz(const CmdNocChip *self);

/* Reads "X,Y", tile coordinates of NoC 0, or "L:X,Y", logical ones. Fails with
 * G_OPTION_ERROR. */
bool cmd_noc_chip_read_tile(const CmdNocChip *self,
                            const char *text,
                            const char *option,
                            ArchTilesNeed need,
                            ArchTile *tile,
                            GError **error);

/* Likewise reads two tiles, "X,Y:X,Y"; an L applies to both. A single tile is both
 * corners. The rectangle is shrunk by arch_tiles_shrink(). */
bool cmd_noc_chip_read_rectangle(const CmdNocChip *self,
                                 const char *text,
                                 const char *option,
                                 ArchTile corners[2],
                                 GError **error);
