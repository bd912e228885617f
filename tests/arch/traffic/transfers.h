/* Transfers on the chip of the networks' tests. */
#pragma once

#include "arch/traffic/transfer.h"
#include "tests/arch/noc/chip.h"

/* Of one agent. */
static inline ArchTransferConfig
config_of(ArchTransferOp op, uint64_t bytes, uint64_t count, const ArchTransferAgent *a)
{
    return (ArchTransferConfig){
        .op = op,
        .bytes = bytes,
        .count = count,
        .agents = a,
        .agent_count = 1,
        .options = {.has_contention = true, .has_l1_conflicts = true},
    };
}

static inline void run(const ArchTransferConfig *config, ArchTransferResult *result)
{
    g_autoptr(ArchParams) params = load_params();
    g_autoptr(GError) error = NULL;

    if (!arch_transfer_run(config, params, result, &error)) {
        fail_msg("%s", error->message);
    }
}
