/* The counters of a core's compute kernel. */
#pragma once

#include "sim/counter.h"
#include "sim/engine.h"

typedef struct {
    SimCounter flops; /* of which: */
    SimCounter fpu_flops;
    SimCounter matmul_flops;
    SimCounter sfpu_flops;
    SimCounter sram_bytes; /* of which: */
    SimCounter unpacked_bytes;
    SimCounter packed_bytes;
    SimCounter copied_16_bytes; /* of those unpacked: into Dst through Src */
    SimCounter copied_32_bytes; /* and straight into Dst */
} TensixComputeCounters;

TensixComputeCounters tensix_compute_counters_of(SimEngine *engine);
