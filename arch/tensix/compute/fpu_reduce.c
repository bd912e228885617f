/* Reductions of the matrix unit, which pools columns of 16 numbers one after another.
 */
#include <string.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/fpu.h"
#include "arch/tensix/compute/fpu_part.h"
#include "arch/tensix/tile.h"

#define SRC_BITS UINT32_C(0xffffe000)

/* The sum of TENSIX_FPU_GROUP products of a phase, aligned with one another. */
static FpuLaneSum
sum_group(const uint32_t *a, size_t stride, const uint32_t *scaler, unsigned phase)
{
    FpuLaneSum products[TENSIX_FPU_GROUP];
    FpuLaneSum sum = {0, FPU_LANE_NOTHING};

    for (unsigned k = 0; k < TENSIX_FPU_GROUP; k++) {
        products[k] = fpu_part_product(a[k * stride], scaler[k], phase);
        sum.exponent = fpu_lane_max(sum.exponent, products[k].exponent);
    }
    for (unsigned k = 0; k < TENSIX_FPU_GROUP; k++) {
        int32_t shift = fpu_lane_min(sum.exponent - products[k].exponent, FPU_LANE_FAR);

        sum.mantissa += fpu_lane_shift_up(products[k].mantissa, shift);
    }
    sum.exponent += fpu_lane_if(sum.mantissa == 0, FPU_LANE_NOTHING);
    return sum;
}

/* What becomes of `dst` with a[0], a[stride], ..., and the scaler's row. */
static uint32_t pool(uint32_t dst,
                     const uint32_t *a,
                     size_t stride,
                     const uint32_t *scaler,
                     TensixFpuMode mode)
{
    if (mode.arithmetic == TENSIX_ARITHMETIC_IEEE) {
        float sum = 0;

        for (unsigned k = 0; k < TENSIX_FPU_DEPTH; k++) {
            sum += tensix_number_to_float(a[k * stride]) *
                   tensix_number_to_float(scaler[k]);
        }
        dst = tensix_number_from_result(sum + tensix_number_to_float(dst));
        return mode.dst == TENSIX_DST_16 ? tensix_round_even(dst, 16) : dst;
    }
    /* A face is released when all its phases are done, so they come before the next. */
    for (unsigned phase = 0; phase < mode.fidelity; phase++) {
        dst = fpu_lane_add_to(dst, sum_group(a, stride, scaler, phase),
                              sum_group(a + stride * TENSIX_FPU_GROUP, stride,
                                        scaler + TENSIX_FPU_GROUP, phase),
                              mode.dst == TENSIX_DST_16, false);
    }
    return dst;
}

/* Likewise. */
typedef uint32_t Pool(uint32_t dst,
                      const uint32_t *a,
                      size_t stride,
                      const uint32_t *scaler,
                      TensixFpuMode mode);

/* Comparable as integers, from minus infinity on. */
static int32_t order_of(uint32_t bits)
{
    return (bits & TENSIX_SIGN) != 0 ? -(int32_t) (bits & TENSIX_MAGNITUDE)
                                     : (int32_t) bits;
}

static uint32_t scale_by_power(uint32_t bits, uint32_t scaler)
{
    const int32_t shift = tensix_number_exponent(scaler) - TENSIX_EXPONENT_BIAS;
    const int32_t exponent = tensix_number_exponent(bits) + shift;

    if (tensix_number_exponent(bits) == 0 || tensix_number_exponent(scaler) == 0 ||
        exponent <= 0) {
        return 0;
    }
    if (exponent >= TENSIX_EXPONENT_TOP) {
        return (bits & TENSIX_SIGN) | TENSIX_INFINITY;
    }
    return (bits & ~TENSIX_INFINITY) | (uint32_t) exponent << TENSIX_MANTISSA_BITS;
}

static uint32_t pool_max(uint32_t dst,
                         const uint32_t *a,
                         size_t stride,
                         const uint32_t *scaler,
                         TensixFpuMode mode)
{
    (void) mode;
    for (unsigned k = 0; k < TENSIX_FPU_DEPTH; k++) {
        const uint32_t scaled = scale_by_power(a[k * stride], scaler[k]);

        dst = order_of(scaled) >= order_of(dst) ? scaled : dst;
    }
    return dst;
}

