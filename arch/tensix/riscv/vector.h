/* Vector instructions of a compiled kernel. Its RISC-V's registers hold names of
 * vectors, so that the compiler assigns vectors to places as it does with numbers; a
 * name that is neither in a register nor in local memory is free for the next result.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/riscv/cpu.h"
#include "arch/tensix_compute.h"

enum {
    RISCV_VECTOR_NAMES = 256, /* SFPU_VECTORS */
};

typedef struct {
    bool is_used[RISCV_VECTOR_NAMES]; /* names that may still be somewhere */
    guint next;                       /* where the search for a free one goes on */
    uint32_t tile_row; /* of Dst, where dst_reg[0] is: of the tile, ... */
    uint32_t step_row; /* ... and beyond it, what dst_reg++ has added */
} RiscvVectors;

/* Makes the call of the vector instruction at which `cpu` has stopped, and gives it the
 * name of the result. Fails with ARCH_ERROR_INVALID. */
bool riscv_vector_call(RiscvVectors *self,
                       RiscvCpu *cpu,
                       ArchTensixCore *core,
                       guint thread,
                       GError **error);
