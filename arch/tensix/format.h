/* How unpackers and packers convert numbers. */
#pragma once

#include <stdint.h>

#include "arch/number/tile_format.h"
#include "arch/tensix/number.h"

/* How wide a number is in SrcA and SrcB: 32-bit patterns whose lower 13 or 16 bits
 * are 0. */
typedef enum {
    TENSIX_SRC_TF32,
    TENSIX_SRC_BF16,
} TensixSrc;

/* All of these convert one tile; `l1` is little-endian and need not be aligned. */

/* L1 -> SrcA or SrcB. Extra mantissa bits are cut off; what becomes BF16 loses
 * its denormals. Integers of 16 bits, which only a copy takes, stay what they are. */
void tensix_unpack_src(uint32_t *src,
                       TensixSrc kind,
                       const uint8_t *l1,
                       ArchFormat format,
                       TensixArithmetic arithmetic);

/* L1 -> Dst. FP32 and TF32 go to either width, integers of 32 bits to the greater; the
 * others only to a 16-bit Dst. */
void tensix_unpack_dst(uint32_t *dst,
                       TensixDst kind,
                       const uint8_t *l1,
                       ArchFormat format,
                       TensixArithmetic arithmetic);

/* Dst -> L1. To TF32 and BF16: to nearest, ties away from zero; denormals and -0
 * become +0, NaNs infinities. To FP32: as it is. To BFP8: cut to BF16, then to nearest,
 * ties away, under the greatest exponent of 16 neighbours; a magnitude that rounds past
 * 7 bits stays at 127. To BFP4: as to BFP8, then cut to 3 bits; where these are 0 the
 * sign goes too, since a zero with a sign stands for an infinity. Integers: their lower
 * bits. */
void tensix_pack(uint8_t *l1,
                 ArchFormat format,
                 const uint32_t *dst,
                 TensixArithmetic arithmetic);

/* A number of a tile in L1. */
double tensix_format_number(const uint8_t *l1, ArchFormat format, unsigned element);
