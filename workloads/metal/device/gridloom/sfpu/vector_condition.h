// Conditions of vectors, and the lanes that v_if() leaves enabled. A condition is a vector
// of all bits or none; both sides of v_if() run.
#pragma once

#include "gridloom/sfpu/vector_operator.h"

namespace sfpi
{

class vBool : public impl_::vVal
{
  public:
    FORCE_INLINE vBool(impl_::Name name) : vVal(name.number) {}
    FORCE_INLINE vBool(vInt value) : vBool(impl_::name_of<Vector::IF_NE0>(value.get())) {}
    FORCE_INLINE vBool(vUInt value) : vBool(impl_::name_of<Vector::IF_NE0>(value.get())) {}
    FORCE_INLINE explicit operator vInt() const { return impl_::name_of<Vector::AND>(get(), vInt(1).get()); }
};

FORCE_INLINE vBool operator&&(vBool a, vBool b)
{
    return impl_::name_of<Vector::AND>(a.get(), b.get());
}

FORCE_INLINE vBool operator||(vBool a, vBool b)
{
    return impl_::name_of<Vector::OR>(a.get(), b.get());
}

FORCE_INLINE vBool operator!(vBool a)
{
    return impl_::name_of<Vector::NOT>(a.get());
}

namespace impl_
{

// Of a difference; nothing is subtracted for a 0 that is known.
FORCE_INLINE uint32_t difference(vFloat a, vFloat b)
{
    return (a - b).get();
}

FORCE_INLINE uint32_t difference(vFloat a, float b)
{
    return __builtin_constant_p(b) && b == 0 ? a.get() : (a - b).get();
}

template <typename A, typename B>
requires Integers<A, B> FORCE_INLINE uint32_t difference(A a, B b)
{
    if constexpr (Scalar<B>) {
        if (__builtin_constant_p(b) && b == 0) {
            return a.get();
        }
    }
    return (a - b).get();
}

// Below 0, 0 or above as unsigned numbers are to one another: the borrow of their
// difference, and whether there is one.
FORCE_INLINE vUInt order(vUInt a, vUInt b)
{
    const vUInt less = a - b;
    const vUInt borrow = (~a & b) | ((~a | b) & less);

    return (borrow & 0x80000000u) | (less >> 1) | (less & 1u);
}

template <typename A, typename B> FORCE_INLINE uint32_t order_of(A a, B b)
{
    if constexpr (std::is_base_of_v<vUInt, A>) {
        return order(vUInt(a), vUInt(b)).get();
    } else {
        return difference(a, b);
    }
}

}  // namespace impl_

#define GRIDLOOM_COMPARE(sign, opcode, opposite)                                                                       \
    FORCE_INLINE vBool operator sign(vFloat a, vFloat b)                                                               \
    {                                                                                                                  \
        return impl_::name_of<Vector::opcode>(impl_::difference(a, b));                                                \
    }                                                                                                                  \
    FORCE_INLINE vBool operator sign(vFloat a, float b)                                                                \
    {                                                                                                                  \
        return impl_::name_of<Vector::opcode>(impl_::difference(a, b));                                                \
    }                                                                                                                  \
    FORCE_INLINE vBool operator sign(float a, vFloat b)                                                                \
    {                                                                                                                  \
        return impl_::name_of<Vector::opposite>(impl_::difference(b, a));                                              \
    }                                                                                                                  \
    template <typename A, typename B>                                                                                  \
    requires Integers<A, B> FORCE_INLINE vBool operator sign(A a, B b)                                                 \
    {                                                                                                                  \
        return impl_::name_of<Vector::opcode>(impl_::order_of(a, b));                                                  \
    }

GRIDLOOM_COMPARE(==, IF_EQ0, IF_EQ0)
GRIDLOOM_COMPARE(!=, IF_NE0, IF_NE0)
GRIDLOOM_COMPARE(<, IF_LT0, IF_GT0)
GRIDLOOM_COMPARE(>, IF_GT0, IF_LT0)
GRIDLOOM_COMPARE(<=, IF_LE0, IF_GE0)
GRIDLOOM_COMPARE(>=, IF_GE0, IF_LE0)
#undef GRIDLOOM_COMPARE

namespace impl_
{

// The lanes of a v_if() and what belongs to it, until the end of its scope.
class Condition
{
  public:
    FORCE_INLINE Condition() { push(); }
    FORCE_INLINE ~Condition()
    {
        for (uint32_t i = 0; i < depth; i++) {
            gridloom::vector_act<Vector::POP>();
        }
    }
    FORCE_INLINE void push()
    {
        depth++;
        gridloom::vector_act<Vector::PUSH>();
    }
    FORCE_INLINE void narrow(vBool condition) { gridloom::vector_act<Vector::NARROW, true>(condition.get()); }
    FORCE_INLINE void reverse() { gridloom::vector_act<Vector::ELSE>(); }

  private:
    uint32_t depth = 0;
};

}  // namespace impl_
}  // namespace sfpi

#define v_if(condition)                                                                                                \
    {                                                                                                                  \
        sfpi::impl_::Condition gridloom_condition;                                                                     \
        gridloom_condition.narrow(condition);                                                                          \
        {

#define v_elseif(condition)                                                                                            \
    }                                                                                                                  \
    gridloom_condition.reverse();                                                                                      \
    gridloom_condition.push();                                                                                         \
    gridloom_condition.narrow(condition);                                                                              \
    {

#define v_else                                                                                                         \
    }                                                                                                                  \
    gridloom_condition.reverse();                                                                                      \
    {

#define v_endif                                                                                                        \
    }                                                                                                                  \
    }

#define v_block                                                                                                        \
    {                                                                                                                  \
        sfpi::impl_::Condition gridloom_condition;

#define v_and(condition) gridloom_condition.narrow(condition)

#define v_endblock }
