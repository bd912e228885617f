/* The cores of a transfer and whom they talk to, as tiles of a chip. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/traffic/transfer.h"
#include "tools/gridloom/noc/chip.h"
#include "tools/gridloom/noc/transfer_options.h"

typedef struct {
    ArchTransferConfig config; /* borrows from what follows */
    GArray *agents;            /* of ArchTransferAgent */
    GArray *peers;             /* of ArchTile, agent after agent */
    uint64_t core_bytes;       /* moved by the core with the most, one way */
    uint64_t total_bytes;      /* by all of them */
} CmdNocTransferPlan;

/* Fails with G_OPTION_ERROR: a tile is malformed, off the grid or without the function
 * that it needs, a grid larger than the chip, more packets than can be simulated. */
bool cmd_noc_transfer_plan_init(CmdNocTransferPlan *self,
                                const CmdNocTransferOptions *options,
                                const CmdNocChip *chip,
                                GError **error);
void cmd_noc_transfer_plan_clear(CmdNocTransferPlan *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CmdNocTransferPlan, cmd_noc_transfer_plan_clear)
