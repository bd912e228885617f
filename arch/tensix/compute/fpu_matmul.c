/* Matrix products of the matrix unit. */
#include <string.h>

#include "arch/tensix/bf16_rounding.h"
#include "arch/tensix/compute/fpu.h"
#include "arch/tensix/compute/fpu_lane.h"
#include "arch/tensix/compute/fpu_part.h"
#include "arch/tensix/compute/lanes.h"
#include "arch/tensix/tile.h"

/* A tile's mantissas and exponents of one phase, apart, in the order of tile.h. */
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
        b_parts->mantissa[i] = part_b.mantissa;
        b_parts->exponent[i] = part_b.exponent;
    }
}

/* Sums of products in the columns of a face. */
typedef struct {
    int32_t mantissa[TENSIX_FACE_SIDE];
    int32_t exponent[TENSIX_FACE_SIDE];
} Sums;

/* Adds up TENSIX_FPU_GROUP products in each column of a face of `a`, from element
 * `from`, with the row of `b` from element `row`. */
TENSIX_LANE void
add_group(Sums *sums, const Parts *a, unsigned from, const Parts *b, unsigned row)
{
    for (unsigned column = 0; column < TENSIX_FACE_SIDE; column++) {
        sums->exponent[column] = FPU_LANE_NOTHING;
        sums->mantissa[column] = 0;
    }
    for (unsigned k = 0; k < TENSIX_FPU_GROUP; k++) {
        const int32_t *exponent = a->exponent + from + (size_t) k * TENSIX_FACE_SIDE;
        int32_t factor_exponent = b->exponent[row + k];

        for (unsigned column = 0; column < TENSIX_FACE_SIDE; column++) {
            sums->exponent[column] = fpu_lane_max(sums->exponent[column],
                                                  exponent[column] + factor_exponent);
        }
    }
    for (unsigned k = 0; k < TENSIX_FPU_GROUP; k++) {
        const int32_t *exponent = a->exponent + from + (size_t) k * TENSIX_FACE_SIDE;
        const int32_t *mantissa = a->mantissa + from + (size_t) k * TENSIX_FACE_SIDE;
        int32_t factor_exponent = b->exponent[row + k];
        int32_t factor = b->mantissa[row + k];

        for (unsigned column = 0; column < TENSIX_FACE_SIDE; column++) {
            int32_t distance =
                sums->exponent[column] - exponent[column] - factor_exponent;
            int32_t shift = fpu_lane_min(distance, FPU_LANE_FAR);

            sums->mantissa[column] +=
                fpu_lane_shift_up(mantissa[column] * factor, shift);
        }
    }
    for (unsigned column = 0; column < TENSIX_FACE_SIDE; column++) {
        sums->exponent[column] +=
            fpu_lane_if(sums->mantissa[column] == 0, FPU_LANE_NOTHING);
    }
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
        Sums upper;
        Sums lower;
        unsigned from = a_face * TENSIX_FACE_ELEMENTS;
        unsigned b_row = b_face * TENSIX_FACE_ELEMENTS + row * TENSIX_FACE_SIDE;

        add_group(&upper, a, from, b, b_row);
        add_group(&lower, a, from + TENSIX_FPU_GROUP * TENSIX_FACE_SIDE, b,
                  b_row + TENSIX_FPU_GROUP);
        for (unsigned column = 0; column < TENSIX_FACE_SIDE; column++) {
            FpuLaneSum x = {upper.mantissa[column], upper.exponent[column]};
            FpuLaneSum y = {lower.mantissa[column], lower.exponent[column]};
            uint32_t *element = dst + (size_t) row * TENSIX_FACE_SIDE + column;

            *element = fpu_lane_add_to(*element, x, y, is_16);
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
    for (unsigned phase = 0; phase < mode.fidelity; phase++) {
        Parts a_parts;
        Parts b_parts;

        take_parts(&a_parts, &b_parts, a, b, phase);
        (mode.dst == TENSIX_DST_16 ? multiply_16 : multiply_32)(dst, &a_parts,
                                                                &b_parts);
    }
}
