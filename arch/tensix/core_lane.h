/* The lanes of a core, as traces show them: core[3,4].math. */
#pragma once

#include "arch/tensix/core.h"
#include "sim/lane.h"

typedef enum {
    CORE_READER,
    CORE_WRITER,
    CORE_THREADS,                     /* unpack, math, pack */
    CORE_UNITS = CORE_THREADS + 3,    /* unpacker, fpu, sfpu, packer */
    CORE_BUFFERS = CORE_UNITS + 4,    /* how full the circular buffers are */
    CORE_NOCS,                        /* what arrives, and what is in flight, of each */
    CORE_MOVER_ZONES = CORE_NOCS + 2, /* zones that kernels mark: reader, writer */
    CORE_THREAD_ZONES = CORE_MOVER_ZONES + 2,
    CORE_LANES = CORE_THREAD_ZONES + 3,
} CoreLane;

/* Makes the lanes of all cores, and of DRAM channels: what arrives there. */
void core_lanes_make(ArchTensix *tensix);

SimLane core_lane(const ArchTensixCore *core, guint lane);

/* Where network `noc` brings what is for a DRAM bank. */
SimLane core_lane_dram(const ArchTensix *tensix, guint bank, guint noc);
