/* From options of `gridloom noc transfer` to the cores of a chip. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/traffic/transfer_plan.h"
#include "tools/gridloom/noc/chip.h"
#include "tools/gridloom/noc/transfer_options.h"

/* Who talks to whom. Fails with G_OPTION_ERROR: a tile is malformed, off the grid or
 * without the function that it needs, a grid larger than the chip, more packets than
 * can be simulated. */
bool cmd_noc_transfer_make_plan(ArchTransferPlan *plan,
                                const CmdNocTransferOptions *options,
                                const CmdNocChip *chip,
                                GError **error);
