// Functions of the SFPU that are SFPI code of ours: what f() makes of each vector of a
// tile. They take the time of their instructions.
#pragma once

#include "gridloom/function.h"
#ifdef TRISC_MATH
#include "gridloom/sfpu/sfpu_call.h"

namespace gridloom
{

constexpr uint32_t FACE_VECTORS = 8;
constexpr uint32_t TILE_VECTORS = 32;

// To the nearest number that Dst holds.
FORCE_INLINE sfpi::vFloat rounded(sfpi::vFloat value)
{
    if constexpr (DST_ACCUM_MODE) {
        return value;
    } else {
        return sfpi::convert<sfpi::vFloat16b>(value, sfpi::RoundMode::Nearest);
    }
}

template <typename Type = sfpi::vFloat, typename Function> FORCE_INLINE void map(uint32_t dst, Function function)
{
    for_faces(dst, int(ckernel::VectorMode::RC), [&]() GRIDLOOM_INSIDE {
#pragma clang loop unroll(disable)
        for (uint32_t i = 0; i < FACE_VECTORS; i++) {
            const Type value = sfpi::dst_reg[0];

            sfpi::dst_reg[0] = Type(function(value));
            sfpi::dst_reg++;
        }
    });
}

// Of two tiles, or three, into another.
template <typename Type = sfpi::vFloat, typename Function>
FORCE_INLINE void map_two(uint32_t a, uint32_t b, uint32_t out, Function function)
{
    for_faces(0, int(ckernel::VectorMode::RC), [&]() GRIDLOOM_INSIDE {
#pragma clang loop unroll(disable)
        for (uint32_t i = 0; i < FACE_VECTORS; i++) {
            const Type x = sfpi::dst_reg[a * TILE_VECTORS];
            const Type y = sfpi::dst_reg[b * TILE_VECTORS];

            sfpi::dst_reg[out * TILE_VECTORS] = Type(function(x, y));
            sfpi::dst_reg++;
        }
    });
}

template <typename Function>
FORCE_INLINE void map_three(uint32_t a, uint32_t b, uint32_t c, uint32_t out, Function function)
{
    for_faces(0, int(ckernel::VectorMode::RC), [&]() GRIDLOOM_INSIDE {
#pragma clang loop unroll(disable)
        for (uint32_t i = 0; i < FACE_VECTORS; i++) {
            const sfpi::vFloat x = sfpi::dst_reg[a * TILE_VECTORS];
            const sfpi::vFloat y = sfpi::dst_reg[b * TILE_VECTORS];
            const sfpi::vFloat z = sfpi::dst_reg[c * TILE_VECTORS];

            sfpi::dst_reg[out * TILE_VECTORS] = sfpi::vFloat(function(x, y, z));
            sfpi::dst_reg++;
        }
    });
}

FORCE_INLINE float number_of(uint32_t bits)
{
    return __builtin_bit_cast(float, bits);
}

// 1 in the lanes of a condition, else 0.
FORCE_INLINE sfpi::vFloat one_if(sfpi::vBool condition)
{
    sfpi::vFloat result = 0.0f;

    v_if(condition)
    {
        result = sfpi::vFloat(1.0f);
    }
    v_endif;
    return result;
}

}  // namespace gridloom
#endif

// An init that takes the SFPU's usual time.
#define GRIDLOOM_MAP_INIT(name)                                                                                        \
    template <auto...> ALWI void name##_init(auto...)                                                                  \
    {                                                                                                                  \
        GRIDLOOM_COMPUTE(COMPUTES, "binop_with_scalar_tile_init");                                                     \
    }

// name(dst, ...): what the text makes of `x`.
#define GRIDLOOM_MAP(name, ...)                                                                                        \
    GRIDLOOM_MAP_INIT(name)                                                                                            \
    template <auto...> ALWI void name([[maybe_unused]] uint32_t dst, auto...)                                          \
    {                                                                                                                  \
        MATH((gridloom::map(dst, [](sfpi::vFloat x) GRIDLOOM_INSIDE -> sfpi::vFloat { __VA_ARGS__ })));                \
    }

// name(dst, bits of a number): likewise of `x` and `number`.
#define GRIDLOOM_MAP_SCALAR(name, ...)                                                                                 \
    GRIDLOOM_MAP_INIT(name)                                                                                            \
    template <auto...> ALWI void name([[maybe_unused]] uint32_t dst, [[maybe_unused]] uint32_t bits, auto...)          \
    {                                                                                                                  \
        MATH(({                                                                                                        \
            const sfpi::vFloat number = gridloom::number_of(bits);                                                     \
            gridloom::map(dst, [&](sfpi::vFloat x) GRIDLOOM_INSIDE -> sfpi::vFloat { __VA_ARGS__ });                   \
        }));                                                                                                           \
    }

// name(a, b, out): likewise of `x` and `y`.
#define GRIDLOOM_MAP_TWO(name, ...)                                                                                    \
    GRIDLOOM_MAP_INIT(name)                                                                                            \
    template <auto...>                                                                                                 \
    ALWI void name([[maybe_unused]] uint32_t a, [[maybe_unused]] uint32_t b, [[maybe_unused]] uint32_t out, auto...)   \
    {                                                                                                                  \
        MATH((gridloom::map_two(a, b, out,                                                                             \
                                [](sfpi::vFloat x, sfpi::vFloat y) GRIDLOOM_INSIDE -> sfpi::vFloat { __VA_ARGS__ }))); \
    }                                                                                                                  \
    template <auto... options> ALWI void name(uint32_t a, uint32_t b)                                                  \
    {                                                                                                                  \
        name<options...>(a, b, a);                                                                                     \
    }
