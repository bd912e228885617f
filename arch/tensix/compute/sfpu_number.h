/* One result of the vector unit, bit by bit: the definition that sfpu.c computes fast.
 */
#pragma once

#include <stdint.h>

#include "arch/tensix/number.h"

/* x * y + z as SFPMAD: denormals count as zero; the product keeps 24 bits and three
 * more, the last of which says whether anything was lost, before z is added; one
 * rounding, to nearest even; what is denormal before it, and -0, becomes +0. A NaN is
 * TENSIX_SFPU_NAN, where the chip may set further bits. */
uint32_t tensix_sfpu_number_multiply_add(uint32_t x, uint32_t y, uint32_t z);

#define TENSIX_SFPU_NAN UINT32_C(0x7f800001)
#define TENSIX_SFPU_ONE UINT32_C(0x3f800000)

/* 1 / x and the square root of x. The public documents give no algorithm; these are
 * Newton's, made of multiply-adds as the vendor's library does in principle. They are
 * right to the last place or its neighbour; results that are denormal become +0. The
 * root of a negative number is a NaN, of -0 it is +0. */
uint32_t tensix_sfpu_number_reciprocal(uint32_t x);
uint32_t tensix_sfpu_number_root(uint32_t x);
