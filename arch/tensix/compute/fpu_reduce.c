/* Reductions of the matrix unit, which pools columns of 16 numbers one after another.
 */
#include <string.h>

#include <glib.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/fpu.h"
#include "arch/tensix/compute/fpu_number.h"
#include "arch/tensix/tile.h"

#define SRC_BITS UINT32_C(0xffffe000)

/* What becomes of `dst` with a[0], a[stride], ..., and the scaler's row. */
typedef uint32_t (*PoolFunc)(uint32_t dst,
                             const uint32_t *a,
                             size_t stride,
                             const uint32_t *scaler,
                             TensixFpuMode mode);

static uint32_t pool_sum(uint32_t dst,
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
        dst = tensix_fpu_number_dot_to(dst, a, stride, scaler, phase, mode.dst);
    }
    return dst;
}

/* Orders patterns by the numbers they mean. */
static int32_t comparable(uint32_t bits)
{
    int32_t magnitude = (int32_t) (bits & TENSIX_MAGNITUDE);

    return (bits & TENSIX_SIGN) != 0 ? -magnitude : magnitude;
}

/* a times the power of two in the scaler; an exponent that leaves its 8 bits wraps. */
static uint32_t scale_by_power(uint32_t a, uint32_t scaler)
{
    uint32_t exponent =
        (uint32_t) (tensix_number_exponent(a) + tensix_number_exponent(scaler) -
                    TENSIX_EXPONENT_BIAS);

    if (tensix_number_exponent(a) == 0) {
        return 0;
    }
    return (a & ~TENSIX_INFINITY) | (exponent & 0xff) << TENSIX_MANTISSA_BITS;
}

static uint32_t pool_max(uint32_t dst,
                         const uint32_t *a,
                         size_t stride,
                         const uint32_t *scaler,
                         TensixFpuMode mode)
{
    for (unsigned k = 0; k < TENSIX_FPU_DEPTH; k++) {
        uint32_t scaled = scale_by_power(a[k * stride], scaler[k]);

        /* What a scaler of zero meets counts as minus infinity. */
        if (tensix_number_exponent(scaler[k]) != 0 &&
            comparable(scaled) >= comparable(dst)) {
            dst = scaled;
        }
    }
    return mode.dst == TENSIX_DST_16 ? dst & UINT32_C(0xffff0000) : dst & SRC_BITS;
}

static void pool_lines(uint32_t *dst,
                       const uint32_t *a,
                       const uint32_t *scaler,
                       TensixReduce kind,
                       TensixFpuMode mode,
                       PoolFunc pool)
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

            *result = pool(*result, a + first * TENSIX_FACE_ELEMENTS + from, across,
                           scaler, mode);
            *result = pool(*result, a + second * TENSIX_FACE_ELEMENTS + from, across,
                           scaler, mode);
        }
    }
}

static uint32_t pool_scalar(uint32_t dst,
                            uint32_t start,
                            const uint32_t *a,
                            const uint32_t *scaler,
                            TensixFpuMode mode,
                            PoolFunc pool)
{
    uint32_t columns[TENSIX_FACE_SIDE];

    for (unsigned i = 0; i < TENSIX_FACE_SIDE; i++) {
        columns[i] = start;
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

/* `start` is what Dst counts as where nothing is added to it. */
static void reduce(uint32_t *dst,
                   const uint32_t *a,
                   const uint32_t *scaler,
                   TensixReduce kind,
                   TensixFpuMode mode,
                   uint32_t start)
{
    PoolFunc pool = start == 0 ? pool_sum : pool_max;

    if (!mode.has_dst) {
        memset(dst, 0, TENSIX_TILE_ELEMENTS * sizeof *dst);
        for (unsigned i = 0; i < TENSIX_TILE_SIDE; i++) {
            bool is_column = kind == TENSIX_REDUCE_TO_COLUMN;
            dst[is_column ? tensix_tile_index(i, 0) : tensix_tile_index(0, i)] = start;
        }
    }
    if (kind != TENSIX_REDUCE_TO_SCALAR) {
        pool_lines(dst, a, scaler, kind, mode, pool);
        return;
    }
    uint32_t result = pool_scalar(dst[0], start, a, scaler, mode, pool);
    if (!mode.has_dst) {
        memset(dst, 0, TENSIX_TILE_ELEMENTS * sizeof *dst);
    }
    dst[0] = result;
}

void tensix_fpu_reduce_sum(uint32_t *dst,
                           const uint32_t *a,
                           const uint32_t *scaler,
                           TensixReduce kind,
                           TensixFpuMode mode)
{
    reduce(dst, a, scaler, kind, mode, 0);
}

void tensix_fpu_reduce_max(uint32_t *dst,
                           const uint32_t *a,
                           const uint32_t *scaler,
                           TensixReduce kind,
                           TensixFpuMode mode)
{
    /* GMPOOL reads rows of Dst that nothing was written to as all ones. */
    reduce(dst, a, scaler, kind, mode, UINT32_MAX);
}
