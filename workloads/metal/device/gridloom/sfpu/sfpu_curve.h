// Functions of the SFPU that take more than a few instructions: ours, by polynomials and
// Newton's method, right to some digits more than BF16 has.
#pragma once

#include "gridloom/sfpu/sfpu_choice.h"

#ifdef TRISC_MATH
namespace gridloom
{

using sfpi::vFloat;
using sfpi::vInt;

// A whole number as a number; `value` is within 16 bits.
FORCE_INLINE vFloat whole(vFloat value)
{
    return sfpi::convert<vFloat>(sfpi::convert<sfpi::vSMag16>(value, sfpi::RoundMode::Nearest));
}

// 2 to the power of whole numbers, by the bits of an exponent.
FORCE_INLINE vFloat power_of_two(vFloat number)
{
    const vInt bits = sfpi::convert<sfpi::vUInt16>(number + 127.0f, sfpi::RoundMode::Nearest);

    return sfpi::setexp(vFloat(1.0f), bits);
}

// From e^-87 to e^88.
FORCE_INLINE vFloat exponential(vFloat x)
{
    const vFloat bound = sfpi::clamp(x, -87.0f, 88.0f);
    const vFloat number = whole(bound * 1.44269504f);
    const vFloat rest = number * vFloat(-0.693147181f) + bound;
    const vFloat series =
        sfpi::polynomial(rest, 1.0f, 1.0f, 0.5f, 0.166666667f, 0.0416666667f, 0.00833333333f, 0.00138888889f);

    return series * power_of_two(number);
}

// e^x - 1 for numbers near 0 without their loss.
FORCE_INLINE vFloat exponential_less_one(vFloat x)
{
    vFloat result = exponential(x) - 1.0f;

    v_if(sfpi::abs(x) < 0.3f)
    {
        result = vFloat(x * sfpi::polynomial(x, 1.0f, 0.5f, 0.166666667f, 0.0416666667f, 0.00833333333f));
    }
    v_endif;
    return result;
}

// Of numbers above 0, with a mantissa from 0.707 to 1.414.
FORCE_INLINE vFloat logarithm(vFloat x)
{
    const vFloat mantissa = sfpi::setexp(x, 127);
    vFloat near = mantissa;
    vInt exponent = sfpi::exexp(x);

    v_if(mantissa >= 1.41421356f)
    {
        near = vFloat(mantissa * vFloat(0.5f));
        exponent = exponent + 1;
    }
    v_endif;
    const vFloat rest = near - 1.0f;
    const vFloat series = rest * sfpi::polynomial(rest, 1.0f, -0.5f, 0.333332f, -0.250024f, 0.200117f, -0.166846f,
                                                  0.142249f, -0.116769f, 0.0705f);

    return sfpi::convert<vFloat>(exponent, sfpi::RoundMode::Nearest) * vFloat(0.693147181f) + series;
}

FORCE_INLINE vFloat reciprocal(vFloat x)
{
    const vFloat mantissa = sfpi::setexp(sfpi::abs(x), 126);
    vFloat guess = mantissa * vFloat(-1.88235294f) + 2.82352941f;

    for (int i = 0; i < 3; i++) {
        guess = vFloat(guess * (vFloat(2.0f) - mantissa * guess));
    }
    const vInt exponent = vInt(126) - sfpi::exexp(x, sfpi::ExponentMode::Biased);

    return sfpi::copysgn(sfpi::setexp(guess, sfpi::exexp(guess, sfpi::ExponentMode::Biased) + exponent), x);
}

// Of angles in half turns, up to 32767 of them.
FORCE_INLINE vFloat sine_of_turns(vFloat turns)
{
    const vFloat number = whole(turns);
    const vFloat rest = turns - number;
    const vFloat square = rest * rest;
    const vFloat series = rest * sfpi::polynomial(square, 3.14159265f, -5.16771278f, 2.55016404f, -0.599264529f,
                                                  0.0821458866f, -0.00737043095f);
    const vInt odd = sfpi::as<vInt>(sfpi::convert<sfpi::vUInt16>(sfpi::abs(number))) << 31u;

    return sfpi::as<vFloat>(sfpi::as<vInt>(series) ^ odd);
}

// Whole part, towards 0, by the bits of the mantissa.
FORCE_INLINE vFloat truncated(vFloat x)
{
    const vInt places = vInt(23) - sfpi::exexp(x);
    vFloat result = x;

    v_if(places > 23)
    {
        result = vFloat(0.0f);
    }
    v_elseif(places > 0)
    {
        result = sfpi::as<vFloat>(sfpi::as<sfpi::vUInt>(x) & (sfpi::vUInt(0xffffffffu) << places));
    }
    v_endif;
    return result;
}

}  // namespace gridloom
#endif

