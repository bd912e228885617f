/* What `gridloom noc transfer` leaves behind: JSON, a picture, a page of text. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "tools/gridloom/noc/transfer_plan.h"

typedef struct {
    const NocTransferOptions *options;
    const NocChip *chip;
    const NocTransferPlan *plan;
    const ArchTransferResult *outcome;
    double wall_seconds;
    uint64_t events; /* simulated */
} NocTransferResult;

/* Writes the files that the options ask for. */
bool noc_transfer_result_write(const NocTransferResult *self, GError **error);

/* Prints it for people. */
void noc_transfer_result_print(const NocTransferResult *self);
