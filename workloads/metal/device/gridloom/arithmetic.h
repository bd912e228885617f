// What instructions do not do: numbers of floating point, divisions of 64 bits, copies of
// memory. The compiler calls these by their names.
#pragma once

#include <cstddef>
#include <cstdint>

#define GRIDLOOM_ROUTINE extern "C" __attribute__((weak, nodebug))

namespace gridloom {

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

    explicit Parts(uint32_t bits)
        : exponent(static_cast<int>(bits >> 23 & 255)), fraction(bits & FRACTION)
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
        exponent = 1; // without a leading one
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

inline uint64_t divide_64(uint64_t a, uint64_t b, uint64_t *remainder)
{
    uint64_t rest = 0;

    if ((a | b) >> 32 == 0) {
        *remainder = static_cast<uint32_t>(a) % static_cast<uint32_t>(b);
        return static_cast<uint32_t>(a) / static_cast<uint32_t>(b);
    }
    for (int i = 0; i < 64; i++) {
        rest = rest << 1 | a >> 63;
        a <<= 1;
        if (rest >= b) {
            rest -= b;
            a |= 1;
        }
    }
    *remainder = rest;
    return a;
}

} // namespace gridloom

GRIDLOOM_ROUTINE float __addsf3(float a, float b)
{
    return gridloom::add(gridloom::bits_of(a), gridloom::bits_of(b));
}
GRIDLOOM_ROUTINE float __subsf3(float a, float b)
{
    return gridloom::add(gridloom::bits_of(a), gridloom::bits_of(b) ^ gridloom::SIGN);
}
GRIDLOOM_ROUTINE float __mulsf3(float a, float b)
{
    return gridloom::multiply(gridloom::bits_of(a), gridloom::bits_of(b));
}
GRIDLOOM_ROUTINE float __divsf3(float a, float b)
{
    return gridloom::divide(gridloom::bits_of(a), gridloom::bits_of(b));
}
GRIDLOOM_ROUTINE int __eqsf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), 1);
}
GRIDLOOM_ROUTINE int __nesf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), 1);
}
GRIDLOOM_ROUTINE int __ltsf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), 1);
}
GRIDLOOM_ROUTINE int __lesf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), 1);
}
GRIDLOOM_ROUTINE int __gtsf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), -1);
}
GRIDLOOM_ROUTINE int __gesf2(float a, float b)
{
    return gridloom::compare(gridloom::bits_of(a), gridloom::bits_of(b), -1);
}
GRIDLOOM_ROUTINE int __unordsf2(float a, float b)
{
    return gridloom::is_nan(gridloom::bits_of(a)) || gridloom::is_nan(gridloom::bits_of(b));
}
GRIDLOOM_ROUTINE float __floatsisf(int32_t value)
{
    return gridloom::from_integer(value < 0 ? gridloom::SIGN : 0,
                                  value < 0 ? 0u - static_cast<uint32_t>(value) : static_cast<uint32_t>(value));
}
GRIDLOOM_ROUTINE float __floatunsisf(uint32_t value)
{
    return gridloom::from_integer(0, value);
}
GRIDLOOM_ROUTINE int32_t __fixsfsi(float value)
{
    return static_cast<int32_t>(gridloom::to_integer(gridloom::bits_of(value), INT32_MIN, INT32_MAX));
}
GRIDLOOM_ROUTINE uint32_t __fixunssfsi(float value)
{
    return static_cast<uint32_t>(gridloom::to_integer(gridloom::bits_of(value), 0, UINT32_MAX));
}

GRIDLOOM_ROUTINE uint64_t __udivdi3(uint64_t a, uint64_t b)
{
    uint64_t rest;

    return gridloom::divide_64(a, b, &rest);
}
GRIDLOOM_ROUTINE uint64_t __umoddi3(uint64_t a, uint64_t b)
{
    uint64_t rest;

    (void) gridloom::divide_64(a, b, &rest);
    return rest;
}
GRIDLOOM_ROUTINE int64_t __divdi3(int64_t a, int64_t b)
{
    const uint64_t quotient = __udivdi3(a < 0 ? 0 - static_cast<uint64_t>(a) : static_cast<uint64_t>(a),
                                        b < 0 ? 0 - static_cast<uint64_t>(b) : static_cast<uint64_t>(b));

    return static_cast<int64_t>((a < 0) != (b < 0) ? 0 - quotient : quotient);
}
GRIDLOOM_ROUTINE int64_t __moddi3(int64_t a, int64_t b)
{
    const uint64_t rest = __umoddi3(a < 0 ? 0 - static_cast<uint64_t>(a) : static_cast<uint64_t>(a),
                                    b < 0 ? 0 - static_cast<uint64_t>(b) : static_cast<uint64_t>(b));

    return static_cast<int64_t>(a < 0 ? 0 - rest : rest);
}

GRIDLOOM_ROUTINE void *memcpy(void *to, const void *from, size_t bytes)
{
    auto *target = static_cast<uint8_t *>(to);
    const auto *source = static_cast<const uint8_t *>(from);

    if (((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) & 3) == 0) {
        for (; bytes >= 4; bytes -= 4, target += 4, source += 4) {
            *reinterpret_cast<uint32_t *>(target) = *reinterpret_cast<const uint32_t *>(source);
        }
    }
    for (; bytes > 0; bytes--) {
        *target++ = *source++;
    }
    return to;
}
GRIDLOOM_ROUTINE void *memset(void *to, int value, size_t bytes)
{
    auto *target = static_cast<uint8_t *>(to);
    const uint32_t byte = static_cast<uint8_t>(value);

    if ((reinterpret_cast<uintptr_t>(to) & 3) == 0) {
        for (; bytes >= 4; bytes -= 4, target += 4) {
            *reinterpret_cast<uint32_t *>(target) = byte * 0x01010101u;
        }
    }
    for (; bytes > 0; bytes--) {
        *target++ = static_cast<uint8_t>(byte);
    }
    return to;
}
GRIDLOOM_ROUTINE void *memmove(void *to, const void *from, size_t bytes)
{
    auto *target = static_cast<uint8_t *>(to);
    const auto *source = static_cast<const uint8_t *>(from);

    if (target <= source) {
        return memcpy(to, from, bytes);
    }
    while (bytes > 0) {
        bytes--;
        target[bytes] = source[bytes];
    }
    return to;
}
GRIDLOOM_ROUTINE int memcmp(const void *a, const void *b, size_t bytes)
{
    const auto *left = static_cast<const uint8_t *>(a);
    const auto *right = static_cast<const uint8_t *>(b);

    for (; bytes > 0; bytes--, left++, right++) {
        if (*left != *right) {
            return *left < *right ? -1 : 1;
        }
    }
    return 0;
}
