/* Matrix products in the host's floats. */
#include <stddef.h>

#include "arch/tensix/compute/fpu_lane.h"
#include "arch/tensix/compute/fpu_matmul.h"
#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/tile.h"

/* A product of parts has 12 bits, and floats hold it. A float 13 places above the
 * greatest product of a group, the grid, has its last place where products are aligned
 * to: in the pattern of the sum of both, the product is a whole number of such places.
 * The sum rounds ties to even; factors in SrcA are a little greater, so that ties go
 * away from zero, and too little for anything else to pass one. */

enum {
    LEAST = 75, /* exponents in Src, other than that of 0 */
    MOST = 174,
    DST_LEAST = 11, /* of which 10 places are lost, at most, when terms cancel */
    DST_MOST = 240,
    PHASES = 4,
};

static const float nudge = 1 + 0x1p-16F;
static const float grid_of_power = 1.5F * 0x1p13F;

/* How many places lower the products of a phase lie. */
static const int32_t places[PHASES] = {0, 5, 7, 12};
static const float scales[PHASES] = {1, 0x1p-5F, 0x1p-7F, 0x1p-12F};

/* A tile: the parts of its numbers that phases multiply, and their powers of two; all
 * are 0 where the number is. */
typedef struct {
    float parts[2][TENSIX_TILE_ELEMENTS]; /* upper, lower */
    float powers[TENSIX_TILE_ELEMENTS];
} Factors;

/* Whether all exponents but 0 are from `least` to `most`. */
TENSIX_LANES
static bool is_between(const uint32_t *numbers, uint32_t least, uint32_t most)
{
    uint32_t lowest = UINT32_MAX;
    uint32_t highest = 0;

    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        uint32_t exponent = numbers[i] & TENSIX_INFINITY;

        lowest = exponent - 1 < lowest ? exponent - 1 : lowest;
        highest = exponent > highest ? exponent : highest;
    }
    return lowest >= (least << TENSIX_MANTISSA_BITS) - 1 &&
           highest <= most << TENSIX_MANTISSA_BITS;
}

/* `upper` and `whole` are the bits that the upper part has, and both. */
TENSIX_LANES
static void take_factors(Factors *restrict to,
                         const uint32_t *numbers,
                         uint32_t upper,
                         uint32_t whole,
                         float factor)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        uint32_t exponent = numbers[i] & TENSIX_INFINITY;
        uint32_t bits = numbers[i] & -(uint32_t) (exponent != 0);
        float upper_part = tensix_number_to_float(bits & upper);
        float both = tensix_number_to_float(bits & whole);

        to->parts[0][i] = upper_part * factor;
        to->parts[1][i] = (both - upper_part) * factor;
        to->powers[i] = tensix_number_to_float(exponent);
    }
}

/* The greatest power of two of TENSIX_FPU_GROUP products: of a column of `a`, and of
 * neighbours of `b`. */
TENSIX_LANE float greatest(const float *a, const float *b)
{
    int32_t top = 0;

    for (unsigned k = 0; k < TENSIX_FPU_GROUP; k++) {
        float power = a[(size_t) k * TENSIX_FACE_SIDE] * b[k];

        top = fpu_lane_max(top, (int32_t) tensix_number_from_float(power));
    }
    return tensix_number_to_float((uint32_t) top);
}

/* The sum of such products in a phase, whose greatest power is `top`. */
TENSIX_LANE FpuLaneSum add_group(const float *a,
                                 const float *b,
                                 float top,
                                 unsigned phase)
{
    float grid = top * (grid_of_power * scales[phase]);
    uint32_t sum = 0;

    for (unsigned k = 0; k < TENSIX_FPU_GROUP; k++) {
        sum += tensix_number_from_float(a[(size_t) k * TENSIX_FACE_SIDE] * b[k] + grid);
    }
    sum -= TENSIX_FPU_GROUP * tensix_number_from_float(grid);
    return (FpuLaneSum){(int32_t) sum,
                        tensix_number_exponent(tensix_number_from_float(top)) -
                            places[phase]};
}

/* To 11 bits below `top`: first to 24 bits, then to these, ties towards plus infinity
 * each time. */
TENSIX_LANE int32_t lower_to(FpuLaneSum sum, int32_t top)
{
    int32_t shift = fpu_lane_min(top - sum.exponent, FPU_LANE_FAR);
    int32_t one = 1 << shift;

    return (sum.mantissa + (one >> 1) + (one >> 14)) >> shift;
}

