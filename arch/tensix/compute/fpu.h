/* The matrix unit on whole tiles: numbers only, no time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch/tensix/number.h"

/* How many fidelity phases a multiplication takes, each adding to Dst. */
typedef enum {
    TENSIX_FIDELITY_LOFI = 1,
    TENSIX_FIDELITY_HIFI2,
    TENSIX_FIDELITY_HIFI3,
    TENSIX_FIDELITY_HIFI4,
} TensixFidelity;

typedef struct {
    TensixDst dst;
    bool has_dst;            /* Dst += result; otherwise Dst counts as zero before */
    TensixFidelity fidelity; /* of multiplications; IEEE ones take whole mantissas */
    TensixArithmetic arithmetic;
} TensixFpuMode;

/* What a reduction leaves: row 0, column 0, or the element of both. */
typedef enum {
    TENSIX_REDUCE_TO_ROW,
    TENSIX_REDUCE_TO_COLUMN,
    TENSIX_REDUCE_TO_SCALAR,
} TensixReduce;

/* Tiles in SrcA and SrcB are patterns with the lower 13 bits 0, tiles in Dst as
 * TensixDst says; all in the order of tile.h. Dst may be neither source. */

typedef void
TensixFpuTwo(uint32_t *dst, const uint32_t *a, const uint32_t *b, TensixFpuMode mode);
TensixFpuTwo tensix_fpu_add;
TensixFpuTwo tensix_fpu_subtract;
TensixFpuTwo tensix_fpu_multiply;

/* Dst = a: MOVA2D to a 16-bit Dst, which cuts the mantissa; ELWADD of a and zero to a
 * 32-bit one. Adds nothing to Dst whatever the mode says. */
typedef void TensixFpuOne(uint32_t *dst, const uint32_t *a, TensixFpuMode mode);
TensixFpuOne tensix_fpu_copy;

/* The matrix product b a, as MVMUL: SrcB holds the left matrix. All columns' upper 16
 * products are added to Dst before the lower, phase after phase. */
TensixFpuTwo tensix_fpu_matmul;

/* Sums of a's numbers times those of scaler's row 0 in its first face, as GAPOOL. To
 * one scalar, sums of columns go through Src once more and meet the scaler twice. The
 * rest of Dst becomes 0, or stays if it is added to. */
typedef void TensixFpuReduce(uint32_t *dst,
                             const uint32_t *a,
                             const uint32_t *scaler,
                             TensixReduce kind,
                             TensixFpuMode mode);
TensixFpuReduce tensix_fpu_reduce_sum;

/* The greatest of them, as GMPOOL: the scaler counts by its exponent, and a Dst that
 * nothing is in as minus infinity. */
TensixFpuReduce tensix_fpu_reduce_max;
