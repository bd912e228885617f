/* Formats of numbers in L1, and how unpackers and packers convert them. */
#pragma once

#include <stdint.h>

#include "arch/tensix/number.h"

typedef enum {
    TENSIX_FORMAT_FP32,
    TENSIX_FORMAT_TF32, /* 32 bits in L1, the lower 13 zero */
    TENSIX_FORMAT_BF16,
    TENSIX_FORMAT_BFP8, /* 64 exponents, one per row of a face, then 1024 bytes */
} TensixFormat;

/* How wide a number is in SrcA and SrcB: 32-bit patterns whose lower 13 or 16 bits
 * are 0. */
typedef enum {
    TENSIX_SRC_TF32,
    TENSIX_SRC_BF16,
} TensixSrc;

/* All of these convert one tile; `l1` is little-endian and need not be aligned. */

/* L1 -> SrcA or SrcB. Extra mantissa bits are cut off; what becomes BF16 loses
 * its denormals. */
void tensix_unpack_src(uint32_t *src,
                       TensixSrc kind,
                       const uint8_t *l1,
                       TensixFormat format,
                       TensixArithmetic arithmetic);

/* L1 -> Dst. FP32 and TF32 go to either width; the others only to a 16-bit Dst.
 */
void tensix_unpack_dst(uint32_t *dst,
                       TensixDst kind,
                       const uint8_t *l1,
                       TensixFormat format,
                       TensixArithmetic arithmetic);

/* Dst -> L1. To TF32 and BF16: to nearest, ties away from zero; denormals and -0
 * become +0, NaNs infinities. To FP32: as it is. To BFP8: cut to BF16, then to nearest,
 * ties away, under the greatest exponent of 16 neighbours; a magnitude that rounds past
 * 7 bits stays at 127. */
void tensix_pack(uint8_t *l1,
                 TensixFormat format,
                 const uint32_t *dst,
                 TensixArithmetic arithmetic);