static void pool_lines(uint32_t *dst,
                       const uint32_t *a,
                       const uint32_t *scaler,
                       TensixReduce kind,
                       TensixFpuMode mode,
                       Pool *pool_line)
{
    bool is_row = kind == TENSIX_REDUCE_TO_ROW;
    size_t along = is_row ? 1 : TENSIX_FACE_SIDE; /* from one result to the next */
    size_t across = is_row ? TENSIX_FACE_SIDE : 1;

    for (size_t half = 0; half < 2; half++) {
        size_t first = is_row ? half : half * 2;
        size_t second = is_row ? half + 2 : half * 2 + 1;

        for (unsigned i = 0; i < TENSIX_FACE_SIDE; i++) {
            size_t from = i * along;
            uint32_t *result = dst + first * TENSIX_FACE_ELEMENTS + from;

            *result = pool_line(*result, a + first * TENSIX_FACE_ELEMENTS + from,
                                across, scaler, mode);
            *result = pool_line(*result, a + second * TENSIX_FACE_ELEMENTS + from,
                                across, scaler, mode);
        }
    }
}

static uint32_t
pool_scalar(uint32_t dst, const uint32_t *a, const uint32_t *scaler, TensixFpuMode mode)
{
    uint32_t columns[TENSIX_FACE_SIDE];

    for (unsigned i = 0; i < TENSIX_FACE_SIDE; i++) {
        columns[i] = 0;
        for (size_t face = 0; face < 4; face++) {
            columns[i] = pool(columns[i], a + face * TENSIX_FACE_ELEMENTS + i,
                              TENSIX_FACE_SIDE, scaler, mode);
        }
        if (mode.arithmetic == TENSIX_ARITHMETIC_CHIP) {
            columns[i] &= SRC_BITS;
        }
    }
    return pool(dst, columns, 1, scaler, mode);
}

void tensix_fpu_reduce_sum(uint32_t *dst,
                           const uint32_t *a,
                           const uint32_t *scaler,
                           TensixReduce kind,
                           TensixFpuMode mode)
{
    if (!mode.has_dst) {
        memset(dst, 0, TENSIX_TILE_ELEMENTS * sizeof *dst);
    }
    if (kind == TENSIX_REDUCE_TO_SCALAR) {
        dst[0] = pool_scalar(dst[0], a, scaler, mode);
    } else {
        pool_lines(dst, a, scaler, kind, mode, pool);
    }
}

/* What is not a result stays 0. */
static void prepare_max(uint32_t *dst, TensixReduce kind, bool has_dst)
{
    for (unsigned i = 0; i < TENSIX_TILE_SIDE && !has_dst; i++) {
        const unsigned row = kind == TENSIX_REDUCE_TO_COLUMN ? i : 0;
        const unsigned column = kind == TENSIX_REDUCE_TO_ROW ? i : 0;

        dst[tensix_tile_index(row, column)] = TENSIX_SIGN | TENSIX_INFINITY;
    }
}

void tensix_fpu_reduce_max(uint32_t *dst,
                           const uint32_t *a,
                           const uint32_t *scaler,
                           TensixReduce kind,
                           TensixFpuMode mode)
{
    uint32_t columns[TENSIX_FACE_SIDE];

    if (!mode.has_dst) {
        memset(dst, 0, TENSIX_TILE_ELEMENTS * sizeof *dst);
    }
    prepare_max(dst, kind, mode.has_dst);
    if (kind != TENSIX_REDUCE_TO_SCALAR) {
        pool_lines(dst, a, scaler, kind, mode, pool_max);
        return;
    }
    for (unsigned i = 0; i < TENSIX_FACE_SIDE; i++) {
        columns[i] = TENSIX_SIGN | TENSIX_INFINITY;
        for (size_t face = 0; face < 4; face++) {
            columns[i] = pool_max(columns[i], a + face * TENSIX_FACE_ELEMENTS + i,
                                  TENSIX_FACE_SIDE, scaler, mode);
        }
    }
    dst[0] = pool_max(dst[0], columns, 1, scaler, mode);
}
