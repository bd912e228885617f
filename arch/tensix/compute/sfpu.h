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

typedef void TensixSfpuUnary(uint32_t *dst, const uint32_t *a, TensixSfpuMode mode);
typedef void TensixSfpuBinary(uint32_t *dst,
                              const uint32_t *a,
                              const uint32_t *b,
                              TensixSfpuMode mode);
typedef void TensixSfpuTernary(uint32_t *dst,
                               const uint32_t *a,
                               const uint32_t *b,
                               const uint32_t *c,
                               TensixSfpuMode mode);
/* The scalar is an FP32 pattern. */
typedef void TensixSfpuScalar(uint32_t *dst,
                              const uint32_t *a,
                              uint32_t scalar,
                              TensixSfpuMode mode);

TensixSfpuBinary tensix_sfpu_add;
TensixSfpuBinary tensix_sfpu_subtract;

/* For a 16-bit Dst the vendor's kernel rounds to nearest even, and zero times anything
 * is +0. */
TensixSfpuBinary tensix_sfpu_multiply;

/* a * b + c */
TensixSfpuTernary tensix_sfpu_multiply_add;

TensixSfpuScalar tensix_sfpu_scale;  /* a * scalar */
TensixSfpuScalar tensix_sfpu_offset; /* a + scalar */

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
TensixSfpuUnary tensix_sfpu_sum;

/* As sfpu_number.h says. */
TensixSfpuUnary tensix_sfpu_reciprocal;
TensixSfpuUnary tensix_sfpu_root;
