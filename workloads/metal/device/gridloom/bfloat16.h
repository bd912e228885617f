// BF16 as bits, for data movers that compute.
#pragma once

#include "gridloom/call.h"

inline constexpr uint16_t NEG_INF_BFLOAT16 = 0xff80;
inline constexpr uint16_t POS_INF_BFLOAT16 = 0x7f80;
inline constexpr uint16_t NAN_BFLOAT16 = 0x7fff;
inline constexpr uint16_t BFLOAT16_SIGN_MASK = 0x8000;

FORCE_INLINE float bf16_to_fp32(uint16_t bits)
{
    return __builtin_bit_cast(float, static_cast<uint32_t>(bits) << 16);
}

FORCE_INLINE uint16_t fp32_to_bf16_truncate(float value)
{
    return static_cast<uint16_t>(__builtin_bit_cast(uint32_t, value) >> 16);
}

// To the nearest, to even where two are as near.
FORCE_INLINE uint16_t fp32_to_bf16(float value)
{
    const uint32_t bits = __builtin_bit_cast(uint32_t, value);

    if ((bits & 0x7fffffff) > 0x7f800000) {
        return 0x7fc0;
    }
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// Bits of numbers compare as integers of sign and magnitude do.
inline bool bfloat16_greater(uint16_t a, uint16_t b)
{
    const int32_t left = (a & 0x8000) != 0 ? -(a & 0x7fff) : a;
    const int32_t right = (b & 0x8000) != 0 ? -(b & 0x7fff) : b;

    return left > right;
}
