// Functions of the SFPU that compare and choose.
#pragma once

#include "gridloom/sfpu/sfpu_map.h"

namespace ckernel
{

#define GRIDLOOM_CHOOSE(condition, value)                                                                              \
    v_if(condition)                                                                                                    \
    {                                                                                                                  \
        x = sfpi::vFloat(value);                                                                                       \
    }                                                                                                                  \
    v_endif;                                                                                                           \
    return x;

GRIDLOOM_MAP(logical_not_tile, return gridloom::one_if(sfpi::is_zero(x));)
GRIDLOOM_MAP(logical_not_unary_tile, return gridloom::one_if(sfpi::is_zero(x));)
GRIDLOOM_MAP(signbit_tile, return gridloom::one_if(sfpi::is_neg(x));)
GRIDLOOM_MAP(isinf_tile, return gridloom::one_if(sfpi::is_inf(x));)
GRIDLOOM_MAP(isnan_tile, return gridloom::one_if(sfpi::is_nan(x));)
GRIDLOOM_MAP(isfinite_tile, return gridloom::one_if(sfpi::is_finite(x));)
GRIDLOOM_MAP(isposinf_tile, return gridloom::one_if(sfpi::is_inf(x) && sfpi::is_pos(x));)
GRIDLOOM_MAP(isneginf_tile, return gridloom::one_if(sfpi::is_inf(x) && sfpi::is_neg(x));)

GRIDLOOM_MAP_SCALAR(unary_eq_tile, return gridloom::one_if(x == number);)
GRIDLOOM_MAP_SCALAR(unary_ne_tile, return gridloom::one_if(x != number);)
GRIDLOOM_MAP_SCALAR(unary_lt_tile, return gridloom::one_if(x < number);)
GRIDLOOM_MAP_SCALAR(unary_gt_tile, return gridloom::one_if(x > number);)
GRIDLOOM_MAP_SCALAR(unary_le_tile, return gridloom::one_if(x <= number);)
GRIDLOOM_MAP_SCALAR(unary_ge_tile, return gridloom::one_if(x >= number);)

GRIDLOOM_MAP_TWO(eq_binary_tile, return gridloom::one_if(x == y);)
GRIDLOOM_MAP_TWO(ne_binary_tile, return gridloom::one_if(x != y);)
GRIDLOOM_MAP_TWO(lt_binary_tile, return gridloom::one_if(x < y);)
GRIDLOOM_MAP_TWO(gt_binary_tile, return gridloom::one_if(x > y);)
GRIDLOOM_MAP_TWO(le_binary_tile, return gridloom::one_if(x <= y);)
GRIDLOOM_MAP_TWO(ge_binary_tile, return gridloom::one_if(x >= y);)

GRIDLOOM_MAP_SCALAR(leaky_relu_tile, GRIDLOOM_CHOOSE(x < 0.0f, gridloom::rounded(x *number)))
GRIDLOOM_MAP_SCALAR(prelu_tile, GRIDLOOM_CHOOSE(x < 0.0f, gridloom::rounded(x *number)))
GRIDLOOM_MAP_SCALAR(relu_min_tile, return sfpi::max(x, number);)
GRIDLOOM_MAP_SCALAR(relu_max_tile, return sfpi::max(sfpi::min(x, number), 0.0f);)
GRIDLOOM_MAP_SCALAR(heaviside_tile, {
    sfpi::vFloat result = number;
    v_if(x < 0.0f)
    {
        result = sfpi::vFloat(0.0f);
    }
    v_elseif(x > 0.0f)
    {
        result = sfpi::vFloat(1.0f);
    }
    v_endif;
    return result;
})

// Of two numbers: the least and the most, or a threshold and what is below it.
#define GRIDLOOM_MAP_SCALARS(name, ...)                                                                                \
    GRIDLOOM_MAP_INIT(name)                                                                                            \
    template <auto...>                                                                                                 \
    ALWI void name([[maybe_unused]] uint32_t dst, [[maybe_unused]] uint32_t bits, [[maybe_unused]] uint32_t more_bits) \
    {                                                                                                                  \
        MATH(({                                                                                                        \
            const sfpi::vFloat number = gridloom::number_of(bits);                                                     \
            const sfpi::vFloat other = gridloom::number_of(more_bits);                                                 \
            gridloom::map(dst, [&](sfpi::vFloat x) GRIDLOOM_INSIDE -> sfpi::vFloat { __VA_ARGS__ });                   \
        }));                                                                                                           \
    }

GRIDLOOM_MAP_SCALARS(hardtanh_tile, return sfpi::clamp(x, number, other);)
GRIDLOOM_MAP_SCALARS(threshold_tile, GRIDLOOM_CHOOSE(x <= number, other))

// Copies a tile of Dst as it is.
GRIDLOOM_MAP_INIT(copy_dest_values)
template <auto...> ALWI void copy_dest_values([[maybe_unused]] uint32_t from, [[maybe_unused]] uint32_t to)
{
    MATH((gridloom::map_two<sfpi::vUInt>(from, from, to,
                                         [](sfpi::vUInt x, sfpi::vUInt) GRIDLOOM_INSIDE -> sfpi::vUInt { return x; })));
}

}  // namespace ckernel
