/* Matrix products of the matrix unit. */
#include "arch/tensix/compute/fpu_matmul.h"

#include <string.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/fpu.h"
#include "arch/tensix/compute/fpu_lane.h"
#include "arch/tensix/compute/fpu_part.h"
#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/tile.h"

/* A tile's mantissas and exponents of one phase, apart, in the order of tile.h. SrcB's
 * mantissas are doubled. */
typedef struct {
    int32_t mantissa[TENSIX_TILE_ELEMENTS];
    int32_t exponent[TENSIX_TILE_ELEMENTS];
} Parts;

TENSIX_LANES
static void take_parts(Parts *a_parts,
                       Parts *b_parts,
                       const uint32_t *a,
                       const uint32_t *b,
                       unsigned phase)
{
    for (unsigned i = 0; i < TENSIX_TILE_ELEMENTS; i++) {
        FpuLaneSum part_a = fpu_part_a(a[i], phase);
        FpuLaneSum part_b = fpu_part_b(b[i], phase);

        a_parts->mantissa[i] = part_a.mantissa;
        a_parts->exponent[i] = part_a.exponent;
        b_parts->mantissa[i] = 2 * part_b.mantissa;
        b_parts->exponent[i] = part_b.exponent;
    }
}

/* The sum of TENSIX_FPU_GROUP products, whose exponent is the greatest of theirs also
 * if it is 0: of a column of `a` from element `from` on, and of the numbers of `b` from
 * element `row` on, whose mantissas are doubled. */
TENSIX_LANE FpuLaneSum add_group(const Parts *a,
                                 unsigned from,
                                 const Parts *b,
                                 unsigned row)
{
    FpuLaneSum sum = {0, FPU_LANE_NOTHING};

    for (unsigned k = 0; k < TENSIX_FPU_GROUP; k++) {
        sum.exponent =
            fpu_lane_max(sum.exponent, a->exponent[from + k * TENSIX_FACE_SIDE] +
                                           b->exponent[row + k]);
    }
    for (unsigned k = 0; k < TENSIX_FPU_GROUP; k++) {
        const unsigned at = from + k * TENSIX_FACE_SIDE;
        int32_t distance = sum.exponent - (a->exponent[at] + b->exponent[row + k]);
        int32_t doubled = a->mantissa[at] * b->mantissa[row + k];
        int32_t sign = fpu_lane_sign(doubled);
        int32_t shifted =
            ((doubled ^ sign) - sign) >> fpu_lane_min(distance, FPU_LANE_FAR);

        /* The product, shifted by the distance, with ties away from zero. */
        sum.mantissa += (((shifted + 1) >> 1) ^ sign) - sign;
    }
    return sum;
}

/* One MVMUL: a face of Dst plus a face of b times a face of a. */
TENSIX_LANE void multiply_face(uint32_t *restrict dst,
                               const Parts *a,
                               unsigned a_face,
                               const Parts *b,
                               unsigned b_face,
                               bool is_16)
{
    for (unsigned row = 0; row < TENSIX_FACE_SIDE; row++) {
        unsigned from = a_face * TENSIX_FACE_ELEMENTS;
        unsigned b_row = b_face * TENSIX_FACE_ELEMENTS + row * TENSIX_FACE_SIDE;
        uint32_t *to = dst + (size_t) row * TENSIX_FACE_SIDE;

        for (unsigned column = 0; column < TENSIX_FACE_SIDE; column++) {
            FpuLaneSum x = add_group(a, from + column, b, b_row);
            FpuLaneSum y =
                add_group(a, from + column + TENSIX_FPU_GROUP * TENSIX_FACE_SIDE, b,
                          b_row + TENSIX_FPU_GROUP);

            to[column] = fpu_lane_add_to(to[column], x, y, is_16, true);
        }
    }
}

TENSIX_LANES
static void multiply_16(uint32_t *restrict dst, const Parts *a, const Parts *b)
{
    for (unsigned face = 0; face < 4; face++) {
        uint32_t *to = dst + (size_t) face * TENSIX_FACE_ELEMENTS;

        for (unsigned k = 0; k < 2; k++) {
            multiply_face(to, a, k * 2 + face % 2, b, face / 2 * 2 + k, true);
        }
    }
}

TENSIX_LANES
static void multiply_32(uint32_t *restrict dst, const Parts *a, const Parts *b)
{
    for (unsigned face = 0; face < 4; face++) {
        uint32_t *to = dst + (size_t) face * TENSIX_FACE_ELEMENTS;

        for (unsigned k = 0; k < 2; k++) {
            multiply_face(to, a, k * 2 + face % 2, b, face / 2 * 2 + k, false);
        }
    }
}

/* In each column the products of a face are added up from the top, then to Dst. */
static void
multiply_ieee(uint32_t *dst, const uint32_t *a, const uint32_t *b, TensixDst kind)
{
    for (unsigned row = 0; row < TENSIX_TILE_SIDE; row++) {
        for (unsigned column = 0; column < TENSIX_TILE_SIDE; column++) {
            uint32_t *element = dst + tensix_tile_index(row, column);
            float sum = 0;

            for (unsigned k = 0; k < TENSIX_TILE_SIDE; k++) {
                sum += tensix_number_to_float(b[tensix_tile_index(row, k)]) *
                       tensix_number_to_float(a[tensix_tile_index(k, column)]);
                if (k % TENSIX_FPU_DEPTH == TENSIX_FPU_DEPTH - 1) {
                    sum += tensix_number_to_float(*element);
                    *element = tensix_number_from_result(sum);
                    if (kind == TENSIX_DST_16) {
                        *element = tensix_round_even(*element, 16);
                    }
                    sum = 0;
                }
            }
        }
    }
}

void tensix_fpu_matmul(uint32_t *dst,
                       const uint32_t *a,
                       const uint32_t *b,
                       TensixFpuMode mode)
{
    if (!mode.has_dst) {
        memset(dst, 0, TENSIX_TILE_ELEMENTS * sizeof *dst);
    }
    if (mode.arithmetic == TENSIX_ARITHMETIC_IEEE) {
        multiply_ieee(dst, a, b, mode.dst);
        return;
    }
    if (tensix_fpu_matmul_floats(dst, a, b, mode.dst, mode.fidelity)) {
        return;
    }
    for (unsigned phase = 0; phase < mode.fidelity; phase++) {
        Parts a_parts;
        Parts b_parts;

        take_parts(&a_parts, &b_parts, a, b, phase);
        (mode.dst == TENSIX_DST_16 ? multiply_16 : multiply_32)(dst, &a_parts,
                                                                &b_parts);
    }
}