namespace ckernel
{

GRIDLOOM_MAP(expm1_tile, return gridloom::rounded(gridloom::exponential_less_one(x));)
GRIDLOOM_MAP(log1p_tile, return gridloom::rounded(gridloom::logarithm(x + 1.0f));)
GRIDLOOM_MAP_SCALAR(log_with_base_tile, return gridloom::rounded(gridloom::logarithm(x) * number);)
GRIDLOOM_MAP(sin_tile, return gridloom::rounded(gridloom::sine_of_turns(x * sfpi::vFloat(0.318309886f)));)
GRIDLOOM_MAP(cos_tile, return gridloom::rounded(gridloom::sine_of_turns(x * sfpi::vFloat(0.318309886f) + 0.5f));)
GRIDLOOM_MAP(sinh_tile, {
    const sfpi::vFloat power = gridloom::exponential(x);
    return gridloom::rounded((power - gridloom::reciprocal(power)) * 0.5f);
})
GRIDLOOM_MAP(cosh_tile, {
    const sfpi::vFloat power = gridloom::exponential(x);
    return gridloom::rounded((power + gridloom::reciprocal(power)) * 0.5f);
})
GRIDLOOM_MAP(hardsigmoid_tile, return gridloom::rounded(sfpi::clamp(x * 0.166666667f + 0.5f, 0.0f, 1.0f));)
GRIDLOOM_MAP(softsign_tile, return gridloom::rounded(x * gridloom::reciprocal(sfpi::abs(x) + 1.0f));)
GRIDLOOM_MAP(trunc_tile, return gridloom::truncated(x);)
GRIDLOOM_MAP(frac_tile, return x - gridloom::truncated(x);)
GRIDLOOM_MAP_SCALAR(elu_tile, GRIDLOOM_CHOOSE(x < 0.0f, gridloom::rounded(gridloom::exponential_less_one(x) * number)))
GRIDLOOM_MAP_SCALARS(selu_tile, {
    v_if(x < 0.0f)
    {
        x = sfpi::vFloat(gridloom::exponential_less_one(x) * other);
    }
    v_endif;
    return gridloom::rounded(x * number);
})
GRIDLOOM_MAP_SCALAR(div_unary_tile, return gridloom::rounded(x * number);)
GRIDLOOM_MAP_SCALAR(rdiv_tile, return gridloom::rounded(number * gridloom::reciprocal(x));)

// A whole power, by squares.
GRIDLOOM_MAP_INIT(power_tile)
template <auto...> ALWI void power_tile([[maybe_unused]] uint32_t dst, [[maybe_unused]] uint32_t exponent)
{
    MATH((gridloom::map(dst, [=](sfpi::vFloat x) GRIDLOOM_INSIDE -> sfpi::vFloat {
        sfpi::vFloat result = 1.0f;

        for (uint32_t rest = exponent; rest != 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                result = sfpi::vFloat(result * x);
            }
            x = sfpi::vFloat(x * x);
        }
        return gridloom::rounded(result);
    })));
}

// a + value * b * c, and a + value * b / c.
GRIDLOOM_MAP_INIT(addcmul_tile)
template <auto...>
ALWI void addcmul_tile([[maybe_unused]] uint32_t a, [[maybe_unused]] uint32_t b, [[maybe_unused]] uint32_t c,
                       [[maybe_unused]] uint32_t out, [[maybe_unused]] uint32_t bits)
{
    MATH((gridloom::map_three(a, b, c, out, [=](sfpi::vFloat x, sfpi::vFloat y, sfpi::vFloat z) GRIDLOOM_INSIDE {
        return gridloom::rounded(sfpi::vFloat(y * gridloom::number_of(bits)) * z + x);
    })));
}

GRIDLOOM_MAP_INIT(addcdiv_tile)
template <auto...>
ALWI void addcdiv_tile([[maybe_unused]] uint32_t a, [[maybe_unused]] uint32_t b, [[maybe_unused]] uint32_t c,
                       [[maybe_unused]] uint32_t out, [[maybe_unused]] uint32_t bits)
{
    MATH((gridloom::map_three(a, b, c, out, [=](sfpi::vFloat x, sfpi::vFloat y, sfpi::vFloat z) GRIDLOOM_INSIDE {
        return gridloom::rounded(sfpi::vFloat(y * gridloom::number_of(bits)) * gridloom::reciprocal(z) + x);
    })));
}

}  // namespace ckernel
