/* One result of the matrix unit, bit by bit: the definition that the
 * lanes of arch/tensix/compute/ compute fast. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arch/tensix/compute/fpu_lane.h"

/* Numbers are as arch/tensix/compute/fpu_lane.h says. */

/* Dst = a + b, and Dst = dst + (a + b). */
uint32_t tensix_fpu_number_add(uint32_t a, uint32_t b, TensixDst kind);
uint32_t tensix_fpu_number_add_to(uint32_t dst, uint32_t a, uint32_t b, TensixDst kind);

/* dst + a * b, of which one fidelity phase, 0 to 3, takes parts of the mantissas: the
 * upper 5 bits of `a` (even phases) or the next 5, and the upper 7 bits of `b` (below
 * 2) or the last 4. */
uint32_t tensix_fpu_number_multiply_to(
    uint32_t dst, uint32_t a, uint32_t b, unsigned phase, TensixDst kind);

/* dst + the sum of a[i * stride] * b[i], TENSIX_FPU_DEPTH of them, in one phase. */
uint32_t tensix_fpu_number_dot_to(uint32_t dst,
                                  const uint32_t *a,
                                  size_t stride,
                                  const uint32_t *b,
                                  unsigned phase,
                                  TensixDst kind);

/* The same as a matrix product has it: products align with ties away from zero, and
 * with all whose factors are not 0, also where a phase takes nothing of them. */
uint32_t tensix_fpu_number_matmul_to(uint32_t dst,
                                     const uint32_t *a,
                                     size_t stride,
                                     const uint32_t *b,
                                     unsigned phase,
                                     TensixDst kind);
