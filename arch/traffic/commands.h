/* The commands of one core in a transfer, one after another, and what issuing costs. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/traffic/transfer.h"

typedef struct ArchCommands ArchCommands;

/* Borrows all but `error`. Fails with ARCH_ERROR_INVALID. */
ArchCommands *arch_commands_new(const ArchTransferConfig *config,
                                const ArchTransferAgent *agent,
                                const ArchParams *params,
                                const ArchWormholeNoc *noc,
                                GError **error);
void arch_commands_free(ArchCommands *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ArchCommands, arch_commands_free)

/* The next command and its issue cost; false when there is none. */
bool arch_commands_next(ArchCommands *self, ArchNocCommand *command, SimRatio *cost);

/* There will be no further command. */
bool arch_commands_is_over(const ArchCommands *self);
