// Operations on numbers of floating point.
#pragma once

#include "gridloom/float.h"

namespace gridloom
{

inline float add(uint32_t a, uint32_t b)
{
    if ((a & ~SIGN) < (b & ~SIGN)) {
        const uint32_t other = a;

        a = b;
        b = other;
    }
    if (is_nan(a)) {
        return float_of(NOT_A_NUMBER);
    }
    if ((a & ~SIGN) == INFINITE) {
        return float_of((b & ~SIGN) == INFINITE && a != b ? NOT_A_NUMBER : a);
    }
    if ((b & ~SIGN) == 0) {
        return float_of((a & ~SIGN) == 0 ? a & b : a);
    }
    const Parts large(a);
    const Parts small(b);
    const uint32_t aligned = shift_right(small.fraction << 7, static_cast<uint32_t>(large.exponent - small.exponent));
    const uint32_t sum = ((a ^ b) & SIGN) != 0 ? (large.fraction << 7) - aligned : (large.fraction << 7) + aligned;

    return sum == 0 ? 0.0f : pack_any(a & SIGN, large.exponent, sum);
}

inline float multiply(uint32_t a, uint32_t b)
{
    const uint32_t sign = (a ^ b) & SIGN;

    a &= ~SIGN;
    b &= ~SIGN;
    if (is_nan(a) || is_nan(b) || (a == INFINITE && b == 0) || (b == INFINITE && a == 0)) {
        return float_of(NOT_A_NUMBER);
    }
    if (a == INFINITE || b == INFINITE) {
        return float_of(sign | INFINITE);
    }
    if (a == 0 || b == 0) {
        return float_of(sign);
    }
    const Parts left(a);
    const Parts right(b);
    const uint64_t product = static_cast<uint64_t>(left.fraction) * right.fraction;

    return pack_any(sign, left.exponent + right.exponent - BIAS,
                    static_cast<uint32_t>(product >> 16) | ((product & 0xffff) != 0));
}

inline float divide(uint32_t a, uint32_t b)
{
    const uint32_t sign = (a ^ b) & SIGN;

    a &= ~SIGN;
    b &= ~SIGN;
    if (is_nan(a) || is_nan(b) || (a == b && (a == 0 || a == INFINITE))) {
        return float_of(NOT_A_NUMBER);
    }
    if (a == INFINITE || b == 0) {
        return float_of(sign | INFINITE);
    }
    if (a == 0 || b == INFINITE) {
        return float_of(sign);
    }
    const Parts left(a);
    const Parts right(b);
    uint32_t rest = left.fraction;
    uint32_t quotient = 0;

    for (int i = 0; i < 31; i++) {
        quotient <<= 1;
        if (rest >= right.fraction) {
            rest -= right.fraction;
            quotient |= 1;
        }
        rest <<= 1;
    }
    return pack_any(sign, left.exponent - right.exponent + BIAS, quotient | (rest != 0));
}

// Less, equal, greater: -1, 0, 1; `unordered` if one is not a number.
inline int compare(uint32_t a, uint32_t b, int unordered)
{
    if (is_nan(a) || is_nan(b)) {
        return unordered;
    }
    const int left = static_cast<int>((a & SIGN) != 0 ? SIGN - a : a);
    const int right = static_cast<int>((b & SIGN) != 0 ? SIGN - b : b);

    return left < right ? -1 : left > right;
}

inline float from_integer(uint32_t sign, uint32_t magnitude)
{
    return magnitude == 0 ? 0.0f : pack_any(sign, BIAS + 30, magnitude);
}

// Towards zero; below `least` or above `most` these.
inline int64_t to_integer(uint32_t bits, int64_t least, int64_t most)
{
    const bool is_negative = (bits & SIGN) != 0;
    const int exponent = static_cast<int>(bits >> 23 & 255) - BIAS;

    if (exponent < 0) {
        return 0;
    }
    if (exponent > 32) {
        return is_negative ? least : most;
    }
    const uint64_t magnitude = (static_cast<uint64_t>((bits & FRACTION) | LEADING) << 9) >> (32 - exponent);
    const int64_t value = is_negative ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);

    return value < least ? least : value > most ? most : value;
}

}  // namespace gridloom
