/* The lanes of a core, as traces show them: core[3,4].math. */
#pragma once

#include "arch/tensix/core.h"
#include "sim/lane.h"

typedef enum {
    TENSIX_CORE_READER,
    TENSIX_CORE_WRITER,
    TENSIX_CORE_THREADS,                         /* unpack, math, pack */
    TENSIX_CORE_UNITS = TENSIX_CORE_THREADS + 3, /* unpacker, fpu, sfpu, packer */
    TENSIX_CORE_BUFFERS = TENSIX_CORE_UNITS + 4, /* how full the circular buffers are */
    TENSIX_CORE_NOCS, /* arrivals and transactions in flight, for each network */
    TENSIX_CORE_MOVER_ZONES =
        TENSIX_CORE_NOCS + 2, /* zones that kernels mark: reader, writer */
    TENSIX_CORE_THREAD_ZONES = TENSIX_CORE_MOVER_ZONES + 2,
    TENSIX_CORE_LANES = TENSIX_CORE_THREAD_ZONES + 3,
} TensixCoreLane;

/* Registers the lanes of all cores, and those of DRAM channels for arrivals. */
void tensix_core_lanes_make(ArchTensix *tensix);

SimLane tensix_core_lane(const ArchTensixCore *core, guint lane);

/* Shows a watcher of the lane a text at `when`. */
void tensix_core_show_text(const ArchTensixCore *core,
                           SimRegion *region,
                           guint lane,
                           SimTime when,
                           const char *text);

/* The lane for arrivals at a DRAM bank over network `noc`. */
SimLane tensix_core_lane_dram(const ArchTensix *tensix, guint bank, guint noc);
