/* Where the parts of a program lie in the L1 of its cores. */
#pragma once

#include <stdbool.h>

#include <glib.h>

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

/* The words that a kernel has as runtime arguments on a core, those that all its cores
 * share included, and the address of the first. */
guint metal_layout_arguments(const MetalKernel *kernel,
                             guint x,
                             guint y,
                             uint32_t *address);

/* Puts circular buffers, semaphores and arguments onto the cores. Fails as these do. */
bool metal_layout_put(const MetalOrder *order, ArchTensix *tensix, GError **error);
