// How kernels call functions of their own on tiles of Dst: once a face, on the math
// thread, with dst_reg[0] at the face's first vector.
#pragma once

#include "gridloom/sfpu/vector_conversion.h"
#include "gridloom/thread.h"

namespace gridloom
{

template <typename Function, typename... Arguments>
FORCE_INLINE void for_faces(uint32_t tile, int mode, Function &&function, Arguments... arguments)
{
    constexpr uint32_t FACES = 4;
    const bool is_whole = mode != int(ckernel::VectorMode::R) && mode != int(ckernel::VectorMode::C);
    const bool is_once = mode == int(ckernel::VectorMode::None) || mode == int(ckernel::VectorMode::RC_custom);
    const uint32_t step = mode == int(ckernel::VectorMode::C) ? 2 : 1;

    vector_act<Vector::BEGIN>(tile);
    if (is_once) {
        function(arguments...);
    } else {
#pragma clang loop unroll(disable)
        for (uint32_t face = 0; face < (is_whole ? FACES : FACES / 2); face++) {
            function(arguments...);
            for (uint32_t i = 0; i < step; i++) {
                vector_act<Vector::FACE>();
            }
        }
    }
    vector_act<Vector::FINISH>();
}

}  // namespace gridloom

template <auto..., typename Function, typename... Arguments>
FORCE_INLINE void _llk_math_eltwise_unary_sfpu_params_(Function &&function, uint32_t dst, auto mode,
                                                       Arguments... arguments)
{
    gridloom::for_faces(dst, int(mode), function, arguments...);
}

template <auto..., typename Function, typename... Arguments>
FORCE_INLINE void _llk_math_eltwise_binary_sfpu_params_(Function &&function, uint32_t a, uint32_t b, uint32_t out,
                                                        auto mode, Arguments... arguments)
{
    gridloom::for_faces(0, int(mode), function, a, b, out, arguments...);
}

template <auto..., typename Function, typename... Arguments>
FORCE_INLINE void _llk_math_eltwise_ternary_sfpu_params_(Function &&function, uint32_t a, uint32_t b, uint32_t c,
                                                         uint32_t out, auto mode, Arguments... arguments)
{
    gridloom::for_faces(0, int(mode), function, a, b, c, out, arguments...);
}

#define GRIDLOOM_WITHOUT(...) __VA_ARGS__

// Template arguments are in parentheses; synchronisation and the width of Dst are known.
#define SFPU_UNARY_CALL(sync, accumulate, function, options, dst, mode, ...)                                           \
    _llk_math_eltwise_unary_sfpu_params_(::ckernel::sfpu::function<GRIDLOOM_WITHOUT options>, dst, mode, ##__VA_ARGS__)
#define SFPU_UNARY_CALL_NO_TEMPLATE_ARGS(sync, accumulate, function, dst, mode, ...)                                   \
    _llk_math_eltwise_unary_sfpu_params_(::ckernel::sfpu::function, dst, mode, ##__VA_ARGS__)
#define SFPU_BINARY_CALL(sync, accumulate, function, options, a, b, out, mode, ...)                                    \
    _llk_math_eltwise_binary_sfpu_params_(::ckernel::sfpu::function<GRIDLOOM_WITHOUT options>, a, b, out, mode,        \
                                          ##__VA_ARGS__)
#define SFPU_BINARY_CALL_NO_TEMPLATE_ARGS(sync, accumulate, function, a, b, out, mode, ...)                            \
    _llk_math_eltwise_binary_sfpu_params_(::ckernel::sfpu::function, a, b, out, mode, ##__VA_ARGS__)
#define SFPU_TERNARY_CALL(sync, accumulate, function, options, a, b, c, out, mode, ...)                                \
    _llk_math_eltwise_ternary_sfpu_params_(::ckernel::sfpu::function<GRIDLOOM_WITHOUT options>, a, b, c, out, mode,    \
                                           ##__VA_ARGS__)
#define SFPU_TERNARY_CALL_NO_TEMPLATE_ARGS(sync, accumulate, function, a, b, c, out, mode, ...)                        \
    _llk_math_eltwise_ternary_sfpu_params_(::ckernel::sfpu::function, a, b, c, out, mode, ##__VA_ARGS__)
