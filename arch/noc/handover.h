/* The way of a command from its core to the network. */
#pragma once

#include <stdbool.h>

#include "arch/wormhole_noc.h"
#include "sim/process.h"

/* One command. Whoever issues it keeps it until it is handed over. */
typedef struct {
    ArchWormholeNoc *noc;
    ArchNocCommand command;
} NocHandover;

/* Takes a place in the command queue; the network has the command
 * `command_cycles` (niu.command_cycles) later. False when the queue is full: then
 * `process`, which issues it, is woken when it is worth another attempt. */
bool noc_handover_issue(NocHandover *self, SimTime command_cycles, SimProcess *process);
