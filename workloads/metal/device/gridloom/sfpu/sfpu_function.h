// How functions of the SFPU are called, by what they take.
#pragma once

#include "gridloom/initialization.h"

namespace gridloom
{

// The SFPU takes the same time for any of its inits.
template <auto...> constexpr int init_number(const char *own)
{
    const int number = function_number(own);

    return number != ABSENT ? number : function_number("binop_with_scalar_tile_init");
}

template <bool is_usual> constexpr bool is_near()
{
    return is_usual || APPROX;
}

template <bool is_usual, auto first, auto... rest> constexpr bool is_near()
{
    if constexpr (__is_same(decltype(first), bool)) {
        return first;
    } else {
        return is_near<is_usual, rest...>();
    }
}

}  // namespace gridloom

#define GRIDLOOM_SFPU_INIT(init, name)                                                                                 \
    template <auto... options> ALWI void init(auto...)                                                                 \
    {                                                                                                                  \
        GRIDLOOM_NEEDS(#name);                                                                                         \
        gridloom::compute<gridloom::COMPUTES, gridloom::init_number<options...>(#init)>();                             \
    }

// name(dst); what comes behind are options that change no result here.
#define GRIDLOOM_UNARY(name)                                                                                           \
    GRIDLOOM_SFPU_INIT(name##_init, name)                                                                              \
    template <auto... options> ALWI void name(uint32_t dst, auto...)                                                   \
    {                                                                                                                  \
        GRIDLOOM_NEEDS(#name);                                                                                         \
        GRIDLOOM_COMPUTE_IF(COMPUTES, #name, dst);                                                                     \
    }

// The same with an approximate one, which the first option that is true or false chooses.
#define GRIDLOOM_NEAR(name, is_usual)                                                                                  \
    GRIDLOOM_SFPU_INIT(name##_init, name)                                                                              \
    template <auto... options> ALWI void name(uint32_t dst, auto...)                                                   \
    {                                                                                                                  \
        GRIDLOOM_NEEDS(#name);                                                                                         \
        if constexpr (gridloom::is_near<is_usual, options...>()) {                                                     \
            GRIDLOOM_COMPUTE_IF(COMPUTES, #name "_approximate", dst);                                                  \
        } else {                                                                                                       \
            GRIDLOOM_COMPUTE_IF(COMPUTES, #name, dst);                                                                 \
        }                                                                                                              \
    }

// name(dst, bits of a number)
#define GRIDLOOM_SCALAR(name)                                                                                          \
    GRIDLOOM_SFPU_INIT(name##_init, name)                                                                              \
    template <auto... options> ALWI void name(uint32_t dst, uint32_t bits, auto...)                                    \
    {                                                                                                                  \
        GRIDLOOM_NEEDS(#name);                                                                                         \
        GRIDLOOM_COMPUTE_IF(COMPUTES, #name, dst, bits);                                                               \
    }

// name(dst, bits, bits)
#define GRIDLOOM_TWO_SCALARS(name)                                                                                     \
    GRIDLOOM_SFPU_INIT(name##_init, name)                                                                              \
    template <auto... options> ALWI void name(uint32_t dst, uint32_t bits, uint32_t more_bits)                         \
    {                                                                                                                  \
        GRIDLOOM_NEEDS(#name);                                                                                         \
        GRIDLOOM_COMPUTE_IF(COMPUTES, #name, dst, bits, more_bits);                                                    \
    }

// name(a, b [, out]): the result replaces a if there is no third tile.
#define GRIDLOOM_BINARY(name)                                                                                          \
    GRIDLOOM_SFPU_INIT(name##_init, name)                                                                              \
    template <auto... options> ALWI void name(uint32_t a, uint32_t b, uint32_t out, auto...)                           \
    {                                                                                                                  \
        GRIDLOOM_NEEDS(#name);                                                                                         \
        GRIDLOOM_COMPUTE_IF(COMPUTES, #name, a, b, out);                                                               \
    }                                                                                                                  \
    template <auto... options> ALWI void name(uint32_t a, uint32_t b)                                                  \
    {                                                                                                                  \
        name<options...>(a, b, a);                                                                                     \
    }
