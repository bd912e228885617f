/* Hands a command from its core to the network. */
#pragma once

#include <stdbool.h>

#include "arch/wormhole_noc.h"
#include "sim/process.h"

/* One command. Its issuer keeps it alive until it is handed over. */
typedef struct {
    ArchWormholeNoc *noc;
    ArchNocCommand command;
} NocHandover;

/* Takes a place in the command queue; the network has the command `command_cycles`
 * (niu.command_cycles) later. Returns false if the queue is full; `process`, the
 * issuer, is then woken when there is a place. */
bool noc_handover_issue(NocHandover *self, SimTime command_cycles, SimProcess *process);
