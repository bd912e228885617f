/* Parts of tiles that compiled kernels print. */
#pragma once

#include <glib.h>

#include "arch/tensix/riscv/kernel.h"

/* Adds what the TileSlice of the device's headers at `address` of local memory tells:
 * rows and columns of a tile of the core's L1. */
bool riscv_print_tile(const RiscvKernel *self,
                      ArchTensixCore *core,
                      uint32_t address,
                      GString *to,
                      GError **error);
