/* The header that belongs to one kernel: its arguments, its circular buffers, and where
 * memory lies. */
#pragma once

#include <glib.h>

#include "arch/tensix_riscv.h"
#include "workloads/metal/order.h"

/* The bytes of a tile in a format that tt-metal gives this number; 0: there is none. */
guint metal_tile_bytes(guint format);

/* Text of C++. The caller frees it. */
char *metal_generated_text(const MetalOrder *order,
                           const MetalKernel *kernel,
                           ArchRiscvIndex index,
                           const ArchParams *params,
                           ArchTensix *tensix);
