/* Halves: conversions by bits. */
#include "arch/number/half.h"

#include <math.h>
#include <string.h>

enum {
    BIAS = 15,
    DOUBLE_BIAS = 1023,
    DROPPED_BITS = 52 - 10, /* of a double's fraction */
};

float arch_half_to_float(uint16_t half)
{
    const uint32_t exponent = (half >> 10) & 0x1f;
    const uint32_t fraction = half & 0x3ff;
    const uint32_t sign = (uint32_t) (half & 0x8000) << 16;
    uint32_t bits = 0;
    float value = 0;

    if (exponent == 0) {
        value = (float) fraction * 0x1p-24F;
        return sign != 0 ? -value : value;
    }
    bits = sign | (fraction << 13);
    bits |= exponent == 0x1f ? 0x7f800000U : (exponent + 127 - BIAS) << 23;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Of a finite number of at least 2^-14: carries run into the exponent, as they should.
 */
static uint32_t round_normal(uint64_t bits)
{
    const uint64_t tie = UINT64_C(1) << (DROPPED_BITS - 1);
    const uint64_t rest = bits & (2 * tie - 1);
    const uint64_t kept = (bits >> DROPPED_BITS) & 0x3ff;
    const uint64_t exponent = (bits >> 52) - DOUBLE_BIAS + BIAS;
    const uint64_t is_up = rest > tie || (rest == tie && (kept & 1) != 0);

    return (uint32_t) ((exponent << 10) + kept + is_up);
}

uint16_t arch_half_from_double(double value)
{
    const double size = fabs(value);
    const uint32_t sign = signbit(value) != 0 ? 0x8000 : 0;
    uint64_t bits = 0;

    if (isnan(value)) {
        return 0x7e00; /* the sign of one differs between machines */
    }
    if (size >= 65520) {
        return (uint16_t) (sign | 0x7c00);
    }
    if (size < 0x1p-14) {
        return (uint16_t) (sign | (uint32_t) nearbyint(size * 0x1p24));
    }
    memcpy(&bits, &size, sizeof bits);
    return (uint16_t) (sign | round_normal(bits));
}
