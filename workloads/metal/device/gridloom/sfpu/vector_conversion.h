// Conversions of vectors: to the nearest number, ties away from 0, as the chip does; where
// it would round at random, too.
#pragma once

#include "gridloom/sfpu/vector_function.h"

namespace sfpi
{

enum class RoundMode { NearestAway, Nearest = NearestAway, NearestEven = NearestAway, NearestStochastic, Stochastic };

namespace impl_
{

// Between two's complement and sign and magnitude; they are the same from 0 on.
FORCE_INLINE vInt other_sign(vInt value, vInt result)
{
    v_if(value < 0)
    {
        value = result;
    }
    v_endif;
    return value;
}

FORCE_INLINE vSMag to_sign(vInt value)
{
    return as<vSMag>(other_sign(value, as<vInt>(copysgn(as<vFloat>(abs(value)), value))));
}

FORCE_INLINE vInt from_sign(vInt value)
{
    return other_sign(value, -as<vInt>(abs(as<vFloat>(value))));
}

template <typename To> FORCE_INLINE To from_float(vFloat value)
{
    if constexpr (std::is_same_v<To, vFloat16b>) {
        return name_of<Vector::TO_BF16>(value.get());
    } else if constexpr (std::is_same_v<To, vUInt16>) {
        return name_of<Vector::TO_UINT16>(value.get());
    } else if constexpr (std::is_same_v<To, vSMag16>) {
        return name_of<Vector::TO_INT16>(value.get());
    } else if constexpr (std::is_same_v<To, vUInt8>) {
        return name_of<Vector::TO_UINT8>(value.get());
    } else if constexpr (std::is_same_v<To, vSMag8>) {
        return name_of<Vector::TO_INT8>(value.get());
    } else {
        static_assert(std::is_same_v<To, vFloat>, "Gridloom has no such convert<>: workloads/doc/metal.md");
        return as<To>(value);
    }
}

}  // namespace impl_

template <VectorType To, VectorType From> FORCE_INLINE To convert(From value, RoundMode = RoundMode::NearestStochastic)
{
    if constexpr (std::is_same_v<To, From>) {
        return value;
    } else if constexpr (std::is_base_of_v<vFloat, From>) {
        return impl_::from_float<To>(value);
    } else if constexpr (std::is_base_of_v<vFloat, To>) {
        if constexpr (std::is_same_v<From, vInt>) {
            return convert<To>(vFloat(impl_::name_of<Vector::CAST>(impl_::to_sign(value).get())));
        } else {
            return convert<To>(vFloat(impl_::name_of<Vector::CAST>(value.get())));
        }
    } else if constexpr (std::is_same_v<From, vInt> && std::is_base_of_v<vSMag, To>) {
        return impl_::to_sign(value);
    } else if constexpr (std::is_same_v<To, vInt> && !std::is_base_of_v<vUInt, From> && !std::is_same_v<From, vMag>) {
        return impl_::from_sign(value);
    } else {
        return as<To>(value);
    }
}

template <VectorType To> FORCE_INLINE To convert(Product value, RoundMode mode = RoundMode::NearestStochastic)
{
    return convert<To>(vFloat(value), mode);
}

// Older names; the integers have sign and magnitude.
FORCE_INLINE vFloat int32_to_float(vInt value, auto...)
{
    return impl_::name_of<Vector::CAST>(value.get());
}

FORCE_INLINE vFloat float_to_fp16b(vFloat value, auto...)
{
    return convert<vFloat16b>(value);
}

FORCE_INLINE vUInt float_to_uint16(vFloat value, auto...)
{
    return convert<vUInt16>(value);
}

FORCE_INLINE vInt float_to_int16(vFloat value, auto...)
{
    return convert<vSMag16>(value);
}

FORCE_INLINE vUInt float_to_uint8(vFloat value, auto...)
{
    return convert<vUInt8>(value);
}

FORCE_INLINE vInt float_to_int8(vFloat value, auto...)
{
    return convert<vSMag8>(value);
}

}  // namespace sfpi
