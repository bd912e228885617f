/* The cores of a transfer and whom they talk to, as tiles of a chip. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/traffic/tiles.h"
#include "arch/traffic/transfer.h"

/* A rectangle of cores at the logical coordinates 0,0. */
typedef struct {
    guint columns;
    guint rows;
} ArchTransferCores;

typedef struct {
    ArchTransferConfig config; /* borrows from the fields below */
    GArray *agents;            /* of ArchTransferAgent */
    GArray *peers;             /* of ArchTile, agent after agent */
    uint64_t core_bytes;       /* moved by the core with the most, one way */
    uint64_t total_bytes;      /* by all of them */
} ArchTransferPlan;

/* Copies `config`, whose agents are still to come. */
void arch_transfer_plan_init(ArchTransferPlan *self, const ArchTransferConfig *config);
void arch_transfer_plan_clear(ArchTransferPlan *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchTransferPlan, arch_transfer_plan_clear)

/* One core and one tile. */
void arch_transfer_plan_add_pair(ArchTransferPlan *self, ArchTile core, ArchTile peer);

/* Pages go over all DRAM channels. */
void arch_transfer_plan_add_pages(ArchTransferPlan *self,
                                  const ArchParams *params,
                                  ArchTile core);

/* A multicast to the rectangle of arch_tiles_shrink(). False where nobody receives it.
 */
bool arch_transfer_plan_add_multicast(ArchTransferPlan *self,
                                      const ArchTiles *tiles,
                                      ArchTile core,
                                      const ArchTile corners[2]);

/* The corners of the cores. */
void arch_transfer_cores_corners(const ArchTransferCores *self,
                                 const ArchTiles *tiles,
                                 ArchTile corners[2]);

/* Every core of cores[0], or `one` in their place, with every core of cores[1], column
 * by column as tt-metal lists them. False where a core would have no peer. */
bool arch_transfer_plan_add_pattern(ArchTransferPlan *self,
                                    const ArchTiles *tiles,
                                    const ArchTransferCores cores[2],
                                    const ArchTile *one);

/* Checks that commands between so many pairs can be simulated. Fails with
 * ARCH_ERROR_INVALID: "N packets in all, allowed are at most M". */
bool arch_transfer_plan_fits(const ArchTransferPlan *self,
                             const ArchParams *params,
                             uint64_t pair_count,
                             GError **error);

/* There are no more agents to come: adds up their bytes, and completes `config`. */
void arch_transfer_plan_end(ArchTransferPlan *self);
