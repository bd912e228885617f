// Vectors of 32 numbers: vFloat, vInt, vUInt and their kin.
#pragma once

#include <type_traits>

#include "gridloom/sfpu/vector.h"

#define sfpi_inline inline GRIDLOOM_INSIDE

namespace sfpi
{

using gridloom::Vector;

namespace impl_
{

// Has the name of a vector, which never changes; the variable gets another name.
class vVal
{
  public:
    FORCE_INLINE vVal() : name(gridloom::VECTOR_ZERO) {}
    FORCE_INLINE explicit vVal(uint32_t number) : name(number) {}
    FORCE_INLINE vVal(const vVal &other) : name(other.name) {}
    FORCE_INLINE vVal &operator=(const vVal &other)
    {
        name = gridloom::vector_assign<true>(name, other.name);
        return *this;
    }
    FORCE_INLINE vVal &operator=(vVal &&other)
    {
        name = gridloom::vector_assign<false>(name, other.name);
        return *this;
    }
    FORCE_INLINE uint32_t get() const { return name; }

  private:
    uint32_t name;
};

// What is made of a name, for functions below.
struct Name {
    uint32_t number;
};

FORCE_INLINE uint32_t load_bits(uint32_t bits)
{
    if (__builtin_constant_p(bits) && bits == 0) {
        return gridloom::VECTOR_ZERO;
    }
    if (__builtin_constant_p(bits) && bits == 0x3f800000) {
        return gridloom::VECTOR_ONE;
    }
    if (__builtin_constant_p(bits) && bits == 0xbf800000) {
        return gridloom::VECTOR_MINUS_ONE;
    }
    return gridloom::vector<Vector::LOADI>(bits);
}

template <Vector opcode> FORCE_INLINE Name name_of(uint32_t a = 0, uint32_t b = 0)
{
    return {gridloom::vector<opcode>(a, b)};
}

template <typename T>
concept Scalar = std::is_integral_v<T> || std::is_enum_v<T>;

}  // namespace impl_

template <typename T>
concept VectorType = std::is_base_of_v<impl_::vVal, T>;

// Bits of half a number, in the upper half of a lane, or as FP16.
class sFloat16b
{
  public:
    explicit constexpr sFloat16b(float value) : bits(__builtin_bit_cast(uint32_t, value) >> 16) {}
    explicit constexpr sFloat16b(impl_::Scalar auto value) : bits(static_cast<uint16_t>(value)) {}
    constexpr uint32_t get() const { return bits; }

  private:
    uint32_t bits;
};

class vFloat : public impl_::vVal
{
  public:
    FORCE_INLINE vFloat() = default;
    FORCE_INLINE vFloat(impl_::Name name) : vVal(name.number) {}
    FORCE_INLINE vFloat(float value) : vVal(impl_::load_bits(__builtin_bit_cast(uint32_t, value))) {}
    FORCE_INLINE vFloat(double value) : vFloat(static_cast<float>(value)) {}
    FORCE_INLINE vFloat(impl_::Scalar auto value) : vFloat(static_cast<float>(value)) {}
    FORCE_INLINE vFloat(sFloat16b value) : vVal(impl_::load_bits(value.get() << 16)) {}
};

// A product, which a sum makes one multiply-add of.
struct Product {
    vFloat a;
    vFloat b;

    FORCE_INLINE operator vFloat() const
    {
        return impl_::Name{gridloom::vector_mad(a.get(), b.get(), gridloom::VECTOR_ZERO)};
    }
};

class vInt;

class vUInt : public impl_::vVal
{
  public:
    FORCE_INLINE vUInt() = default;
    FORCE_INLINE vUInt(impl_::Name name) : vVal(name.number) {}
    FORCE_INLINE vUInt(impl_::Scalar auto value) : vVal(impl_::load_bits(static_cast<uint32_t>(value))) {}
    template <typename T>
    requires std::is_base_of_v<vInt, T> FORCE_INLINE vUInt(T value) : vVal(value.get()) {}
};

class vInt : public impl_::vVal
{
  public:
    FORCE_INLINE vInt() = default;
    FORCE_INLINE vInt(impl_::Name name) : vVal(name.number) {}
    FORCE_INLINE vInt(impl_::Scalar auto value) : vVal(impl_::load_bits(static_cast<uint32_t>(value))) {}
    template <typename T>
    requires std::is_base_of_v<vUInt, T> FORCE_INLINE vInt(T value) : vVal(value.get()) {}
};

// The same lanes under names that say what is in them.
template <typename Base, int number> class Kind : public Base
{
  public:
    FORCE_INLINE Kind() = default;
    FORCE_INLINE Kind(impl_::Name name) : Base(name) {}
    FORCE_INLINE explicit Kind(uint32_t value) : Base(value) {}
};

using vFloat16a = Kind<vFloat, 0>;
using vFloat16b = Kind<vFloat, 1>;
using vMag = Kind<vInt, 2>;
using vUInt16 = Kind<vUInt, 3>;
using vUInt8 = Kind<vUInt, 4>;
using vSMag = Kind<vInt, 5>;
using vSMag16 = Kind<vInt, 6>;
using vSMag8 = Kind<vInt, 7>;

}  // namespace sfpi
