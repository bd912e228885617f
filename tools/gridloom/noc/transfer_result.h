/* What `gridloom noc transfer` leaves behind: JSON, a picture, a page of text. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/traffic/transfer_plan.h"
#include "tools/gridloom/noc/chip.h"
#include "tools/gridloom/noc/transfer_options.h"

typedef struct {
    const CmdNocTransferOptions *options;
    const CmdNocChip *chip;
    const ArchTransferPlan *plan;
    const ArchTransferResult *outcome;
    double wall_seconds;
} CmdNocTransferResult;

/* Writes the files that the options ask for. */
bool cmd_noc_transfer_result_write(const CmdNocTransferResult *self, GError **error);

/* Prints it for people. */
void cmd_noc_transfer_result_print(const CmdNocTransferResult *self);
