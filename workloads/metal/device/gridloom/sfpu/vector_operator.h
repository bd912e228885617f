// Arithmetic and comparisons of vectors.
#pragma once

#include "gridloom/sfpu/vector_type.h"

namespace sfpi
{

FORCE_INLINE vFloat multiply_add(vFloat a, vFloat b, vFloat c)
{
    return impl_::Name{gridloom::vector_mad(a.get(), b.get(), c.get())};
}

FORCE_INLINE Product operator*(vFloat a, vFloat b)
{
    return {a, b};
}

FORCE_INLINE vFloat operator+(vFloat a, vFloat b)
{
    return multiply_add(a, 1.0f, b);
}

FORCE_INLINE vFloat operator+(Product a, vFloat b)
{
    return multiply_add(a.a, a.b, b);
}

FORCE_INLINE vFloat operator+(vFloat a, Product b)
{
    return b + a;
}

FORCE_INLINE vFloat operator+(Product a, Product b)
{
    return a + vFloat(b);
}

FORCE_INLINE vFloat operator-(vFloat a)
{
    return impl_::name_of<Vector::NEG>(a.get());
}

FORCE_INLINE vFloat operator+(vFloat a)
{
    return a;
}

FORCE_INLINE vFloat operator-(vFloat a, vFloat b)
{
    return multiply_add(b, -1.0f, a);
}

FORCE_INLINE vFloat operator-(vFloat a, float b)
{
    return a + vFloat(-b);
}

FORCE_INLINE vFloat operator-(vFloat a, Product b)
{
    return multiply_add(-b.a, b.b, a);
}

FORCE_INLINE vFloat operator-(Product a, vFloat b)
{
    return a + -b;
}

FORCE_INLINE vFloat operator-(Product a, float b)
{
    return a + vFloat(-b);
}

FORCE_INLINE vFloat operator-(Product a, Product b)
{
    return vFloat(a) - b;
}

template <typename A>
concept IntegerType = std::is_base_of_v<vInt, A> || std::is_base_of_v<vUInt, A>;

// Integers: two vectors, or one and a number.
template <typename A, typename B>
concept Integers = IntegerType<A> &&(IntegerType<B> || impl_::Scalar<B>);

namespace impl_
{

// Of a special kind of integer and one that is not, the latter.
template <typename A, typename B> using Sum = std::conditional_t<std::is_base_of_v<B, A>, B, A>;

template <typename B> FORCE_INLINE uint32_t operand(B b)
{
    if constexpr (IntegerType<B>) {
        return b.get();
    } else {
        return load_bits(static_cast<uint32_t>(b));
    }
}

}  // namespace impl_

#define GRIDLOOM_INTEGERS(sign, opcode)                                                                                \
    template <typename A, typename B>                                                                                  \
    requires Integers<A, B> FORCE_INLINE impl_::Sum<A, B>                                                              \
    operator sign(A a, B b)                                                                                            \
    {                                                                                                                  \
        return impl_::name_of<Vector::opcode>(a.get(), impl_::operand(b));                                             \
    }                                                                                                                  \
    template <typename A>                                                                                              \
    requires Integers<A, A> FORCE_INLINE A operator sign(impl_::Scalar auto a, A b)                                    \
    {                                                                                                                  \
        return A(static_cast<uint32_t>(a)) sign b;                                                                     \
    }

GRIDLOOM_INTEGERS(+, IADD)
GRIDLOOM_INTEGERS(-, ISUB)
GRIDLOOM_INTEGERS(&, AND)
GRIDLOOM_INTEGERS(|, OR)
GRIDLOOM_INTEGERS(^, XOR)
#undef GRIDLOOM_INTEGERS

template <typename A>
requires Integers<A, A> FORCE_INLINE A operator-(A a)
{
    return A(0u) - a;
}

template <typename A>
requires Integers<A, A> FORCE_INLINE A operator~(A a)
{
    return impl_::name_of<Vector::NOT>(a.get());
}

// Logical shifts; the chip has no other.
template <typename A>
requires Integers<A, A> FORCE_INLINE A operator<<(A a, impl_::Scalar auto by)
{
    return impl_::name_of<Vector::SHIFTI>(a.get(), static_cast<uint32_t>(by));
}

template <typename A>
requires Integers<A, A> FORCE_INLINE A operator>>(A a, impl_::Scalar auto by)
{
    return impl_::name_of<Vector::SHIFTI>(a.get(), 0u - static_cast<uint32_t>(by));
}

template <typename A, VectorType B>
requires Integers<A, A> FORCE_INLINE A operator<<(A a, B by)
{
    return impl_::name_of<Vector::SHIFT>(by.get(), a.get());
}

template <typename A, VectorType B>
requires Integers<A, A> FORCE_INLINE A operator>>(A a, B by)
{
    return a << -by;
}

#define GRIDLOOM_CHANGE(sign)                                                                                          \
    template <VectorType A, typename B> FORCE_INLINE A &operator sign##=(A &a, B b)                                    \
    {                                                                                                                  \
        return a = A(a sign b);                                                                                        \
    }

GRIDLOOM_CHANGE(+)
GRIDLOOM_CHANGE(-)
GRIDLOOM_CHANGE(*)
GRIDLOOM_CHANGE(&)
GRIDLOOM_CHANGE(|)
GRIDLOOM_CHANGE(^)
GRIDLOOM_CHANGE(<<)
GRIDLOOM_CHANGE(>>)
#undef GRIDLOOM_CHANGE

#define GRIDLOOM_COUNT(sign)                                                                                           \
    template <VectorType A> FORCE_INLINE A &operator sign##sign(A &a)                                                  \
    {                                                                                                                  \
        return a = A(a sign A(1));                                                                                     \
    }                                                                                                                  \
    template <VectorType A> FORCE_INLINE A operator sign##sign(A &a, int)                                              \
    {                                                                                                                  \
        const A before = a;                                                                                            \
                                                                                                                       \
        sign##sign a;                                                                                                  \
        return before;                                                                                                 \
    }

GRIDLOOM_COUNT(+)
GRIDLOOM_COUNT(-)
#undef GRIDLOOM_COUNT

}  // namespace sfpi
