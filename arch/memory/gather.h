/* Loops of a data mover's RISC-V over numbers that lie anywhere in its L1: no unit of a
 * Tensix core follows indices, so that sparse matrices need its loads and stores.
 * Calls complete or return ARCH_MOVER_AGAIN like those of arch/tensix_mover.h. */
#pragma once

#include <stdint.h>

#include <glib.h>

#include "arch/tensix_mover.h"

enum {
    ARCH_GATHER_MOST = 1 << 20, /* numbers of one call */
};

/* Numbers of `bytes` (2 or 4) at `from` plus the offsets, words at `offsets` that count
 * bytes. */
typedef struct {
    uint32_t from;
    uint32_t offsets;
    guint count;
    guint bytes;
} ArchGather;

/* Puts them one after another at `to`. Four numbers are a turn of the loop: their loads
 * overlap, and two of 2 bytes are stored as a word. */
ArchMoverResult
arch_mover_gather(ArchMover *self, const ArchGather *what, uint32_t to, GError **error);

/* Adds to `sum` their products with the numbers at `values`, one after another: each is
 * a product and a sum in single precision, which the RISC-V computes in software. */
ArchMoverResult arch_mover_gather_dot(ArchMover *self,
                                      const ArchGather *what,
                                      uint32_t values,
                                      float *sum,
                                      GError **error);
