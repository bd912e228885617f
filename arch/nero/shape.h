/* A loaded design, as the durations of its parts. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/nero_design.h"
#include "sim/time.h"

typedef struct {
    SimTime plane_cycles;  /* to begin all points of a plane */
    SimTime plane_minimum; /* between planes, because of what is carried */
    SimTime depth_cycles;  /* from a point to its results */
    guint planes_ahead;    /* planes of input that it needs beyond the current one */
    uint64_t plane_flops;
    uint64_t plane_sram_bytes; /* read and written of on-chip arrays */
} NeroSweepShape;

typedef struct {
    ArchNeroFormat format;
    guint pes;
    guint sweep_count;
    guint window_copies;  /* buffers of a PE for windows */
    guint between_copies; /* buffers between its sweeps: all that the second takes */
    guint output_planes;  /* most planes that may wait to leave */
    guint planes;         /* of a window's results */
    bool is_downwards;    /* planes arrive and are swept from the last one down */
    uint64_t plane_in_bytes;
    uint64_t plane_out_bytes;
    NeroSweepShape sweeps[ARCH_NERO_SWEEPS];
} NeroShape;

NeroShape nero_shape_of(const ArchNeroDesign *design);
