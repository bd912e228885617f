/* The vector unit on whole tiles of Dst: numbers only, no time. */
#pragma once

#include <stdint.h>

#include "arch/tensix/number.h"

typedef struct {
    TensixDst dst;
    TensixArithmetic arithmetic;
} TensixSfpuMode;

/* All tiles are in Dst, patterns as TensixDst says; the result may be an operand. A
 * result for a 16-bit Dst is cut to BF16 by SFPSTORE, if nothing else is said. */

void tensix_sfpu_add(uint32_t *dst,
                     const uint32_t *a,
                     const uint32_t *b,
                     TensixSfpuMode mode);
void tensix_sfpu_subtract(uint32_t *dst,
                          const uint32_t *a,
                          const uint32_t *b,
                          TensixSfpuMode mode);

/* For a 16-bit Dst the vendor's kernel rounds to nearest even, and zero times anything
 * is +0. */
void tensix_sfpu_multiply(uint32_t *dst,
                          const uint32_t *a,
                          const uint32_t *b,
                          TensixSfpuMode mode);

/* a * b + c */
void tensix_sfpu_multiply_add(uint32_t *dst,
                              const uint32_t *a,
                              const uint32_t *b,
                              const uint32_t *c,
                              TensixSfpuMode mode);

/* a * factor, an FP32 pattern */
void tensix_sfpu_scale(uint32_t *dst,
                       const uint32_t *a,
                       uint32_t factor,
                       TensixSfpuMode mode);

/* a + term, an FP32 pattern */
void tensix_sfpu_offset(uint32_t *dst,
                        const uint32_t *a,
                        uint32_t term,
                        TensixSfpuMode mode);

typedef enum {
    TENSIX_COMPARE_EQZ,
    TENSIX_COMPARE_NEZ,
    TENSIX_COMPARE_LTZ,
    TENSIX_COMPARE_GTZ,
    TENSIX_COMPARE_LEZ,
    TENSIX_COMPARE_GEZ,
} TensixComparison;

/* 1 where a compares so with zero, else 0: as the vendor's kernel, by sign and
 * magnitude. -0 is zero; a NaN is not equal to zero, and all else is false of it;
 * denormals are not zero, since nothing calculates with them. */
void tensix_sfpu_compare(uint32_t *dst, const uint32_t *a, TensixComparison comparison);

/* All numbers of a, in element 0; the rest is 0. Vectors of 32 numbers, in the order of
 * Dst, are added one after another; then the upper half of the lanes to the lower, down
 * to one. The public documents give no such kernel; the order is ours. Sums stay in
 * single precision until they are stored. */
void tensix_sfpu_sum(uint32_t *dst, const uint32_t *a, TensixSfpuMode mode);

/* As sfpu_number.h says. */
void tensix_sfpu_reciprocal(uint32_t *dst, const uint32_t *a, TensixSfpuMode mode);
void tensix_sfpu_root(uint32_t *dst, const uint32_t *a, TensixSfpuMode mode);
