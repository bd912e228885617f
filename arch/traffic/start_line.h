/* The line at which the cores of a kernel wait for each other, as tt-metal's tests do
 * it: each increments a counter at the first core, and reads it until all have. */
#pragma once

#include <stdbool.h>

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/traffic/commands.h"
#include "arch/wormhole_noc.h"

/* Shared by the cores of a kernel. */
typedef struct {
    const ArchTransferConfig *config;
    SimRatio atomic_cost;
    SimRatio read_cost;
    SimTime hop_cycles;
    SimTime end_cycles; /* into the network and out of it */
    SimTime poll_cycles;
    guint width;
    guint height;
    gsize arrival_count;
    SimTime last_arrival;
} ArchStartLine;

/* The place of one core at it. */
typedef struct {
    ArchStartLine *line;
    ArchTile core;
    guint step;
} ArchStartPlace;

/* Borrows `config`. */
void arch_start_line_init(ArchStartLine *self,
                          const ArchTransferConfig *config,
                          const ArchParams *params,
                          const ArchWormholeNoc *noc);

/* A core's increment has landed. */
void arch_start_line_arrive(ArchStartLine *self, SimTime now);

/* What the core does next, its last action being over; ARCH_ACTION_END when it has
 * seen that all are there. */
ArchAction arch_start_place_next(ArchStartPlace *self, SimTime now);
