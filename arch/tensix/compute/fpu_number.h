/* One result of the matrix unit, bit by bit: the definition that fpu.c computes fast.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arch/tensix/number.h"

/* Numbers from SrcA and SrcB are patterns with the lower 13 bits 0, numbers of Dst as
 * TensixDst says. Exponent 0 is zero, exponent 255 one more power of two. Results are
 * never -0 or denormal; those too great are infinities' patterns.
 *
 * What the public documents leave open is chosen thus: a zero takes no part in finding
 * the greatest exponent; the products of a phase that takes a lower part of SrcA (SrcB)
 * lie 5 (7) binary places lower, before any alignment; products too small for an
 * exponent keep it until the result is stored; ELWADD aligns the smaller magnitude with
 * ties away from zero; and the result of one negative unit, which the chip is known to
 * normalise wrongly in a way not published, is normalised rightly. */

enum {
    TENSIX_FPU_DEPTH = 16, /* products of a column that MVMUL and GAPOOL add up */
    TENSIX_FPU_GROUP = 8,  /* of these, aligned with one another */
};

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
