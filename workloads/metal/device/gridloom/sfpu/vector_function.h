// Functions of vectors.
#pragma once

#include <utility>

#include "gridloom/sfpu/vector_register.h"

namespace sfpi
{

enum class ExponentMode { Unbiased, Biased };
enum class MantissaMode { FractionOnly, WithUnitBit, ImplicitOne = WithUnitBit };
enum class LZMode { All, IgnoreSign };
enum class ShiftMode { Logical };
enum class LdexpMode { Correct, Fast };

// The same bits.
template <VectorType T> FORCE_INLINE T as(impl_::vVal value)
{
    return T(impl_::Name{value.get()});
}

template <VectorType T> FORCE_INLINE T reinterpret(impl_::vVal value)
{
    return as<T>(value);
}

FORCE_INLINE vInt exexp(vFloat value, ExponentMode mode = ExponentMode::Unbiased)
{
    return mode == ExponentMode::Unbiased ? impl_::name_of<Vector::EXEXP>(value.get())
                                          : impl_::name_of<Vector::EXEXP_BIASED>(value.get());
}

FORCE_INLINE vInt exexp_nodebias(vFloat value)
{
    return exexp(value, ExponentMode::Biased);
}

FORCE_INLINE vMag exman(vFloat value, MantissaMode mode = MantissaMode::FractionOnly)
{
    return mode == MantissaMode::FractionOnly ? impl_::name_of<Vector::EXMAN_BITS>(value.get())
                                              : impl_::name_of<Vector::EXMAN>(value.get());
}

FORCE_INLINE vInt exman8(vFloat value)
{
    return exman(value, MantissaMode::WithUnitBit);
}

FORCE_INLINE vInt exman9(vFloat value)
{
    return exman(value);
}

FORCE_INLINE vFloat setexp(vFloat value, impl_::Scalar auto exponent)
{
    return impl_::name_of<Vector::SETEXPI>(value.get(), static_cast<uint32_t>(exponent));
}

FORCE_INLINE vFloat setexp(vFloat value, vInt exponent)
{
    return impl_::name_of<Vector::SETEXP>(value.get(), exponent.get());
}

FORCE_INLINE vFloat copyexp(vFloat value, vFloat other)
{
    return setexp(value, exexp(other, ExponentMode::Biased));
}

FORCE_INLINE vFloat addexp(vFloat value, int exponent)
{
    return impl_::name_of<Vector::DIVP2>(value.get(), static_cast<uint32_t>(exponent));
}

FORCE_INLINE vFloat ldexp(vFloat value, int exponent, LdexpMode = LdexpMode::Correct)
{
    return addexp(value, exponent);
}

FORCE_INLINE vFloat ldexp(vFloat value, vInt exponent, LdexpMode = LdexpMode::Correct)
{
    return setexp(value, exexp(value, ExponentMode::Biased) + exponent);
}

template <typename T> FORCE_INLINE vFloat setman(vFloat value, T mantissa)
{
    if constexpr (impl_::Scalar<T>) {
        return impl_::name_of<Vector::SETMAN>(value.get(), vUInt(mantissa).get());
    } else {
        return impl_::name_of<Vector::SETMAN>(value.get(), mantissa.get());
    }
}

FORCE_INLINE vFloat copyman(vFloat value, vFloat other)
{
    return setman(value, other);
}

template <VectorType T> FORCE_INLINE T copysgn(T value, impl_::vVal sign)
{
    return T(impl_::name_of<Vector::SETSGN>(value.get(), sign.get()));
}

template <VectorType T> FORCE_INLINE T setsgn2(T value, impl_::vVal sign)
{
    return copysgn(value, sign);
}

template <VectorType T, typename S> FORCE_INLINE T setsgn(T value, S sign)
{
    if constexpr (impl_::Scalar<S>) {
        return copysgn(value, vUInt(sign != 0 ? 0x80000000u : 0u));
    } else {
        return copysgn(value, sign);
    }
}

template <VectorType T> FORCE_INLINE vUInt exsgn(T value)
{
    return vUInt(as<vUInt>(value) >> 31);
}

FORCE_INLINE vFloat abs(vFloat value)
{
    return impl_::name_of<Vector::ABS>(value.get());
}

FORCE_INLINE vMag abs(vInt value)
{
    return impl_::name_of<Vector::IABS>(value.get());
}

FORCE_INLINE vMag abs(vSMag value)
{
    return impl_::name_of<Vector::ABS>(value.get());
}

template <VectorType T> FORCE_INLINE vMag lz(T value, LZMode mode = LZMode::All)
{
    return mode == LZMode::All ? impl_::name_of<Vector::LZ>(value.get())
                               : impl_::name_of<Vector::LZ>(abs(as<vFloat>(value)).get());
}

template <VectorType T> FORCE_INLINE vInt lz_nosgn(T value)
{
    return lz(value, LZMode::IgnoreSign);
}

template <typename T, typename B>
requires Integers<T, B> FORCE_INLINE T shft(T value, B by, ShiftMode = ShiftMode::Logical)
{
    return value << by;
}

// The order of signs and magnitudes, as the chip has it.
template <VectorType T> FORCE_INLINE T min(T a, std::type_identity_t<T> b)
{
    return T(impl_::name_of<Vector::MIN_OF>(a.get(), b.get()));
}

template <VectorType T> FORCE_INLINE T max(T a, std::type_identity_t<T> b)
{
    return T(impl_::name_of<Vector::MAX_OF>(a.get(), b.get()));
}

template <VectorType T> FORCE_INLINE std::pair<T, T> min_max(T a, T b)
{
    return {min(a, b), max(a, b)};
}

template <VectorType T> FORCE_INLINE void vec_min_max(T &a, T &b)
{
    const T less = min(a, b);

    b = max(a, b);
    a = T(impl_::Name{less.get()});
}

template <VectorType T> FORCE_INLINE void swap(T &a, T &b)
{
    const T before = a;

    a = T(impl_::Name{b.get()});
    b = T(impl_::Name{before.get()});
}

template <VectorType T> FORCE_INLINE void vec_swap(T &a, T &b)
{
    swap(a, b);
}

template <VectorType T> FORCE_INLINE T clamp(T value, std::type_identity_t<T> least, std::type_identity_t<T> most)
{
    return min(max(value, least), most);
}

FORCE_INLINE vFloat clamp(Product value, vFloat least, vFloat most)
{
    return clamp(vFloat(value), least, most);
}

FORCE_INLINE vFloat symmetric_clamp(vFloat value, float bound)
{
    return clamp(value, -bound, bound);
}

// Values of FP32, by their bits.
FORCE_INLINE vBool is_nan(vFloat value)
{
    return (as<vInt>(abs(value)) - 0x7f800000) > 0;
}

FORCE_INLINE vBool is_inf(vFloat value)
{
    return (as<vInt>(abs(value)) - 0x7f800000) == 0;
}

FORCE_INLINE vBool is_finite(vFloat value)
{
    return (as<vInt>(abs(value)) - 0x7f800000) < 0;
}

FORCE_INLINE vBool is_zero(vFloat value)
{
    return as<vInt>(abs(value)) == 0;
}

FORCE_INLINE vBool is_neg(vFloat value)
{
    return as<vInt>(value) < 0;
}

FORCE_INLINE vBool is_pos(vFloat value)
{
    return as<vInt>(value) >= 0;
}

// c0 + c1 x + c2 x x ...
FORCE_INLINE vFloat polynomial(vFloat)
{
    return 0.0f;
}

template <typename First, typename... Rest> FORCE_INLINE vFloat polynomial(vFloat x, First first, Rest... rest)
{
    if constexpr (sizeof...(Rest) == 0) {
        return vFloat(first);
    } else {
        return x * polynomial(x, rest...) + vFloat(first);
    }
}

}  // namespace sfpi
