/* The costs and sizes of a port, from the chip file. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/border/fabric.h"
#include "arch/chipfile/params.h"
#include "arch/wormhole_noc.h"
#include "sim/ratio.h"

typedef struct {
    ArchTile tile;
    guint slot_count;
    uint64_t slot_bytes;
    SimRatio initiate_cycles; /* of whoever works there, for a message that leaves */
    SimRatio write_cycles;    /* likewise, for a command of one that comes in */
    SimRatio atomic_cycles;
    uint64_t word_bytes; /* of the wire; what it takes is a multiple of them */
    uint64_t payload_limit_bytes;
    uint64_t overhead_bytes; /* of each packet of the wire */
    guint receive_noc;
    SimTime command_cycles; /* from there to the network */
    uint64_t command_bytes; /* at most, of a command of the network */
} TensixPortNumbers;

TensixPortNumbers tensix_port_numbers_read(const ArchParams *params, ArchPort which);
