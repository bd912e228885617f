// Functions of the SFPU on integers.
#pragma once

#include "gridloom/sfpu/sfpu_map.h"

#ifdef TRISC_MATH
namespace gridloom
{

// An integer below 2^23 from a number, and back, by the bits of its mantissa.
FORCE_INLINE sfpi::vInt low_bits(sfpi::vFloat value)
{
    return sfpi::exman(value + 8388608.0f);
}

FORCE_INLINE sfpi::vFloat part_of(sfpi::vUInt value, uint32_t from)
{
    return sfpi::convert<sfpi::vFloat>(sfpi::as<sfpi::vSMag>((value >> from) & 0x7ffu), sfpi::RoundMode::Nearest);
}

// The lower 32 bits of a product, from parts of 11 bits whose products a number holds.
FORCE_INLINE sfpi::vInt product(sfpi::vUInt x, sfpi::vUInt y)
{
    const sfpi::vFloat x0 = part_of(x, 0), x1 = part_of(x, 11), x2 = part_of(x, 22);
    const sfpi::vFloat y0 = part_of(y, 0), y1 = part_of(y, 11), y2 = part_of(y, 22);
    const sfpi::vInt middle = low_bits(x0 * y1 + x1 * y0);
    const sfpi::vInt high = low_bits(x0 * y2) + low_bits(x1 * y1) + low_bits(x2 * y0);

    return low_bits(x0 * y0) + (middle << 11u) + (high << 22u);
}

}  // namespace gridloom
#endif

namespace ckernel
{

#define GRIDLOOM_MAP_INTEGER(name, ...)                                                                                \
    GRIDLOOM_MAP_INIT(name)                                                                                            \
    template <auto...> ALWI void name([[maybe_unused]] uint32_t dst, [[maybe_unused]] uint32_t bits = 0)               \
    {                                                                                                                  \
        MATH((gridloom::map<sfpi::vUInt>(                                                                              \
            dst, [=]([[maybe_unused]] sfpi::vUInt x) GRIDLOOM_INSIDE -> sfpi::vUInt { __VA_ARGS__ })));                \
    }

GRIDLOOM_MAP_INTEGER(bitwise_and_tile, return x & bits;)
GRIDLOOM_MAP_INTEGER(bitwise_or_tile, return x | bits;)
GRIDLOOM_MAP_INTEGER(bitwise_xor_tile, return x ^ bits;)
GRIDLOOM_MAP_INTEGER(bitwise_not_tile, return ~x;)
GRIDLOOM_MAP_INTEGER(left_shift_tile, return x << bits;)
GRIDLOOM_MAP_INTEGER(right_shift_tile, return x >> bits;)
GRIDLOOM_MAP_INTEGER(fill_tile_int, return bits;)
GRIDLOOM_MAP_INTEGER(add_unary_tile_int32, return x + bits;)
GRIDLOOM_MAP_INTEGER(sub_unary_tile_int32, return x - bits;)

#define GRIDLOOM_MAP_INTEGERS(name, ...)                                                                               \
    GRIDLOOM_MAP_INIT(name)                                                                                            \
    template <auto...>                                                                                                 \
    ALWI void name([[maybe_unused]] uint32_t a, [[maybe_unused]] uint32_t b, [[maybe_unused]] uint32_t out)            \
    {                                                                                                                  \
        MATH((gridloom::map_two<sfpi::vUInt>(                                                                          \
            a, b, out, [](sfpi::vUInt x, sfpi::vUInt y) GRIDLOOM_INSIDE -> sfpi::vUInt { __VA_ARGS__ })));             \
    }                                                                                                                  \
    template <auto... options> ALWI void name(uint32_t a, uint32_t b)                                                  \
    {                                                                                                                  \
        name<options...>(a, b, a);                                                                                     \
    }

GRIDLOOM_MAP_INTEGERS(bitwise_and_binary_tile, return x & y;)
GRIDLOOM_MAP_INTEGERS(bitwise_or_binary_tile, return x | y;)
GRIDLOOM_MAP_INTEGERS(bitwise_xor_binary_tile, return x ^ y;)
GRIDLOOM_MAP_INTEGERS(binary_left_shift_tile, return x << y;)
GRIDLOOM_MAP_INTEGERS(binary_right_shift_tile, return x >> y;)
GRIDLOOM_MAP_INTEGERS(mul_int_tile, return gridloom::product(x, y);)

}  // namespace ckernel