/* fpu_lane_add_to() with ties up, for a Dst of 16 bits. */
TENSIX_LANE uint32_t add_to_16(uint32_t dst, FpuLaneSum x, FpuLaneSum y)
{
    int32_t exponent = tensix_number_exponent(dst);
    int32_t top = fpu_lane_max(exponent, fpu_lane_max(x.exponent, y.exponent));
    int32_t shift = fpu_lane_min(top - exponent, FPU_LANE_FAR);
    int32_t mantissa = (int32_t) ((dst & TENSIX_MANTISSA) | TENSIX_LEADING) >> 13;
    int32_t old = fpu_lane_if(exponent != 0, fpu_lane_shift_up(mantissa, shift));
    int32_t sign = fpu_lane_sign((int32_t) dst);
    int32_t total = (old ^ sign) - sign + lower_to(x, top) + lower_to(y, top);
    uint32_t bits = tensix_number_from_float((float) total) + 0x8000;
    uint32_t unit = (uint32_t) (fpu_lane_max(top, DST_LEAST) - 10)
                    << TENSIX_MANTISSA_BITS;

    return tensix_number_from_float(
        tensix_number_to_float(bits & UINT32_C(0xffff0000)) *
        tensix_number_to_float(unit));
}

/* Where the operands of a face of Dst are: the first of two faces, and the step to the
 * second. */
typedef struct {
    const Factors *factors;
    unsigned first;
    unsigned step;
} Faces;

/* A row of a face of Dst plus a row of two faces of b times two faces of a, which are
 * added one after another, phase after phase. */
TENSIX_LANE void multiply_row(
    uint32_t *restrict dst, Faces a, Faces b, TensixFidelity fidelity, bool is_16)
{
    const unsigned half = TENSIX_FPU_GROUP * TENSIX_FACE_SIDE;
    float tops[2][2][TENSIX_FACE_SIDE];

    for (unsigned face = 0; face < 2; face++) {
        const float *left = b.factors->powers + b.first + (size_t) face * b.step;
        const float *right = a.factors->powers + a.first + (size_t) face * a.step;

        for (unsigned column = 0; column < TENSIX_FACE_SIDE; column++) {
            tops[face][0][column] = greatest(right + column, left);
            tops[face][1][column] =
                greatest(right + half + column, left + TENSIX_FPU_GROUP);
        }
    }
    for (unsigned part = 0; part < 2 * (unsigned) fidelity; part++) {
        const unsigned phase = part / 2;
        const unsigned face = part % 2;
        const float *left =
            b.factors->parts[phase / 2] + b.first + (size_t) face * b.step;
        const float *right =
            a.factors->parts[phase % 2] + a.first + (size_t) face * a.step;

        for (unsigned column = 0; column < TENSIX_FACE_SIDE; column++) {
            FpuLaneSum x =
                add_group(right + column, left, tops[face][0][column], phase);
            FpuLaneSum y = add_group(right + half + column, left + TENSIX_FPU_GROUP,
                                     tops[face][1][column], phase);

            dst[column] = is_16 ? add_to_16(dst[column], x, y)
                                : fpu_lane_add_to(dst[column], x, y, false, true);
        }
    }
}

TENSIX_LANE void multiply_tile(uint32_t *restrict dst,
                               const Factors *a,
                               const Factors *b,
                               TensixFidelity fidelity,
                               bool is_16)
{
    for (unsigned row = 0; row < 4 * TENSIX_FACE_SIDE; row++) {
        const unsigned face = row / TENSIX_FACE_SIDE;
        const unsigned line = row % TENSIX_FACE_SIDE * TENSIX_FACE_SIDE;
        const Faces right = {a, face % 2 * TENSIX_FACE_ELEMENTS,
                             2 * TENSIX_FACE_ELEMENTS};
        const Faces left = {b, face / 2 * 2 * TENSIX_FACE_ELEMENTS + line,
                            TENSIX_FACE_ELEMENTS};

        multiply_row(dst + (size_t) row * TENSIX_FACE_SIDE, right, left, fidelity,
                     is_16);
    }
}

TENSIX_LANES
static void multiply_16(uint32_t *restrict dst,
                        const Factors *a,
                        const Factors *b,
                        TensixFidelity fidelity)
{
    multiply_tile(dst, a, b, fidelity, true);
}

TENSIX_LANES
static void multiply_32(uint32_t *restrict dst,
                        const Factors *a,
                        const Factors *b,
                        TensixFidelity fidelity)
{
    multiply_tile(dst, a, b, fidelity, false);
}

bool tensix_fpu_matmul_floats(uint32_t *dst,
                              const uint32_t *a,
                              const uint32_t *b,
                              TensixDst kind,
                              TensixFidelity fidelity)
{
    Factors a_factors;
    Factors b_factors;

    if (!is_between(a, LEAST, MOST) || !is_between(b, LEAST, MOST) ||
        !is_between(dst, DST_LEAST, DST_MOST)) {
        return false;
    }
    take_factors(&a_factors, a, UINT32_C(0xfff80000), UINT32_C(0xffffc000), nudge);
    take_factors(&b_factors, b, UINT32_C(0xfffe0000), UINT32_C(0xffffe000), 1);
    (kind == TENSIX_DST_16 ? multiply_16 : multiply_32)(dst, &a_factors, &b_factors,
                                                        fidelity);
    return true;
}
