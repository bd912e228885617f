/* What one core does in a transfer, action by action, and what issuing costs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/traffic/transfer.h"

typedef struct ArchCommands ArchCommands;

typedef enum {
    ARCH_ACTION_ISSUE,
    ARCH_ACTION_BARRIER, /* until all commands are done */
    ARCH_ACTION_AWAIT,   /* until `amount` signals have come */
    ARCH_ACTION_SIGNAL,  /* to the kernel beside, on the same core */
    ARCH_ACTION_LEFT,    /* until `amount` further packets have left */
    ARCH_ACTION_DONE,    /* until `amount` further packets are done */
    ARCH_ACTION_END,
} ArchActionKind;

typedef struct {
    ArchActionKind kind;
    ArchNocCommand command;
    SimRatio cost;   /* of issuing it */
    bool is_signal;  /* where it lands */
    uint64_t amount; /* of signals or packets */
} ArchAction;

/* Borrows all but `error`. Fails with ARCH_ERROR_INVALID. */
ArchCommands *arch_commands_new(const ArchTransferConfig *config,
                                const ArchTransferAgent *agent,
                                const ArchParams *params,
                                const ArchWormholeNoc *noc,
                                GError **error);
void arch_commands_free(ArchCommands *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchCommands, arch_commands_free)

/* The next action; ARCH_ACTION_END over and over when there is none. */
ArchAction arch_commands_next(ArchCommands *self);
