/* The parts of a number that a fidelity phase multiplies, without branches. */
#pragma once

#include "arch/tensix/compute/fpu_lane.h"

/* The part of a number in SrcA; where it is 0, the exponent is still the number's. */
TENSIX_LANE FpuLaneSum fpu_part_a(uint32_t a, unsigned phase)
{
    int32_t exponent = tensix_number_exponent(a);
    int32_t mantissa = (int32_t) ((a & TENSIX_MANTISSA) | TENSIX_LEADING);
    int32_t part = (phase & 1) != 0 ? mantissa >> 14 & 0x1f : mantissa >> 19;
    int32_t sign = fpu_lane_sign((int32_t) a);
    bool is_zero = exponent == 0;

    exponent -= (phase & 1) != 0 ? 5 : 0;
    return (FpuLaneSum){fpu_lane_if(!is_zero, (part ^ sign) - sign),
                        exponent + fpu_lane_if(is_zero, FPU_LANE_NOTHING)};
}

/* The part of a number in SrcB. Its exponent has no bias, so that the sum of both
 * exponents has it once. */
TENSIX_LANE FpuLaneSum fpu_part_b(uint32_t b, unsigned phase)
{
    int32_t exponent = tensix_number_exponent(b);
    int32_t mantissa = (int32_t) ((b & TENSIX_MANTISSA) | TENSIX_LEADING);
    int32_t part = (phase & 2) != 0 ? mantissa >> 10 & 0x78 : mantissa >> 17;
    int32_t sign = fpu_lane_sign((int32_t) b);
    bool is_zero = exponent == 0;

    exponent -= TENSIX_EXPONENT_BIAS + ((phase & 2) != 0 ? 7 : 0);
    return (FpuLaneSum){fpu_lane_if(!is_zero, (part ^ sign) - sign),
                        exponent + fpu_lane_if(is_zero, FPU_LANE_NOTHING)};
}

TENSIX_LANE FpuLaneSum fpu_part_product(uint32_t a, uint32_t b, unsigned phase)
{
    FpuLaneSum part_a = fpu_part_a(a, phase);
    FpuLaneSum part_b = fpu_part_b(b, phase);

    int32_t mantissa = part_a.mantissa * part_b.mantissa;
    int32_t exponent = part_a.exponent + part_b.exponent +
                       fpu_lane_if(mantissa == 0, FPU_LANE_NOTHING);

    return (FpuLaneSum){mantissa, fpu_lane_max(exponent, FPU_LANE_NOTHING)};
}
