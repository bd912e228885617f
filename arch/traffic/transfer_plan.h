/* The cores of a transfer and whom they talk to, as tiles of a chip. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/traffic/neighbours.h"
#include "arch/traffic/tiles.h"
#include "arch/traffic/transfer.h"

/* A rectangle of cores; the first one has the logical coordinates column, row. */
typedef struct {
    guint columns;
    guint rows;
    guint column;
    guint row;
    bool is_by_rows; /* listed row by row; tt-metal lists most column by column */
} ArchTransferCores;

typedef struct {
    ArchTransferConfig config; /* borrows from the fields below */
    ArchTransferConfig other;  /* the kernel beside it, if there is one */
    GArray *agents;            /* of ArchTransferAgent */
    GArray *peers;             /* of ArchTile, agent after agent */
    GArray *receivers;         /* of ArchTransferAgent, if they are measured */
    uint64_t core_bytes;       /* moved by the core with the most, one way */
    uint64_t total_bytes;      /* by all of them */
} ArchTransferPlan;

/* Copies `config`, whose agents are still to come. */
void arch_transfer_plan_init(ArchTransferPlan *self, const ArchTransferConfig *config);
void arch_transfer_plan_clear(ArchTransferPlan *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ArchTransferPlan, arch_transfer_plan_clear)

guint arch_transfer_cores_count(const ArchTransferCores *self);

/* The corners of the cores. */
void arch_transfer_cores_corners(const ArchTransferCores *self,
                                 const ArchTiles *tiles,
                                 ArchTile corners[2]);

/* One core and some tiles. */
void arch_transfer_plan_add(ArchTransferPlan *self,
                            ArchTile core,
                            const ArchTile *peers,
                            gsize peer_count);

/* Where page after page is: the DRAM channels, or the L1 of all cores, row by row. The
 * caller frees the array of ArchTile. */
GArray *arch_transfer_dram_banks(const ArchParams *params);
GArray *arch_transfer_l1_banks(const ArchTiles *tiles);

typedef struct {
    const GArray *banks;
    uint64_t first; /* of the first core */
    uint64_t step;  /* from one core's first page to the next one's */
    uint64_t count; /* of each core, over and over; 0 is one of each bank */
    uint64_t run;   /* of pages in a bank before the next one; 0 is 1 */
} ArchTransferPages;

/* Pages of every core. */
void arch_transfer_plan_add_pages(ArchTransferPlan *self,
                                  const ArchTiles *tiles,
                                  const ArchTransferCores *cores,
                                  const ArchTransferPages *pages);

/* Reads of the first banks by cores beside them, bank after bank. */
void arch_transfer_plan_add_neighbours(ArchTransferPlan *self,
                                       const ArchParams *params,
                                       const ArchTiles *tiles,
                                       guint bank_count,
                                       ArchNeighbours which);

/* A multicast of every core to the rectangle of arch_tiles_shrink(). False where nobody
 * receives it. */
bool arch_transfer_plan_add_multicast(ArchTransferPlan *self,
                                      const ArchTiles *tiles,
                                      const ArchTransferCores *cores,
                                      const ArchTile corners[2]);

/* Every core of cores[0] with every core of cores[1]. False where a core would have no
 * peer. */
bool arch_transfer_plan_add_pattern(ArchTransferPlan *self,
                                    const ArchTiles *tiles,
                                    const ArchTransferCores cores[2]);

/* Checks that commands between so many pairs can be simulated. Fails with
 * ARCH_ERROR_INVALID: "N packets in all, allowed are at most M". */
bool arch_transfer_plan_fits(const ArchTransferPlan *self,
                             const ArchParams *params,
                             uint64_t pair_count,
                             GError **error);

/* There are no more agents to come: adds up their bytes, and completes `config`. */
void arch_transfer_plan_end(ArchTransferPlan *self);

/* Then, a kernel of the same cores and peers beside it, with `op` on `noc` and `vc`. */
void arch_transfer_plan_double(ArchTransferPlan *self,
                               ArchTransferOp op,
                               guint noc,
                               guint vc);

/* Then, of one core's multicast: its receivers signal that they are ready for each, and
 * are measured in its place. They signal on the other network, as kernels that share a
 * core must. */
void arch_transfer_plan_shake_hands(ArchTransferPlan *self, const ArchTiles *tiles);
