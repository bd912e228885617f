/* The cores beside the DRAM banks, as tt-metal assigns them
 * (get_optimal_dram_bank_to_logical_worker_assignment, for NoC 0). */
#pragma once

#include <glib.h>

#include "arch/chipfile/params.h"
#include "arch/traffic/tiles.h"

/* Which cores read a bank. */
typedef enum {
    ARCH_NEIGHBOURS_BOTH, /* the closest one, and those left and right of it */
    ARCH_NEIGHBOURS_EAST, /* the closest one, and the one right of it */
    ARCH_NEIGHBOURS_WEST, /* the closest one, and the one left of it */
    ARCH_NEIGHBOURS_ROW,  /* its row */
} ArchNeighbours;

typedef struct {
    ArchTile core;
    ArchTile bank;
} ArchNeighbour;

/* An array of ArchNeighbour for the first banks, which the caller frees: each core
 * once, in the order of its logical coordinates, column by column. */
GArray *arch_neighbours_new(const ArchParams *params,
                            const ArchTiles *tiles,
                            guint bank_count,
                            ArchNeighbours which);
