// Divisions of 64 bits.
#pragma once

#include "gridloom/routine.h"

namespace gridloom
{

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

}  // namespace gridloom

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
