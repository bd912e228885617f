/* The header that belongs to one kernel: its arguments, its circular buffers, and where
 * memory lies. */
#pragma once

#include <glib.h>

#include "arch/tensix_riscv.h"
#include "workloads/metal/order.h"

/* Where a host leaves things in the L1 of a core. */
enum {
    METAL_L1_SEMAPHORES = 35008, /* 16 bytes each */
    METAL_L1_LAUNCHES = 35264,   /* what each RISC-V finds at its start */
    METAL_L1_ARGUMENTS = 35456,  /* those of BRISC, NCRISC and the compute kernel */
    METAL_LAUNCH_BYTES = 32,
    METAL_ARGUMENT_BYTES = 1376,
    METAL_VIRTUAL_FIRST = 18, /* place of the first core, in both directions */
};

/* The bytes of a tile in a format that tt-metal gives this number; 0: there is none. */
guint metal_tile_bytes(guint format);

/* Text of C++. The caller frees it. */
char *metal_generated_text(const MetalOrder *order,
                           const MetalKernel *kernel,
                           ArchRiscvIndex index,
                           const ArchParams *params,
                           ArchTensix *tensix);
