/* The calls of compiled compute kernels: functions of arch/tensix_operations.def with
 * arguments from registers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "arch/tensix/circular_buffer.h"
#include "arch/tensix_compute.h"

enum {
    RISCV_ARGUMENTS = 6,
};

/* The calls that a thread makes, and what it has packed since its last push. */
typedef struct {
    ArchTensixCore *core;
    guint thread;
    guint16 packed[CIRCULAR_BUFFERS];
    guint16 reserved[CIRCULAR_BUFFERS]; /* pages that it may pack and push */
    bool is_transposed; /* as its last init says: the right matrix of products */
    bool adds_to_dst;   /* likewise, sums of tiles */
} RiscvCaller;

/* Makes the calls of one function. Sets `has_value` if the kernel gets a number from
 * it. Fails with ARCH_ERROR_INVALID. */
bool riscv_compute_call(RiscvCaller *self,
                        uint32_t function,
                        const uint32_t arguments[RISCV_ARGUMENTS],
                        bool *has_value,
                        GError **error);
