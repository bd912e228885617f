// Numbers of floating point, in integers: to the nearest, and to even.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridloom
{

constexpr uint32_t SIGN = 0x80000000;
constexpr uint32_t INFINITE = 0x7f800000;
constexpr uint32_t NOT_A_NUMBER = 0x7fc00000;
constexpr uint32_t FRACTION = 0x007fffff;
constexpr uint32_t LEADING = 0x00800000;
constexpr int BIAS = 127;
constexpr int MOST_EXPONENT = 255;

inline uint32_t bits_of(float value)
{
    return __builtin_bit_cast(uint32_t, value);
}

inline float float_of(uint32_t bits)
{
    return __builtin_bit_cast(float, bits);
}

inline bool is_nan(uint32_t bits)
{
    return (bits & ~SIGN) > INFINITE;
}

// Shifts right; a bit that gets lost leaves a trace.
inline uint32_t shift_right(uint32_t bits, uint32_t count)
{
    return count == 0 ? bits : count > 31 ? bits != 0 : bits >> count | ((bits << (32 - count)) != 0);
}

// A finite number that is not zero: its exponent, and its fraction with the leading one.
struct Parts {
    int exponent;
    uint32_t fraction;

    explicit Parts(uint32_t bits) : exponent(static_cast<int>(bits >> 23 & 255)), fraction(bits & FRACTION)
    {
        if (exponent != 0) {
            fraction |= LEADING;
            return;
        }
        for (exponent = 1; (fraction & LEADING) == 0; exponent--) {
            fraction <<= 1;
        }
    }
};

// Of a fraction whose leading one is bit 30, to the nearest and to even.
inline float pack(uint32_t sign, int exponent, uint32_t fraction)
{
    if (exponent >= MOST_EXPONENT) {
        return float_of(sign | INFINITE);
    }
    if (exponent <= 0) {
        fraction = shift_right(fraction, static_cast<uint32_t>(1 - exponent));
        exponent = 1;  // without a leading one
    }
    const uint32_t rest = fraction & 127;
    uint32_t whole = (fraction + 64) >> 7;

    whole &= rest == 64 ? ~1u : ~0u;
    return float_of(sign | ((static_cast<uint32_t>(exponent - 1) << 23) + whole));
}

// The same of any fraction but zero.
inline float pack_any(uint32_t sign, int exponent, uint32_t fraction)
{
    if ((fraction & SIGN) != 0) {
        return pack(sign, exponent + 1, shift_right(fraction, 1));
    }
    for (; (fraction & 1u << 30) == 0; exponent--) {
        fraction <<= 1;
    }
    return pack(sign, exponent, fraction);
}

}  // namespace gridloom
